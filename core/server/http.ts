// Stateless Streamable HTTP on a port. Every POST /mcp is answered by a server made for it alone. TLS is the work of a
// proxy before it (docs/operations.md).
//
// What is slow: a connection that sends no whole header, or nothing, is closed by the runtime after IDLE_SECONDS; a body
// has a deadline of its own; while a call is carried out its connection may be silent for longer (mcp-app.ts).

import { createMcpHandler, type McpServerFactory } from "@modelcontextprotocol/server";
import type { HttpConfiguration } from "../config/configuration.ts";
import { addressOf, listen } from "../../common/http/listen.ts";
import { logger } from "../../common/logger.ts";
import { IDLE_SECONDS, type McpApp, mcpApp, type McpAppOptions } from "./mcp-app.ts";

const DRAIN_MS = 10_000;

export interface HttpServer {
  readonly url: string;
  /** Takes no new requests and lets what is under way end, for at most `drainMs`; then ends it. */
  stop(): Promise<void>;
}

export interface HttpServerOptions extends Omit<McpAppOptions, "answer" | "configuration"> {
  readonly configuration: HttpConfiguration;
  readonly factory: McpServerFactory;
  /** How long a stop waits for what is under way; 10,000 ms if absent. */
  readonly drainMs?: number;
}

/** Throws a one-line error if the port can't be listened on. */
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
        allowSilence: (seconds) => server.timeout(request, seconds),
      });
    },
  });
}
