// Stateless Streamable HTTP: each POST /mcp gets an MCP server of its own. TLS is left to a proxy (docs/operations.md).
//
// Timeouts: the runtime closes a connection that sends no complete header within IDLE_SECONDS. A body has a deadline of its
// own. While a call runs, its connection may be idle for longer (mcp-app.ts).

import { createMcpHandler, type McpServerFactory } from "@modelcontextprotocol/server";
import type { HttpConfiguration } from "../config/configuration.ts";
import { addressOf, listen } from "../../common/http/listen.ts";
import { logger } from "../../common/logger.ts";
import { IDLE_SECONDS, type McpApp, mcpApp, type McpAppOptions } from "./mcp-app.ts";

const DRAIN_MS = 10_000;

interface HttpServer {
  readonly url: string;
  /** Accepts no new requests, waits at most `drainMs` for running ones, then closes their connections. */
  stop(): Promise<void>;
}

interface HttpServerOptions extends Omit<McpAppOptions, "answer" | "configuration"> {
  readonly configuration: HttpConfiguration;
  readonly factory: McpServerFactory;
  /** 10,000 if absent. */
  readonly drainMs?: number;
}

/** Throws a one-line error if it can't listen on the port. */
export function serveHttp({ factory, drainMs = DRAIN_MS, ...options }: HttpServerOptions): HttpServer {
  const { configuration, services } = options;
  const handler = createMcpHandler(factory, {
    onerror: (error) => services.log.debug("request refused: {error}", { error: error.message }),
  });
  const { server, address } = serve(configuration, mcpApp({ ...options, answer: handler.fetch }));
  return {
    url: `http://${address}`,
    async stop() {
      const drained = await Promise.race([server.stop(false).then(() => true), Bun.sleep(drainMs).then(() => false)]);
      if (!drained) await server.stop(true);
      await handler.close();
    },
  };
}

function serve({ host, port, bodyTimeoutMs }: HttpConfiguration, app: McpApp) {
  const bodySeconds = Math.max(IDLE_SECONDS, Math.ceil(bodyTimeoutMs / 1000) + 5);
  return listen({
    host,
    port,
    idleSeconds: IDLE_SECONDS,
    log: logger("http"),
    fetch: (request, server) => {
      server.timeout(request, bodySeconds);
      return app.fetch(request, {
        address: addressOf(request, server),
        setIdleTimeout: (seconds) => server.timeout(request, seconds),
      });
    },
  });
}
