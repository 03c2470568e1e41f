// A simulator in a separate process from its engine: `mkt sim`. It reads the facts of the market from the engine's snapshot
// at the first request, and again at each start of a simulation. Until the first read succeeds, every route but
// /health answers 503.

import type { Hono } from "hono";
import type { Registry } from "prom-client";
import { errorMessage } from "../../common/error-message.ts";
import { EngineClock } from "../../protocol/client/engine-clock.ts";
import { FrameReader } from "../../protocol/client/frame-reader.ts";
import type { Connection } from "../../common/http/bearer-auth.ts";
import { httpApp } from "../../common/http/http-app.ts";
import { type Address, addressOf, listen } from "../../common/http/listen.ts";
import { UNAUTHORIZED_PER_SECOND } from "../../common/http/default-limits.ts";
import { RateLimit } from "../../common/http/rate-limit.ts";
import { hostAccess, type ServerAccess } from "../../common/http/server-access.ts";
import { TokenStore } from "../../common/http/token-store.ts";
import type { Tracer } from "../../common/telemetry/tracer.ts";
import type { Logger } from "../../common/logger.ts";
import { PATHS } from "../../protocol/index.ts";
import { tracedRequest } from "../../common/http/guards/request-span.ts";
import { ACCESS_SETTINGS, TOKEN_SETTINGS } from "../../common/http/guards/engine-access.ts";
import { DEFAULT_ENGINE_LIMITS } from "../../common/http/guards/engine-limits.ts";
import { Refusal } from "../../common/http/guards/route-refusal.ts";
import { type GuardedRoutes, RouteGuard } from "../../common/http/guards/route-guard.ts";
import { UserRates } from "../../common/http/guards/user-rates.ts";
import { metricsRoute } from "../../common/http/guards/metrics-route.ts";
import { controlRoutes } from "./control-routes.ts";
import { factsOf, type MarketFacts } from "./market-facts.ts";
import { readSnapshot } from "./market-snapshot.ts";
import { Simulator } from "./simulator.ts";
import { simulatorMetricsOnDemand } from "./simulator-metrics.ts";
import type { EngineAccess } from "./user-client.ts";

export interface StandaloneSimulatorOptions extends Address, ServerAccess {
  /** Address of the engine's WebSocket. */
  readonly backend: string;
  /** The user who reads the facts of the market. */
  readonly userId: string;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Null or absent: no traces are recorded. */
  readonly tracer?: Tracer | null;
}

interface StandaloneSimulator {
  readonly url: string;
  readonly simulator: Simulator;
  /** What GET /metrics shows. prom-client is loaded by the first call. */
  metrics(): Promise<Registry>;
  /** Stops the simulation, then closes the port. */
  stop(): Promise<void>;
}

const READ_PATIENCE_MS = 5_000;

/** The engine gets `token` as well. Throws an Error of one line if the address can't be listened on. */
export function startStandaloneSimulator(options: StandaloneSimulatorOptions): StandaloneSimulator {
  const { backend: url, userId, token, log, now, host, port, tracer = null } = options;
  const clock = new EngineClock(now);
  const engine = { url, token, reader: new FrameReader(log), now, clock, marketTime: clock.market, log };
  const market = new RemoteMarket(engine, userId);
  const simulator = new Simulator({ engine, facts: () => market.read(), isNewMarket: false });
  const app = httpApp<{ Bindings: Connection }>({
    ...hostAccess(options, host),
    hostExempt: [PATHS.health],
    settings: ACCESS_SETTINGS,
    log,
  });
  app.get(
    PATHS.health,
    (context) => context.json({ status: "ok", backend: url, simulation: simulator.status().status }),
  );
  const guard = guardOf(market, options);
  // Needs no market, so it comes before the control routes.
  const metrics = simulatorMetricsOnDemand(simulator);
  app.route("/", metricsRoute(guard, metrics));
  const routes = routesOf(simulator, market, guard);
  app.all("*", (context) => routes.fetch(context.req.raw, context.env));
  const { server, address } = listen({
    host,
    port,
    log,
    fetch: (request, server) =>
      tracedRequest(tracer, request, () => app.fetch(request, { address: addressOf(request, server) })),
  });
  return {
    url: `http://${address}`,
    simulator,
    metrics,
    stop: async () => {
      await simulator.close();
      await server.stop(true);
    },
  };
}

/** The control routes. They answer 503 until the facts of the market are known. */
function routesOf(simulator: Simulator, market: RemoteMarket, guard: RouteGuard): Hono<GuardedRoutes> {
  const routes = guard.routes();
  // The token is checked first, so a request without one does not cause a request to the engine.
  routes.use(guard.authenticate, async (_context, next) => {
    try {
      await market.ensureRead();
    } catch (error) {
      throw new Refusal(503, "engine_unavailable", errorMessage(error));
    }
    await next();
  });
  routes.route("/", controlRoutes(simulator, guard));
  return routes;
}

function guardOf(market: RemoteMarket, options: StandaloneSimulatorOptions): RouteGuard {
  const { token, tokenFile: file = null, log } = options;
  const tokens = new TokenStore({ token, file, format: "names_and_users", variables: TOKEN_SETTINGS, log });
  const failures = new RateLimit(UNAUTHORIZED_PER_SECOND);
  const limits = DEFAULT_ENGINE_LIMITS;
  const rates = new UserRates(limits, () => performance.now());
  return new RouteGuard({ tokens, failures, rates, limits, log, user: (id) => market.user(id) });
}

/** The facts of the market of an engine elsewhere, read from its snapshot. */
class RemoteMarket {
  #facts: MarketFacts | null = null;
  #reading: Promise<MarketFacts> | null = null;

  /** `userId`: the user who reads the snapshot. */
  constructor(private readonly engine: EngineAccess, private readonly userId: string) {}

  /** Reads the facts as they are now. Throws an Error of one line if that fails. */
  async read(): Promise<MarketFacts> {
    this.#facts = factsOf(await readSnapshot(this.engine, this.userId, READ_PATIENCE_MS));
    return this.#facts;
  }

  /** Reads the facts unless they have been read. Concurrent calls share one attempt. Throws what `read` throws. */
  async ensureRead(): Promise<void> {
    if (this.#facts !== null) return;
    await (this.#reading ??= this.read().finally(() => this.#reading = null));
  }

  /** Undefined if the user or the facts are unknown. */
  user(userId: string) {
    const user = this.#facts?.users.find(({ id }) => id === userId);
    return user === undefined ? undefined : { ...user, permissions: new Set(user.permissions) };
  }
}
