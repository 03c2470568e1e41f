// `mkt`: serves MCP over stdio or HTTP until a signal, or until the client closes stdin.

import { logger } from "../../common/logger.ts";
import type { Runtime } from "../runtime.ts";
import { mcpServerFactory } from "../server/sdk/mcp-server.ts";
import { serveStdio } from "../server/stdio.ts";
import type { StartedClient } from "../start/start-on-stdio.ts";
import { beginConnecting } from "../backend/auto-connect.ts";
import { connectToOneEngine } from "../backend/same-engine.ts";
import { untilSignal } from "../../common/command-line.ts";

const DRAIN_MS = 10_000;

interface ServeOptions {
  /** The transport is up; `url` is null on stdio. */
  readonly onReady?: (url: string | null) => void;
  /** The client on stdio if it was already answered. */
  readonly started?: StartedClient;
}

/** Resolves after a graceful shutdown. Throws a one-line error if it can't listen on the port. */
export async function serve(runtime: Runtime, { onReady, started }: ServeOptions = {}): Promise<void> {
  const log = logger("serve");
  for (const { source, reason } of runtime.failures) {
    log.error("pack {source} is not loaded: {reason}", { source, reason });
  }
  const freeze = runtime.services.frozen();
  if (freeze !== null) log.warn("frozen: {reason}", { reason: freeze.reason ?? "no reason was given" });
  const stopped = started?.stopped ?? untilSignal();
  const connecting = new AbortController();
  if (runtime.configuration.backend.autoConnect) {
    const { services, configuration: { backend: { userId } } } = runtime;
    const connect = (signal: AbortSignal) => connectToOneEngine(services, userId, signal);
    await beginConnecting({ pubsub: services.pubsub, connect, signal: connecting.signal, log });
  }
  const transport = await openTransport(runtime, started);
  log.info("serving {count} tools over {transport}", {
    count: runtime.services.server.toolCount,
    transport: transport.url ?? "stdio",
  });
  onReady?.(transport.url);
  await Promise.race([stopped, transport.ended]);
  runtime.dispatcher.refuseChanges();
  log.info("shutting down: changes are refused from now on");
  connecting.abort();
  await runtime.dispatcher.drain(DRAIN_MS);
  await transport.stop();
  await runtime.close();
}

interface Transport {
  readonly url: string | null;
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

async function openTransport(runtime: Runtime, started: StartedClient | undefined): Promise<Transport> {
  const { configuration, dispatcher, packs, metrics, tokens } = runtime;
  const factory = mcpServerFactory(dispatcher, packs);
  if (configuration.http === null) {
    return { url: null, ...serveStdio(factory, logger("stdio"), { client: started?.client }) };
  }
  // On stdio the HTTP server is not even loaded.
  const { serveHttp } = await import("../server/http.ts");
  const server = serveHttp({ configuration: configuration.http, dispatcher, factory, packs, metrics, tokens });
  return { url: server.url, ended: new Promise(() => {}), stop: () => server.stop() };
}
