// Stateless Streamable HTTP: POST /mcp, GET /health, GET /metrics and the routes of packs.
//
// The order of checks: Host and Origin, token, rate, requests under way, body. Only /health goes without Host check and
// token. Every POST /mcp is answered by a server made for it alone. TLS is the work of a proxy before it
// (docs/operations.md).
//
// What is slow: a connection that sends no whole header, or nothing, is closed by the runtime after IDLE_SECONDS; a body
// has a deadline of its own; while a call is carried out its connection may be silent for SILENT_SECONDS.

import { createMcpHandler, isJsonContentType, type McpServerFactory } from "@modelcontextprotocol/server";
import type { Context, Hono } from "hono";
import type { HttpConfiguration } from "../config/configuration.ts";
import { bearerAuth, type Caller } from "../http/bearer-auth.ts";
import { httpApp } from "../http/http-app.ts";
import { listen } from "../http/listen.ts";
import type { TokenRing } from "../http/token-ring.ts";
import { parseJson } from "../json.ts";
import { logger } from "../logger.ts";
import type { Pack } from "../packs/pack.ts";
import type { Services } from "../tools/context.ts";
import { misfitIn } from "./malformed-request.ts";
import type { Metrics } from "./metrics.ts";
import { rateLimit } from "./rate-limit.ts";
import { requestBody } from "./request-body.ts";
import { requestLimit } from "./request-limit.ts";

/** Larger than any MAX_BODY_SIZE: Bun's own limit would answer without the handler. */
const RUNTIME_BODY_LIMIT = 2 ** 40;
const DRAIN_MS = 10_000;
/** The runtime rounds it up to a multiple of 4. */
const IDLE_SECONDS = 10;
/** The longest that the runtime knows; longer than any wait for a confirmation. */
const SILENT_SECONDS = 255;
/** Of all bodies that are under way; a single one may be larger where MAX_BODY_SIZE is. */
const MOST_BODY_BYTES = 128 * 1024 * 1024;
/** Messages in one JSON-RPC batch, which clients of old revisions may send. */
const MOST_MESSAGES = 20;

export interface HttpServer {
  readonly url: string;
  /** Takes no new requests and lets what is under way end, for at most 10 s. */
  stop(): Promise<void>;
}

export interface HttpServerOptions {
  readonly configuration: HttpConfiguration;
  readonly factory: McpServerFactory;
  readonly packs: readonly Pack[];
  readonly services: Services;
  readonly metrics: Metrics;
  readonly tokens: TokenRing;
}

/** What a route may know of its connection. */
interface Connection {
  readonly address: string;
  /** Lets it be silent for so many seconds from now on. */
  readonly allowSilence: (seconds: number) => void;
}

interface Routes {
  Bindings: Connection;
  Variables: Caller;
}

/** Throws a one-line error where the port can't be listened on. */
export function serveHttp(options: HttpServerOptions): HttpServer {
  const { configuration, services } = options;
  const handler = createMcpHandler(options.factory, {
    onerror: (error) => services.log.debug("request refused: {error}", { error: error.message }),
  });
  const app = buildApp(options, handler.fetch);
  const { server, address } = serve(configuration, app);
  return {
    url: `http://${address}`,
    async stop() {
      const drained = await Promise.race([server.stop(false).then(() => true), Bun.sleep(DRAIN_MS).then(() => false)]);
      if (!drained) await server.stop(true);
      await handler.close();
    },
  };
}

type McpFetch = ReturnType<typeof createMcpHandler>["fetch"];

function buildApp({ configuration, packs, services, metrics, tokens }: HttpServerOptions, mcpFetch: McpFetch) {
  const { allowedHosts, allowedOrigins } = configuration;
  const settings = { hosts: "MCP_ALLOWED_HOSTS", origins: "MCP_ALLOWED_ORIGINS" };
  const app = httpApp<Routes>({ allowedHosts, allowedOrigins, hostExempt: ["/health"], settings, log: services.log });
  app.get("/health", (context) => context.json({ status: "ok", version: services.server.version }));
  app.use(bearerAuth(tokens));
  if (configuration.rateLimit !== null) {
    app.use(rateLimit({ perSecond: configuration.rateLimit, clientOf }));
  }
  app.use(requestLimit({ most: configuration.maxRequests }));
  app.get(
    "/metrics",
    async (context) => context.body(await metrics.text(), 200, { "Content-Type": metrics.contentType }),
  );
  const { maxBodyBytes: maxBytes, bodyTimeoutMs: deadlineMs } = configuration;
  const maxTotalBytes = Math.max(MOST_BODY_BYTES, maxBytes);
  app.post("/mcp", requestBody({ maxBytes, maxTotalBytes, deadlineMs }), async (context) => {
    if (!isJsonContentType(context.req.header("Content-Type") ?? null)) return unsupportedMediaType(context);
    const body = parseJson(context.get("bodyText"));
    if (body === undefined) return rpcError(context, -32700, "The body is not JSON.");
    if (Array.isArray(body) && body.length > MOST_MESSAGES) {
      return rpcError(context, -32600, `A batch may hold ${MOST_MESSAGES} messages.`);
    }
    const misfit = misfitIn(body);
    if (misfit !== null) return rpcError(context, -32602, `The params don't fit ${misfit}.`);
    context.env.allowSilence(SILENT_SECONDS);
    const response = await mcpFetch(context.req.raw, { parsedBody: body, authInfo: authInfoOf(context.get("caller")) });
    // An event stream has only begun by now.
    if (isJsonContentType(response.headers.get("Content-Type"))) context.env.allowSilence(IDLE_SECONDS);
    return response;
  });
  app.all("/mcp", (context) => {
    context.header("Allow", "POST");
    return context.json(
      { error: { code: "method_not_allowed", message: "Only POST is served: it is stateless." } },
      405,
    );
  });
  for (const pack of packs) pack.routes?.(app as unknown as Hono, services);
  return app;
}

function serve({ host, port, bodyTimeoutMs }: HttpConfiguration, app: Hono<Routes>) {
  const bodySeconds = Math.max(IDLE_SECONDS, Math.ceil(bodyTimeoutMs / 1000) + 5);
  return listen({
    host,
    port,
    maxRequestBodySize: RUNTIME_BODY_LIMIT,
    idleSeconds: IDLE_SECONDS,
    log: logger("http"),
    fetch: (request, server) => {
      server.timeout(request, bodySeconds);
      return app.fetch(request, {
        address: server.requestIP(request)?.address ?? "unknown",
        allowSilence: (seconds) => server.timeout(request, seconds),
      });
    },
  });
}

/** Whose requests are counted together: those of a token, else those of an address. */
function clientOf(context: Context<Routes>): string {
  const caller = context.get("caller");
  return caller === null ? `address ${context.env.address}` : `token ${caller}`;
}

/** What the server made for a request may know of its sender: the token's name, and not the token. */
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
