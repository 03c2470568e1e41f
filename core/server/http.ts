// Stateless Streamable HTTP: each POST /mcp gets an MCP server of its own. TLS is left to a proxy (docs/http.md).
//
// Timeouts: the runtime closes a connection that sends no complete header within IDLE_SECONDS. A body has a deadline of its
// own. While a call runs, its connection may be idle for longer (mcp-endpoint.ts).

import type { McpServerFactory } from "@modelcontextprotocol/server";
import type { Server } from "bun";
import type { HttpConfiguration } from "../config/configuration.ts";
import { addressOf, listen } from "../../common/http/listen.ts";
import { type Logger, logger } from "../../common/logger.ts";
import { type McpApp, mcpApp, type McpAppOptions } from "./mcp-app.ts";
import { type ClientConnection, IDLE_SECONDS } from "./limits/client-connection.ts";
import { PlainPath } from "./plain/plain-path.ts";
import { type SdkHandler, sdkHandler } from "./sdk/sdk-answer.ts";

const DRAIN_MS = 10_000;
/** A client that reads has read the end of its subscription after this time. */
const UNREAD_MS = 500;

interface HttpServer {
  readonly url: string;
  /**
   * Accepts no new requests, ends subscriptions, waits at most `drainMs` for running requests, then closes their connections.
   * It doesn't wait for clients that don't read the end of their subscription.
   */
  stop(): Promise<void>;
}

interface HttpServerOptions extends Omit<McpAppOptions, "sdk" | "plain" | "configuration"> {
  readonly configuration: HttpConfiguration;
  readonly factory: McpServerFactory;
  /** False: the SDK answers plain messages, too. True if absent. */
  readonly plainPath?: boolean;
  /** 10,000 if absent. */
  readonly drainMs?: number;
}

/** Throws a one-line error if it can't listen on the port. */
export function serveHttp(options: HttpServerOptions): HttpServer {
  const { dispatcher, factory, plainPath = true, drainMs = DRAIN_MS, configuration, ...others } = options;
  const { services } = dispatcher;
  const { offers, tokens } = options;
  const sdk = sdkHandler({ factory, offers, tokens, log: services.log });
  const plain = plainPath ? new PlainPath(dispatcher, sdk.answer) : null;
  const log = logger("http");
  const app = mcpApp({ ...others, configuration, dispatcher, sdk: sdk.answer, plain });
  const { server, address } = serve(configuration, app, log);
  return {
    url: `http://${address}`,
    async stop() {
      await sdk.endSubscriptions();
      const ending = new AbortController();
      const left = await Promise.race([
        server.stop(false).then(() => null),
        Bun.sleep(drainMs).then(() => "requests" as const),
        onlyUnreadLeft(server, sdk, ending.signal).then(() => "subscribers" as const),
      ]);
      ending.abort();
      if (left === "requests") log.warn("requests that have not ended after {drainMs} ms are cut off", { drainMs });
      if (left === "subscribers") log.info("subscribers that do not read are cut off");
      if (left !== null) await server.stop(true);
      await sdk.close();
    },
  };
}

/** Resolves when no request is left but subscriptions whose clients don't read. */
export async function onlyUnreadLeft(
  server: Pick<Server<unknown>, "pendingRequests">,
  sdk: Pick<SdkHandler, "unreadStreams">,
  signal: AbortSignal,
): Promise<void> {
  do await Bun.sleep(UNREAD_MS); while (!signal.aborted && server.pendingRequests > sdk.unreadStreams);
}

function serve({ host, port, bodyTimeoutMs }: HttpConfiguration, app: McpApp, log: Logger) {
  const bodySeconds = Math.max(IDLE_SECONDS, Math.ceil(bodyTimeoutMs / 1000) + 5);
  return listen({
    host,
    port,
    idleSeconds: IDLE_SECONDS,
    log,
    fetch: (request, server) => {
      server.timeout(request, bodySeconds);
      return app.fetch(request, connectionOf(request, server));
    },
  });
}

function connectionOf(request: Request, server: Server<unknown>): ClientConnection {
  return {
    /** Only looked up if it is needed. */
    get address() {
      return addressOf(request, server);
    },
    setIdleTimeout: (seconds) => server.timeout(request, seconds),
  };
}
