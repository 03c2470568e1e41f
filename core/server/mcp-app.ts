// The HTTP routes of the MCP server: POST /mcp, GET /health, GET /metrics and the routes of packs.
//
// Checks, in order: well-formed request, Host, Origin, token, rate, concurrent requests, body, and the rate again for the
// further messages of a batch. Only /health needs no token and no allowed Host. A browser's preflight needs no token.

import { isJsonContentType } from "@modelcontextprotocol/server";
import type { Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import type { HttpConfiguration } from "../config/configuration.ts";
import { bearerAuth, type Caller, type Connection } from "../../common/http/bearer-auth.ts";
import { crossOrigin } from "../../common/http/cors.ts";
import { httpApp } from "../../common/http/http-app.ts";
import { RateLimit, tooMany } from "../../common/http/rate-limit.ts";
import type { TokenStore } from "../../common/http/token-store.ts";
import { parseJson } from "../../protocol/json.ts";
import type { Pack } from "../packs/pack.ts";
import type { Services } from "../tools/context.ts";
import { inAcceptedType } from "./accepted-type.ts";
import { shareOf } from "../guardrails/capacity.ts";
import { methodWithInvalidParams } from "./malformed-request.ts";
import type { Metrics } from "./metrics.ts";
import { requestBody, type WithBody } from "./request-body.ts";
import { requestLimit } from "./request-limit.ts";

/** The runtime rounds it up to a multiple of 4. */
export const IDLE_SECONDS = 10;
/** The maximum of the runtime, and longer than any wait for a confirmation. */
const CALL_IDLE_SECONDS = 255;
/** In one JSON-RPC batch, which clients of old protocol revisions may send. */
const MAX_MESSAGES = 20;
const MEBIBYTE = 1 << 20;

export interface McpAppOptions {
  readonly configuration: Omit<HttpConfiguration, "host" | "port" | "bearerToken" | "tokenFile">;
  readonly packs: readonly Pack[];
  readonly services: Services;
  readonly metrics: Metrics;
  readonly tokens: TokenStore;
  readonly answer: McpAnswer;
}

/** Answers one JSON-RPC message or a batch, which is already parsed. */
export type McpAnswer = (
  request: Request,
  options: { readonly parsedBody: unknown; readonly authInfo?: { token: string; clientId: string; scopes: string[] } },
) => Promise<Response>;

/** What a route may know of its connection. */
export interface McpConnection extends Connection {
  /** Sets the idle timeout of the connection, from now on. */
  readonly setIdleTimeout: (seconds: number) => void;
}

interface Routes {
  Bindings: McpConnection;
  Variables: Caller & WithBody;
}

export type McpApp = Hono<Routes>;

export function mcpApp({ configuration, packs, services, metrics, tokens, answer }: McpAppOptions): McpApp {
  const { allowedHosts, allowedOrigins, maxRequests, maxBodyBytes: maxBytes, bodyTimeoutMs } = configuration;
  const settings = { hosts: "MCP_ALLOWED_HOSTS", origins: "MCP_ALLOWED_ORIGINS" };
  const app = httpApp<Routes>({ allowedHosts, allowedOrigins, hostExempt: ["/health"], settings, log: services.log });
  app.use(crossOrigin());
  app.get("/health", (context) => context.json({ status: "ok", version: services.server.version }));

  app.use(
    bearerAuth({ tokens, failures: new RateLimit(configuration.unauthorizedLimit), setting: "MCP_BEARER_TOKEN" }),
  );
  const rate = configuration.rateLimit === null ? null : new RateLimit(configuration.rateLimit);
  if (rate !== null) app.use(rateLimit(rate));
  // A single client may use the whole capacity.
  const mostForOne = (most: number) => () => tokens.clients > 1 ? shareOf(most) : most;
  app.use(requestLimit({ most: maxRequests, mostForOne: mostForOne(maxRequests), clientOf }));
  app.get(
    "/metrics",
    async (context) => context.body(await metrics.text(), 200, { "Content-Type": metrics.contentType }),
  );

  const maxTotalBytes = mostBodyBytes(maxBytes);
  const body = requestBody<Routes>({
    maxBytes,
    maxTotalBytes,
    maxClientBytes: () => Math.max(mostForOne(maxTotalBytes)(), maxBytes),
    deadlineMs: bodyTimeoutMs,
    setting: "MAX_BODY_SIZE",
    clientOf,
  });
  app.post("/mcp", body, (context) => answerRpc(context, rate, answer));
  app.all("/mcp", (context) => {
    context.header("Allow", "POST");
    return context.json(
      { error: { code: "method_not_allowed", message: "Only POST is supported, because the server is stateless." } },
      405,
    );
  });
  for (const pack of packs) pack.routes?.(app as unknown as Hono, services);
  return app;
}

async function answerRpc(context: Context<Routes>, rate: RateLimit | null, answer: McpAnswer): Promise<Response> {
  if (!isJsonContentType(context.req.header("Content-Type") ?? null)) return unsupportedMediaType(context);
  const body = parseJson(context.get("bodyText"));
  if (body === undefined) return rpcError(context, -32700, "The body is not JSON.");
  if (Array.isArray(body) && body.length > MAX_MESSAGES) {
    return rpcError(context, -32600, `A batch may hold ${MAX_MESSAGES} messages.`);
  }
  const method = methodWithInvalidParams(body);
  if (method !== null) return rpcError(context, -32602, `The params are invalid for ${method}.`);
  const refused = Array.isArray(body) && rate !== null ? await beyondRate(context, rate, body.length) : null;
  if (refused !== null) return refused;
  context.env.setIdleTimeout(CALL_IDLE_SECONDS);
  const authInfo = authInfoOf(context.get("holder").name);
  const response = await inAcceptedType(
    context.req.raw,
    body,
    (request) => answer(request, { parsedBody: body, authInfo }),
  );
  // An event stream is still being sent, so it keeps the longer timeout.
  if (isJsonContentType(response.headers.get("Content-Type"))) context.env.setIdleTimeout(IDLE_SECONDS);
  return response;
}

/** The limit on the bytes of all bodies in memory. One body of MAX_BODY_SIZE always fits. */
export function mostBodyBytes(maxBodyBytes: number): number {
  return Math.max(128 * MEBIBYTE, maxBodyBytes);
}

/** Answers 429 with Retry-After above MCP_RATE_LIMIT. */
function rateLimit(rate: RateLimit) {
  return createMiddleware<Routes>(async function rateLimit(context, next) {
    if (await rate.admits(clientOf(context))) return await next();
    return tooMany(context, `More than ${rate.perSecond} requests a second: slow down and try again.`);
  });
}

/** Each message of a batch counts as a request. The first one was counted before the body was read. */
async function beyondRate(context: Context<Routes>, rate: RateLimit, messages: number): Promise<Response | null> {
  if (messages <= 1 || await rate.admits(clientOf(context), messages - 1)) return null;
  const message =
    `A batch of ${messages} counts as ${messages} requests, and the limit is ${rate.perSecond} a second: ` +
    "send smaller batches, or try again.";
  return tooMany(context, message);
}

/** Requests are counted by the name of their token, or by address without a token. */
function clientOf(context: Context<Routes>): string {
  const caller = context.get("holder").name;
  return caller === null ? `address ${context.env.address}` : `token ${caller}`;
}

/** The MCP server gets the name of the token, not the token. */
function authInfoOf(caller: string | null) {
  return caller === null ? undefined : { token: "", clientId: caller, scopes: [] };
}

function rpcError(context: Context, code: number, message: string): Response {
  return context.json({ jsonrpc: "2.0", id: null, error: { code, message } }, 400);
}

function unsupportedMediaType(context: Context): Response {
  const message = "Content-Type must be application/json.";
  return context.json({ error: { code: "unsupported_media_type", message } }, 415);
}
