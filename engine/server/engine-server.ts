// Serves an engine on one port: the HTTP routes (http/), and the WebSocket at /ws (connections/).

import type { Registry } from "prom-client";
import { AuditSearches } from "../../common/audit/audit-searches.ts";
import { addressOf, listen, type Listening, type ListenOptions, PortTaken } from "../../common/http/listen.ts";
import { RateLimit } from "../../common/http/rate-limit.ts";
import type { ServerAccess } from "../../common/http/server-access.ts";
import { TokenStore } from "../../common/http/token-store.ts";
import type { Tracer } from "../../common/telemetry/tracer.ts";
import { inOrder } from "../../common/in-order.ts";
import { SYSTEM_TIMERS } from "../../common/timers.ts";
import { PATHS } from "../../protocol/index.ts";
import type { EngineRequest, Execution } from "../api/market-engine.ts";
import type { MountedSimulator, RouteHandler, SimulatorHost } from "../embedded/simulator-host.ts";
import { Backups } from "./backups/backups.ts";
import type { BackupSource } from "./backups/running-backup.ts";
import { AdvanceResponses, type Settled } from "./connections/advance-responses.ts";
import { watchTokens } from "./connections/token-watch.ts";
import { UnknownMessages } from "./connections/unknown-messages.ts";
import { type SocketData, WebSockets } from "./connections/web-sockets.ts";
import type { EngineFailure } from "./host/engine-failure.ts";
import { EngineHost } from "./host/engine-host.ts";
import type { EngineHostOptions } from "./host/engine-host-options.ts";
import { adminRoutes } from "./http/admin-routes.ts";
import { auditRoutes } from "../routes/audit-routes.ts";
import { stateRoutes } from "../routes/state-routes.ts";
import { backupRoute } from "./http/backup-route.ts";
import { metricsRoute } from "../../common/http/guards/metrics-route.ts";
import { TOKEN_SETTINGS } from "../../common/http/guards/engine-access.ts";
import { tracedRequest } from "../../common/http/guards/request-span.ts";
import { engineApp } from "./http/engine-app.ts";
import { RouteGuard } from "../../common/http/guards/route-guard.ts";
import { DEFAULT_ENGINE_LIMITS, type EngineLimits } from "../../common/http/guards/engine-limits.ts";
import { UserRates } from "../../common/http/guards/user-rates.ts";
import { EngineCounters } from "./metrics/engine-counters.ts";
import type { StorageReader } from "./metrics/storage-figures.ts";

export interface ServeEngineOptions extends Omit<EngineHostOptions, "counters" | "onFailure" | "defer">, ServerAccess {
  /** Names this engine to its clients, over HTTP and WebSocket. */
  readonly engineId: string;
  /** Address to listen on. */
  readonly hostname: string;
  /** 0: any free port. */
  readonly port: number;
  /** Whether any other free port will do if this one is taken. */
  readonly orAnyPort?: boolean;
  /** How long a connection may take to send its hello; default 10,000. */
  readonly helloTimeoutMs?: number;
  /** Where backups come from; null or absent: the engine keeps its market in memory only. */
  readonly backupSource?: BackupSource | null;
  /** Limits on what clients ask for; default DEFAULT_ENGINE_LIMITS. */
  readonly limits?: EngineLimits;
  /** What the data directory takes; null or absent: there is none. */
  readonly storage?: StorageReader | null;
  /** Clock of the users' rates: milliseconds that only grow; default: the runtime's. */
  readonly rateClock?: () => number;
  /** Null or absent: no traces are recorded. */
  readonly tracer?: Tracer | null;
}

export interface ServedEngine extends Omit<SimulatorHost, "definition" | "isNew"> {
  readonly url: string;
  readonly port: number;
  /** Executes a request of this process in the name of a user. */
  execute(request: EngineRequest): Execution;
  /** What GET /metrics shows. prom-client is loaded by the first call. */
  metrics(): Promise<Registry>;
  /** Resolves if the engine stops for good. Every connection is then ended and the port closed. */
  readonly failed: Promise<EngineFailure>;
  /** Ends every connection with `shutting_down`, answers the requests under way, and closes the port. */
  stop(): Promise<void>;
}

const HELLO_TIMEOUT_MS = 10_000;
const STOP_GRACE_MS = 2000;
const OWN_TOKEN_NAME = "this-process";
/** A search takes at most a second (audit-thread.ts), so none of one user waits longer than an HTTP client does. */
const AUDIT_SEARCHES = { atOnce: 4, ofUser: 24 };

/** Throws an Error of one line if the address can't be listened on. The caller then closes journal and audit trail. */
export function serveEngine(options: ServeEngineOptions): ServedEngine {
  options.engine.setLimits(options.limits ?? DEFAULT_ENGINE_LIMITS);
  const failed = Promise.withResolvers<EngineFailure>();
  // If the engine fails before it is served, the constructor of EngineHost throws the failure.
  let onFailure: (failure: EngineFailure) => void = () => {};
  const counters = new EngineCounters();
  const host = new EngineHost({ ...options, counters, onFailure: (failure) => onFailure(failure) });
  const ownToken = crypto.randomUUID();
  const tokens = tokensOf(options, ownToken);
  const endpoints = endpointsOf(options, host, tokens, counters);
  const { fetch, webSockets, metrics, mountSimulator, holdAdvances, backups } = endpoints;
  const { hostname, port: wanted, orAnyPort = false, log } = options;
  const listening = { host: hostname, port: wanted, log, fetch, websocket: webSockets.handler };
  const { server, port, address } = listenOrAbandon(host, listening, orAnyPort);
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
    metrics,
    failed: failed.promise,
    stop: () =>
      inOrder(
        () => endTokenWatch(),
        () => webSockets.isShuttingDown || host.flush(),
        () => webSockets.shutDown(),
        () => backups.stop(),
        () => host.stop(),
        () => Promise.race([server.stop(), Bun.sleep(STOP_GRACE_MS)]),
        () => server.stop(true),
      ),
  };
}

/** The handlers of HTTP requests and WebSockets. */
function endpointsOf(options: ServeEngineOptions, host: EngineHost, tokens: TokenStore, counters: EngineCounters) {
  const { engineId, log, limits = DEFAULT_ENGINE_LIMITS, helloTimeoutMs = HELLO_TIMEOUT_MS, tracer = null } = options;
  let simulator: { readonly routes: RouteHandler; readonly addMetrics: MountedSimulator["addMetrics"] } | null = null;
  const unknown = new UnknownMessages(log);
  const rates = new UserRates(limits, options.rateClock ?? (() => performance.now()));
  const { journal = null, storage = null, timers = SYSTEM_TIMERS } = options;
  const advances = new AdvanceResponses({ timers, queuedCharacters: () => webSockets.queuedCharacters });
  const shared = { host, engineId, tokens, unknown, log, helloTimeoutMs, limits, rates, advances, counters, tracer };
  const webSockets = new WebSockets({ ...shared, timers });
  const failures = new RateLimit(limits.unauthorizedPerSecond);
  const guard = new RouteGuard({ tokens, failures, user: (userId) => host.engine.user(userId), rates, limits, log });
  const measured = { counters, host, sockets: webSockets, unknown, journal, storage };
  let registry: Promise<Registry> | null = null;
  const makeRegistry = async () => {
    const { engineRegistry } = await import("./metrics/engine-metrics.ts");
    return engineRegistry({ ...measured, addOthers: (metrics) => simulator?.addMetrics(metrics) });
  };
  const metrics = () => registry ??= makeRegistry();
  const routes = adminRoutes({ host, engineId, unknown, guard, log });
  routes.route("/", stateRoutes({ engine: host, guard }));
  routes.route("/", auditRoutes({ engine: host, guard, searches: new AuditSearches(AUDIT_SEARCHES) }));
  routes.route("/", metricsRoute(guard, metrics));
  const backups = new Backups({ host, source: options.backupSource ?? null, engineId, log, counters, timers });
  routes.route("/", backupRoute(guard, backups));
  const simulatorRoutes = () => simulator?.routes ?? null;
  const app = engineApp({ hostname: options.hostname, access: options, routes, simulator: simulatorRoutes, log });
  const fetch: ListenOptions<SocketData>["fetch"] = async (request, server) => {
    let isUpgraded = false;
    const response = await tracedRequest(tracer, request, () =>
      app.fetch(request, {
        address: addressOf(request, server),
        admitsAnother: () => webSockets.admitsAnother(),
        setIdleTimeout: (seconds) => server.timeout(request, seconds),
        upgrade: () => isUpgraded = server.upgrade(request, { data: { connection: null } }),
      }));
    counters.httpRequests.add(isUpgraded ? 101 : response.status);
    return response;
  };
  const mountSimulator: ServedEngine["mountSimulator"] = ({ routes, addMetrics }) =>
    void (simulator = { routes: routes(guard), addMetrics });
  const holdAdvances = (settled: Settled) => advances.hold(settled);
  return { fetch, webSockets, metrics, mountSimulator, holdAdvances, backups };
}

function tokensOf({ token, tokenFile: file = null, log }: ServeEngineOptions, ownToken: string): TokenStore {
  const own = { [OWN_TOKEN_NAME]: ownToken };
  return new TokenStore({ token, file, format: "names_and_users", own, variables: TOKEN_SETTINGS, log });
}

function listenOrAbandon(
  host: EngineHost,
  options: ListenOptions<SocketData>,
  orAnyPort: boolean,
): Listening<SocketData> {
  try {
    return listen(options);
  } catch (error) {
    if (orAnyPort && error instanceof PortTaken) return listenOrAbandon(host, { ...options, port: 0 }, false);
    host.abandon();
    throw error;
  }
}
