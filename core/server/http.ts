// Stateless Streamable HTTP: POST /mcp, GET /health, GET /metrics and the routes of packs, on Bun.serve.
//
// The order of checks: Host and Origin, token, rate, body size. Only /health goes without Host check and token. Every
// POST /mcp is answered by a server made for it alone.

import { createMcpHandler, isJsonContentType, type McpServerFactory } from "@modelcontextprotocol/server";
import { type Context, Hono } from "hono";
import type { HttpConfiguration } from "../config/configuration.ts";
import { parseJson } from "../json.ts";
import type { Pack } from "../packs/pack.ts";
import type { Services } from "../tools/context.ts";
import { bearerAuth } from "./bearer-auth.ts";
import { bodyLimit } from "./body-limit.ts";
import { callerCheck } from "./caller-check.ts";
import type { Metrics } from "./metrics.ts";
import { rateLimit } from "./rate-limit.ts";

/** Larger than any MAX_BODY_SIZE: Bun's own limit would answer without the handler. */
const RUNTIME_BODY_LIMIT = 2 ** 40;
const DRAIN_MS = 10_000;

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
}

/** Throws a one-line error where the port can't be listened on. */
export function serveHttp(options: HttpServerOptions): HttpServer {
  const { configuration, services } = options;
  const handler = createMcpHandler(options.factory, {
    onerror: (error) => services.log.debug("request refused: {error}", { error: error.message }),
  });
  const app = buildApp(options, handler.fetch);
  const server = listen(configuration, app);
  return {
    url: `http://${urlHost(configuration.host)}:${server.port}`,
    async stop() {
      const drained = await Promise.race([server.stop(false).then(() => true), Bun.sleep(DRAIN_MS).then(() => false)]);
      if (!drained) await server.stop(true);
      await handler.close();
    },
  };
}

type McpFetch = ReturnType<typeof createMcpHandler>["fetch"];

function buildApp({ configuration, packs, services, metrics }: HttpServerOptions, mcpFetch: McpFetch): Hono {
  const app = new Hono();
  app.use(callerCheck({ ...configuration, hostExempt: ["/health"] }));
  app.get("/health", (context) => context.json({ status: "ok", version: services.server.version }));
  app.use(bearerAuth({ token: configuration.bearerToken }));
  if (configuration.rateLimit !== null) {
    app.use(rateLimit({ perSecond: configuration.rateLimit, addressOf: remoteAddress }));
  }
  app.get(
    "/metrics",
    async (context) => context.body(await metrics.text(), 200, { "Content-Type": metrics.contentType }),
  );
  app.post("/mcp", bodyLimit({ maxBytes: configuration.maxBodyBytes }), (context) => {
    if (!isJsonContentType(context.req.header("Content-Type") ?? null)) return unsupportedMediaType(context);
    const body = parseJson(context.get("bodyText"));
    if (body === undefined) return parseError(context);
    return mcpFetch(context.req.raw, { parsedBody: body });
  });
  app.all("/mcp", (context) => {
    context.header("Allow", "POST");
    return context.json(
      { error: { code: "method_not_allowed", message: "Only POST is served: it is stateless." } },
      405,
    );
  });
  for (const pack of packs) pack.routes?.(app, services);
  app.notFound((context) =>
    context.json({ error: { code: "not_found", message: `No route ${context.req.path}.` } }, 404)
  );
  app.onError((error, context) => {
    services.log.error("{method} {path} failed: {error}", {
      method: context.req.method,
      path: context.req.path,
      error: error.stack ?? error.message,
    });
    return context.json(
      { error: { code: "internal", message: "The request failed; the server's log tells why." } },
      500,
    );
  });
  return app;
}

function listen(configuration: HttpConfiguration, app: Hono): Bun.Server<undefined> {
  try {
    return Bun.serve({
      port: configuration.port,
      hostname: configuration.host,
      maxRequestBodySize: RUNTIME_BODY_LIMIT,
      fetch: (request, server) => app.fetch(request, { address: server.requestIP(request)?.address ?? "unknown" }),
    });
  } catch (error) {
    throw new Error(
      `can't listen on ${configuration.host}:${configuration.port}: ${
        (error as Error).message
      } (MCP_HTTP_HOST, MCP_HTTP_PORT)`,
    );
  }
}

function remoteAddress(context: Context): string {
  return (context.env as { address: string }).address;
}

function urlHost(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}

function parseError(context: Context): Response {
  return context.json({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "The body is not JSON." } }, 400);
}

function unsupportedMediaType(context: Context): Response {
  const message = "Content-Type must be application/json.";
  return context.json({ error: { code: "unsupported_media_type", message } }, 415);
}
