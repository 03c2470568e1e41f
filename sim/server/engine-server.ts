// Serves an engine on one port: the HTTP routes (http/), and the WebSocket at /ws (connections/).

import { addressOf, listen, type Listening, type ListenOptions } from "../../common/http/listen.ts";
import { RateLimit } from "../../common/http/rate-limit.ts";
import type { ServerAccess } from "../../common/http/server-access.ts";
import { TokenStore } from "../../common/http/token-store.ts";
import { type ClockSetting, PATHS } from "../../protocol/index.ts";
import type { EngineRequest, Execution } from "../engine/api/market-engine.ts";
import { AdvanceResponses, type Settled } from "./connections/advance-responses.ts";
import { watchTokens } from "./connections/token-watch.ts";
import { UnknownMessages } from "./connections/unknown-messages.ts";
import { type SocketData, WebSockets } from "./connections/web-sockets.ts";
import type { EngineFailure } from "./host/engine-failure.ts";
import { EngineHost, type EngineHostOptions } from "./host/engine-host.ts";
import { adminRoutes } from "./http/admin-routes.ts";
import { TOKEN_SETTINGS } from "./http/engine-access.ts";
import { engineApp, type RouteHandler } from "./http/engine-app.ts";
import { RouteGuard } from "./http/route-guard.ts";
import { DEFAULT_ENGINE_LIMITS, type EngineLimits } from "./limits/engine-limits.ts";
import { UserRates } from "./limits/user-rates.ts";

export interface ServeEngineOptions extends Omit<EngineHostOptions, "onFailure" | "defer">, ServerAccess {
  /** Names this engine to its clients, over HTTP and WebSocket. */
  readonly engineId: string;
  /** Address to listen on. */
  readonly hostname: string;
  /** 0: any free port. */
  readonly port: number;
  /** How long a connection may take to send its hello; default 10,000. */
  readonly helloTimeoutMs?: number;
  /** Limits on what clients ask for; default DEFAULT_ENGINE_LIMITS. */
  readonly limits?: EngineLimits;
  /** Clock of the users' rates: milliseconds that only grow; default: the runtime's. */
  readonly rateClock?: () => number;
}

export interface ServedEngine {
  readonly url: string;
  readonly webSocketUrl: string;
  readonly port: number;
  /** A token for clients in this process, which may act as every user. Null: no token is needed. */
  readonly ownToken: string | null;
  /** Market time, in milliseconds since the epoch. */
  readonly marketTime: () => number;
  /** How market time follows real time. */
  readonly clock: () => ClockSetting;
  /** Executes a request of this process in the name of a user. */
  execute(request: EngineRequest): Execution;
  /** Adds a simulator's control API, with the same checks. */
  mountSimulator(handlerFor: (guard: RouteGuard) => RouteHandler): void;
  /** Confirms no clock.advance before `settled`, which must not reject. */
  holdAdvances(settled: Settled): void;
  /** Resolves if the engine stops for good. Every connection is then ended and the port closed. */
  readonly failed: Promise<EngineFailure>;
  /** Ends every connection with `shutting_down`, answers the requests under way, and closes the port. */
  stop(): Promise<void>;
}

const HELLO_TIMEOUT_MS = 10_000;
const STOP_GRACE_MS = 2000;
const OWN_TOKEN_NAME = "this-process";

/** Throws an Error of one line if the address can't be listened on. */
export function serveEngine(options: ServeEngineOptions): ServedEngine {
  options.engine.setLimits(options.limits ?? DEFAULT_ENGINE_LIMITS);
  const failed = Promise.withResolvers<EngineFailure>();
  // If the engine fails before it is served, the constructor of EngineHost throws the failure.
  let onFailure: (failure: EngineFailure) => void = () => {};
  const host = new EngineHost({ ...options, onFailure: (failure) => onFailure(failure) });
  const ownToken = crypto.randomUUID();
  const tokens = tokensOf(options, ownToken);
  const { fetch, webSockets, mountSimulator, holdAdvances } = endpointsOf(options, host, tokens);
  const { server, port, address } = listenOrStop(host, {
    host: options.hostname,
    port: options.port,
    log: options.log,
    fetch,
    websocket: webSockets.handler,
  });
  const endTokenWatch = watchTokens(tokens, webSockets);
  onFailure = (failure) => {
    endTokenWatch();
    webSockets.shutDown();
    server.stop(true).then(() => failed.resolve(failure), (error) => failed.reject(error));
  };
  return {
    url: `http://${address}`,
    webSocketUrl: `ws://${address}${PATHS.webSocket}`,
    port,
    ownToken: tokens.isRequired ? ownToken : null,
    marketTime: () => host.marketTime(),
    clock: () => host.engine.clock,
    execute: (request) => host.execute(request),
    mountSimulator,
    holdAdvances,
    failed: failed.promise,
    stop: async () => {
      endTokenWatch();
      if (!webSockets.isShuttingDown) host.flush();
      webSockets.shutDown();
      await host.stop();
      await Promise.race([server.stop(), Bun.sleep(STOP_GRACE_MS)]);
      await server.stop(true);
    },
  };
}

/** The handlers of HTTP requests and WebSockets. */
function endpointsOf(options: ServeEngineOptions, host: EngineHost, tokens: TokenStore) {
  const { engineId, log, limits = DEFAULT_ENGINE_LIMITS, helloTimeoutMs = HELLO_TIMEOUT_MS } = options;
  const unknown = new UnknownMessages(log);
  const rates = new UserRates(limits, options.rateClock ?? (() => performance.now()));
  const timers = options.timers && { timers: options.timers };
  const advances = new AdvanceResponses();
  const shared = { host, engineId, tokens, unknown, log, helloTimeoutMs, limits, rates, advances };
  const webSockets = new WebSockets({ ...shared, ...timers });
  const failures = new RateLimit(limits.unauthorizedPerSecond);
  const guard = new RouteGuard({ tokens, failures, user: (userId) => host.engine.user(userId), rates, limits, log });
  const routes = adminRoutes({ host, engineId, unknown, guard });
  let simulator: RouteHandler | null = null;
  const app = engineApp({ hostname: options.hostname, access: options, routes, simulator: () => simulator, log });
  const fetch: ListenOptions<SocketData>["fetch"] = (request, server) =>
    app.fetch(request, {
      address: addressOf(request, server),
      admitsAnother: () => webSockets.admitsAnother(),
      upgrade: () => server.upgrade(request, { data: { connection: null } }),
    });
  const mountSimulator: ServedEngine["mountSimulator"] = (handlerFor) => void (simulator = handlerFor(guard));
  return { fetch, webSockets, mountSimulator, holdAdvances: (settled: Settled) => advances.hold(settled) };
}

function tokensOf({ token, tokenFile: file = null, log }: ServeEngineOptions, ownToken: string): TokenStore {
  const own = { [OWN_TOKEN_NAME]: ownToken };
  return new TokenStore({ token, file, format: "names_and_users", own, variables: TOKEN_SETTINGS, log });
}

/** Stops the engine if the address can't be listened on. */
function listenOrStop(host: EngineHost, options: ListenOptions<SocketData>): Listening<SocketData> {
  try {
    return listen(options);
  } catch (error) {
    host.stop();
    throw error;
  }
}
