// Host and Origin checks: a page in a browser must not reach a server on the user's own machine by DNS rebinding.

import type { MiddlewareHandler } from "hono";

export interface CallerCheckOptions {
  /** Host names that may be asked for, without port. */
  readonly allowedHosts: readonly string[];
  /** Host names, or whole origins such as https://desk.example:8443, that a browser may call from. */
  readonly allowedOrigins: readonly string[];
  /** Paths whose Host is not checked, for probes. */
  readonly hostExempt: readonly string[];
}

/** Answers 403 where the Host or Origin header is not let in. A missing Origin passes: only browsers send one. */
export function callerCheck({ allowedHosts, allowedOrigins, hostExempt }: CallerCheckOptions): MiddlewareHandler {
  return async function callerCheck(context, next) {
    const host = context.req.header("Host");
    if (!hostExempt.includes(context.req.path) && !isAllowedHost(host, allowedHosts)) {
      return context.json(refusal("Host", host, "MCP_ALLOWED_HOSTS"), 403);
    }
    const origin = context.req.header("Origin");
    if (origin !== undefined && !isAllowedOrigin(origin, allowedOrigins)) {
      return context.json(refusal("Origin", origin, "MCP_ALLOWED_ORIGINS"), 403);
    }
    await next();
  };
}

function refusal(header: string, value: string | undefined, variable: string) {
  const message = `The ${header} ${value ?? "(none)"} is not let in: an operator can add it to ${variable}.`;
  return { error: { code: "forbidden", message } };
}

function isAllowedHost(host: string | undefined, allowed: readonly string[]): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false;
  const url = new URL(`http://${host}`);
  return url.host === host.toLowerCase().replace(/:80$/, "") && allowed.includes(url.hostname);
}

function isAllowedOrigin(origin: string, allowed: readonly string[]): boolean {
  if (!URL.canParse(origin)) return false;
  return allowed.includes(origin) || allowed.includes(new URL(origin).hostname);
}
