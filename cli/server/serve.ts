// `mkt`: serves MCP over stdio or HTTP until a signal, or until the client closes stdin.

import { inOrder } from "../../common/in-order.ts";
import { logger } from "../../common/logger.ts";
import type { Runtime } from "../../core/runtime.ts";
import type { StartedClient } from "../../core/start/start-on-stdio.ts";
import { beginConnecting } from "../../core/backend/auto-connect.ts";
import { connectToOneEngine } from "../../core/backend/same-engine.ts";
import { untilSignal } from "../../common/command-line.ts";
import { watchStalls } from "../../common/stall-watch.ts";

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
  for (const warning of runtime.warnings) log.warn("{warning}", { warning });
  const freeze = runtime.services.frozen();
  if (freeze !== null) log.warn("frozen: {reason}", { reason: freeze.reason ?? "no reason was given" });
  const stopped = started?.stopped ?? untilSignal();
  const connecting = new AbortController();
  const { services, configuration: { backend: { userId, autoConnect } } } = runtime;
  if (services.replicas !== null) {
    await services.replicas.start(autoConnect ? userId : null);
  } else if (autoConnect) {
    const connect = (signal: AbortSignal) => connectToOneEngine(services, userId, signal);
    await beginConnecting({ pubsub: services.pubsub, connect, signal: connecting.signal, log });
  }
  const transport = await openTransport(runtime, started);
  log.info("serving {count} tools over {transport}", {
    count: runtime.services.server.tools.size,
    transport: transport.url ?? "stdio",
  });
  // A process for one client need not wake up every second.
  if (transport.url !== null) watchStalls({ log });
  onReady?.(transport.url);
  await Promise.race([stopped, transport.ended]);
  runtime.dispatcher.refuseChanges();
  log.info("shutting down: changes are refused from now on");
  connecting.abort();
  await inOrder(
    () => runtime.dispatcher.drain(DRAIN_MS),
    () => transport.stop(),
    () => runtime.close(),
  );
}

interface Transport {
  readonly url: string | null;
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

async function openTransport(runtime: Runtime, started: StartedClient | undefined): Promise<Transport> {
  const { configuration: { http }, dispatcher, offers, metrics, tokens } = runtime;
  const { mcpServerFactory } = await import("../../core/server/sdk/mcp-server.ts");
  const factory = mcpServerFactory(dispatcher, offers);
  if (http === null || metrics === null) {
    const { serveStdio } = await import("../../core/server/stdio/serve-stdio.ts");
    return { url: null, ...serveStdio(factory, offers, logger("stdio"), { started }) };
  }
  // Loaded only now: stdio needs no HTTP server.
  const { serveHttp } = await import("../../core/server/http.ts");
  const server = serveHttp({ configuration: http, dispatcher, factory, offers, metrics, tokens });
  return { url: server.url, ended: new Promise(() => {}), stop: () => server.stop() };
}
