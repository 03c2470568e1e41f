// Cross-origin requests (CORS): a page from an allowed origin may send requests and read the answers.
//
// Invariant: this runs after hostCheck, so the Origin of a request that gets here is allowed. A preflight is answered here,
// before the token check, because a browser sends it without a token. Every later answer, a refusal too, gets the headers.
// No answer allows every origin, and none allows pages of other origins to send cookies.

import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";

/** The methods of MCP over HTTP, of /health and /metrics, and of routes that packs may have. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
/** Headers that a client needs and that a browser hides otherwise. */
const EXPOSED_HEADERS = ["WWW-Authenticate", "Retry-After", "Allow", "Mcp-Session-Id", "MCP-Protocol-Version"];
/** For how long a browser may keep a preflight's answer; the maximum of Chromium. */
const MAX_AGE_SECONDS = 7200;

/**
 * Every request header that the preflight asks for is allowed: Authorization and the Mcp-* headers, of which the protocol may
 * have any number (Mcp-Param-*). No header grants anything by its mere presence.
 *
 * @example app.use(hostCheck(options)).use(crossOrigin())
 */
export function crossOrigin(): MiddlewareHandler {
  const headers = cors({
    origin: (origin) => origin,
    allowMethods: METHODS,
    exposeHeaders: EXPOSED_HEADERS,
    maxAge: MAX_AGE_SECONDS,
  });
  return async function crossOrigin(context, next) {
    const isPreflight = context.req.header("Access-Control-Request-Method") !== undefined;
    if (context.req.header("Origin") !== undefined && (isPreflight || context.req.method !== "OPTIONS")) {
      return await headers(context, next);
    }
    await next();
    // context.header() would copy the response.
    addCrossOriginHeaders(context.res.headers, null);
  };
}

/** The same headers for an answer that hono does not make. `origin` is the request's, null if it has none. */
export function addCrossOriginHeaders(headers: Headers, origin: string | null): void {
  headers.append("Vary", "Origin");
  if (origin === null) return;
  headers.set("Access-Control-Allow-Origin", origin);
  headers.set("Access-Control-Expose-Headers", EXPOSED_HEADERS.join(","));
}
