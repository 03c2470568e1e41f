// Puts an engine on the network: the HTTP routes and the WebSocket at /ws, on one port.

import type { Server, ServerWebSocket } from "bun";
import type { Logger } from "../../core/logger.ts";
import { type errorResponse, PATHS, SIMULATOR_PATHS } from "../../core/protocol/index.ts";
import type { z } from "zod";
import type { SqliteAuditStore } from "../audit/sqlite-audit-store.ts";
import type { EngineRequest, Execution, MarketEngine } from "../engine/execution.ts";
import { adminRoutes } from "./admin-routes.ts";
import { Connection } from "./connection.ts";
import { EngineHost, type EngineHostOptions, JournalFailure } from "./engine-host.ts";
import { DEFAULT_ENGINE_LIMITS, type EngineLimits } from "./engine-limits.ts";
import { type Address, listen, reachable } from "./listen.ts";
import { RouteGuard } from "./route-guard.ts";
import { UnknownMessages } from "./unknown-messages.ts";

export interface ServeEngineOptions
  extends Pick<EngineHostOptions, "journal" | "history" | "leftOrders" | "secretDigest"> {
  readonly engine: MarketEngine;
  /** Names this engine to its clients, over HTTP and WebSocket alike. */
  readonly engineId: string;
  readonly audit: SqliteAuditStore;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Null: no token is asked for. */
  readonly token: string | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Logger;
  /** Events kept for connections that resume; 100,000 where absent. */
  readonly historySize?: number;
  /** How long a connection may take to say hello; 10,000 where absent. */
  readonly helloTimeoutMs?: number;
  /** What clients may ask for at most; the defaults if absent. */
  readonly limits?: EngineLimits;
}

export interface ServedEngine {
  readonly url: string;
  readonly webSocketUrl: string;
  readonly port: number;
  /** Carries out a request of this process itself, in the name of a user, and tells every connection. */
  execute(request: EngineRequest): Execution;
  /** Serves the control face of a simulator beside its own routes, with the same checks. */
  mountSimulator(handlerFor: (guard: RouteGuard) => RouteHandler): void;
  /** Settles where the journal can't be written any more: every connection has been ended, and the port closed. */
  readonly failed: Promise<JournalFailure>;
  /** Ends every connection with `shutting_down`, answers what is under way, and closes the port. */
  stop(): Promise<void>;
}

/** Answers HTTP requests. */
export interface RouteHandler {
  fetch(request: Request): Response | Promise<Response>;
}

interface SocketData {
  connection: Connection | null;
}

const HELLO_TIMEOUT_MS = 10_000;
/** Above what an outbox lets lie in a socket's buffer, so that Bun itself drops nothing. */
const SOCKET_BUFFER_BYTES = 8 << 20;
/** A peer that answers no ping for that long is gone. */
const IDLE_TIMEOUT_SECONDS = 30;
const STOP_GRACE_MS = 2000;

/** Throws an Error of one line where the address can't be listened on. */
export function serveEngine(options: ServeEngineOptions): ServedEngine {
  const { engineId, token, log, limits = DEFAULT_ENGINE_LIMITS } = options;
  const unknown = new UnknownMessages(log);
  const failed = Promise.withResolvers<JournalFailure>();
  // A failure before it serves is thrown by the host's constructor.
  let fail: (failure: JournalFailure) => void = () => {};
  const host = new EngineHost({ ...options, onFailure: (failure) => fail(failure) });
  const guard = new RouteGuard({ token, user: (userId) => host.user(userId), log });
  const routes = adminRoutes({ host, engineId, unknown, guard });
  let simulator: RouteHandler | null = null;
  const connections = new Set<Connection>();
  let stopping = false;

  const open = (socket: ServerWebSocket<SocketData>) => {
    const connection = new Connection(socket, {
      host,
      engineId,
      token,
      unknown,
      log,
      helloTimeoutMs: options.helloTimeoutMs ?? HELLO_TIMEOUT_MS,
      limits,
    });
    socket.data.connection = connection;
    connections.add(connection);
    if (stopping) connection.refuse("shutting_down", "the engine is shutting down");
  };

  const close = (socket: ServerWebSocket<SocketData>) => {
    const { connection } = socket.data;
    if (connection === null) return;
    connections.delete(connection);
    connection.closed();
  };

  const receive = (socket: ServerWebSocket<SocketData>, frame: string | Uint8Array) => {
    try {
      socket.data.connection?.receive(frame);
    } catch (error) {
      // Has ended this connection as every other.
      if (!(error instanceof JournalFailure)) throw error;
    }
  };

  const endConnections = () => {
    stopping = true;
    for (const connection of [...connections]) connection.refuse("shutting_down", "the engine is shutting down");
  };

  const server = listenOrStop(options, host, () =>
    Bun.serve<SocketData>({
      hostname: options.host,
      port: options.port,
      maxRequestBodySize: limits.frameBytes,
      fetch: (request, server) => {
        const { pathname } = new URL(request.url);
        if (pathname === PATHS.webSocket) return upgrade(request, server);
        return (isSimulatorPath(pathname) ? simulator ?? routes : routes).fetch(request);
      },
      websocket: {
        open,
        message: receive,
        drain: (socket) => socket.data.connection?.drained(),
        close,
        maxPayloadLength: limits.frameBytes,
        backpressureLimit: SOCKET_BUFFER_BYTES,
        idleTimeout: IDLE_TIMEOUT_SECONDS,
      },
    }));
  const port = server.port;
  if (port === undefined) throw new Error("the server has no port");

  fail = (failure) => {
    endConnections();
    server.stop(true).then(() => failed.resolve(failure), (error) => failed.reject(error));
  };

  const stop = async () => {
    if (!stopping) host.flush();
    endConnections();
    host.stop();
    await Promise.race([server.stop(), Bun.sleep(STOP_GRACE_MS)]);
    await server.stop(true);
  };

  const address = reachable(options.host, port);
  return {
    url: `http://${address}`,
    webSocketUrl: `ws://${address}${PATHS.webSocket}`,
    port,
    execute: (request) => host.execute(request),
    mountSimulator: (handlerFor) => {
      simulator = handlerFor(guard);
    },
    failed: failed.promise,
    stop,
  };
}

function isSimulatorPath(pathname: string): boolean {
  return Object.values<string>(SIMULATOR_PATHS).includes(pathname);
}

function upgrade(request: Request, server: Server<SocketData>): Response | undefined {
  if (!fromHere(request)) return refused(403, "forbidden_origin", "pages of another origin may not connect");
  if (server.upgrade(request, { data: { connection: null } })) return undefined;
  return refused(426, "upgrade_required", `${PATHS.webSocket} speaks WebSocket only`);
}

/**
 * Browsers let any page open a WebSocket to any address and name the page's origin; without this check a page could
 * trade on a market that listens on loopback. Other clients send no Origin.
 */
function fromHere(request: Request): boolean {
  const origin = request.headers.get("Origin");
  if (origin === null) return true;
  const host = URL.parse(origin)?.hostname;
  return host === "localhost" || host === "127.0.0.1" || host === "[::1]";
}

function refused(status: number, code: string, message: string): Response {
  return Response.json({ error: { code, message } } satisfies z.input<typeof errorResponse>, { status });
}

/** An engine that can't be reached is stopped. */
function listenOrStop<Served>(address: Address, host: EngineHost, serve: () => Served): Served {
  try {
    return listen(address, serve);
  } catch (error) {
    host.stop();
    throw error;
  }
}
