// Puts an engine on the network: the HTTP routes and the WebSocket at /ws, on one port.

import type { ServerWebSocket } from "bun";
import { addressOf, listen, type Listening, type ListenOptions } from "../../common/http/listen.ts";
import { RateLimit } from "../../common/http/rate-limit.ts";
import type { ServerAccess } from "../../common/http/server-access.ts";
import { TokenStore } from "../../common/http/token-store.ts";
import type { Logger } from "../../common/logger.ts";
import { PATHS } from "../../protocol/index.ts";
import type { SqliteAuditStore } from "../audit/sqlite-audit-store.ts";
import type { EngineRequest, Execution, MarketEngine } from "../engine/api/market-engine.ts";
import { adminRoutes } from "./http/admin-routes.ts";
import { SendQueues } from "./connections/send-queues.ts";
import { Connection } from "./connections/connection.ts";
import { OpenConnections } from "./connections/open-connections.ts";
import { engineApp, type RouteHandler } from "./http/engine-app.ts";
import { TOKEN_SETTINGS } from "./http/engine-access.ts";
import { EngineHost, type EngineHostOptions } from "./host/engine-host.ts";
import { EngineFailure } from "./host/engine-failure.ts";
import { DEFAULT_ENGINE_LIMITS, type EngineLimits } from "./limits/engine-limits.ts";
import { RouteGuard } from "./http/route-guard.ts";
import { watchTokens } from "./connections/token-watch.ts";
import { UnknownMessages } from "./connections/unknown-messages.ts";
import { UserRates } from "./limits/user-rates.ts";

export interface ServeEngineOptions
  extends Pick<EngineHostOptions, "journal" | "history" | "leftOrders" | "secretDigest" | "timers">, ServerAccess {
  readonly engine: MarketEngine;
  /** Names this engine to its clients, over HTTP and WebSocket alike. */
  readonly engineId: string;
  readonly audit: SqliteAuditStore;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Logger;
  /** Events kept for connections that resume; 100,000 where absent. */
  readonly historySize?: number;
  /** How long a connection may take to say hello; 10,000 where absent. */
  readonly helloTimeoutMs?: number;
  /** What clients may ask for at most; the defaults if absent. */
  readonly limits?: EngineLimits;
  /** The clock of users' rates: milliseconds that grow; the runtime's if absent. */
  readonly rateClock?: () => number;
}

export interface ServedEngine {
  readonly url: string;
  readonly webSocketUrl: string;
  readonly port: number;
  /** A token for clients in this process, good for every user and known to nobody else; null if none is needed. */
  readonly ownToken: string | null;
  /** Carries out a request of this process itself, in the name of a user, and tells every connection. */
  execute(request: EngineRequest): Execution;
  /** Serves the control API of a simulator beside its own routes, with the same checks. */
  mountSimulator(handlerFor: (guard: RouteGuard) => RouteHandler): void;
  /** Settles if the engine can't go on: every connection has been ended, and the port closed. */
  readonly failed: Promise<EngineFailure>;
  /** Ends every connection with `shutting_down`, answers what is under way, and closes the port. */
  stop(): Promise<void>;
}

interface SocketData {
  connection: Connection | null;
}

const HELLO_TIMEOUT_MS = 10_000;
/** Above what an queue lets lie in a socket's buffer, so that Bun itself drops nothing. */
const SOCKET_BUFFER_BYTES = 8 << 20;
/** A peer that answers no ping for that long is gone. */
const IDLE_TIMEOUT_SECONDS = 30;
const STOP_GRACE_MS = 2000;
const OWN_TOKEN_NAME = "this-process";

/** Throws an Error of one line where the address can't be listened on. */
export function serveEngine(options: ServeEngineOptions): ServedEngine {
  const { engineId, log, limits = DEFAULT_ENGINE_LIMITS } = options;
  options.engine.setLimits(limits);
  const unknown = new UnknownMessages(log);
  const failed = Promise.withResolvers<EngineFailure>();
  // A failure before it serves is thrown by the host's constructor.
  let fail: (failure: EngineFailure) => void = () => {};
  const host = new EngineHost({ ...options, onFailure: (failure) => fail(failure) });
  const ownToken = crypto.randomUUID();
  const tokens = tokensOf(options, ownToken);
  const failures = new RateLimit(limits.unauthorizedPerSecond);
  const rates = new UserRates(limits, options.rateClock ?? (() => performance.now()));
  const guard = new RouteGuard({ tokens, failures, user: (userId) => host.user(userId), rates, limits, log });
  const routes = adminRoutes({ host, engineId, unknown, guard });
  let simulator: RouteHandler | null = null;
  const connections = new OpenConnections<Connection>(limits.connections);
  const sendQueues = new SendQueues(limits.totalSendQueueBytes);
  let stopping = false;

  const open = (socket: ServerWebSocket<SocketData>) => {
    const connection = new Connection(socket, {
      host,
      engineId,
      tokens,
      unknown,
      log,
      helloTimeoutMs: options.helloTimeoutMs ?? HELLO_TIMEOUT_MS,
      limits,
      rates,
      sendQueues,
    });
    socket.data.connection = connection;
    connections.add(connection, () => socket.terminate());
    if (stopping) connection.refuse("shutting_down", "the engine is shutting down");
  };

  const close = (connection: Connection) => {
    connections.delete(connection);
    connection.closed();
  };

  const endConnections = () => {
    stopping = true;
    for (const connection of connections.all) connection.refuse("shutting_down", "the engine is shutting down");
  };

  const app = engineApp({ host: options.host, access: options, routes, simulator: () => simulator, log });
  const { server, port, address } = listenOrStop(host, {
    host: options.host,
    port: options.port,
    log,
    fetch: (request, server) =>
      app.fetch(request, {
        address: addressOf(request, server),
        admitsAnother: () => connections.admitsAnother(),
        upgrade: () => server.upgrade(request, { data: { connection: null } }),
      }),
    websocket: {
      open,
      message: ({ data }, frame) => untilFailure(() => data.connection?.receive(frame)),
      drain: ({ data }) => untilFailure(() => data.connection?.drained()),
      close: ({ data: { connection } }) => untilFailure(() => connection && close(connection)),
      maxPayloadLength: limits.frameBytes,
      backpressureLimit: SOCKET_BUFFER_BYTES,
      idleTimeout: IDLE_TIMEOUT_SECONDS,
    },
  });

  const endWatch = watchTokens(tokens, connections);
  fail = (failure) => {
    endWatch();
    endConnections();
    server.stop(true).then(() => failed.resolve(failure), (error) => failed.reject(error));
  };

  const stop = async () => {
    endWatch();
    if (!stopping) host.flush();
    endConnections();
    host.stop();
    await Promise.race([server.stop(), Bun.sleep(STOP_GRACE_MS)]);
    await server.stop(true);
  };

  return {
    url: `http://${address}`,
    webSocketUrl: `ws://${address}${PATHS.webSocket}`,
    port,
    ownToken: tokens.isNeeded ? ownToken : null,
    execute: (request) => host.execute(request),
    mountSimulator: (handlerFor) => {
      simulator = handlerFor(guard);
    },
    failed: failed.promise,
    stop,
  };
}

/** A failure has ended every connection already. */
function untilFailure(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
  }
}

function tokensOf({ token, tokenFile: file = null, log }: ServeEngineOptions, ownToken: string): TokenStore {
  const own = { [OWN_TOKEN_NAME]: ownToken };
  return new TokenStore({ token, file, format: "names_and_users", own, variables: TOKEN_SETTINGS, log });
}

/** An engine that can't be reached is stopped. */
function listenOrStop(host: EngineHost, options: ListenOptions<SocketData>): Listening<SocketData> {
  try {
    return listen(options);
  } catch (error) {
    host.stop();
    throw error;
  }
}
