// A simulator on a port of its own, for an engine elsewhere: `mkt sim`. What it needs of the market it reads from the
// engine's snapshot when it is first asked for anything, and again at each start; before that succeeds, every route but
// /health answers 503.

import { FrameReader } from "../../protocol/client/frame-reader.ts";
import type { Connection } from "../../common/http/bearer-auth.ts";
import { httpApp } from "../../common/http/http-app.ts";
import { type Address, addressOf, listen } from "../../common/http/listen.ts";
import { RateLimit, UNAUTHORIZED_PER_SECOND } from "../../common/http/rate-limit.ts";
import { hostAccess, type ServerAccess } from "../../common/http/server-access.ts";
import { TokenStore } from "../../common/http/token-store.ts";
import type { Logger } from "../../common/logger.ts";
import { PATHS } from "../../protocol/index.ts";
import { ACCESS_SETTINGS, TOKEN_SETTINGS } from "../server/http/engine-access.ts";
import { DEFAULT_ENGINE_LIMITS } from "../server/limits/engine-limits.ts";
import { Refusal } from "../server/http/refusal.ts";
import { RouteGuard } from "../server/http/route-guard.ts";
import { UserRates } from "../server/limits/user-rates.ts";
import { controlRoutes } from "./control-routes.ts";
import { factsOf, type MarketFacts } from "./market-facts.ts";
import { readSnapshot } from "./market-snapshot.ts";
import { Simulator } from "./simulator.ts";

export interface StandaloneSimulatorOptions extends Address, ServerAccess {
  /** WebSocket of the engine. */
  readonly backend: string;
  /** The user as whom it looks at the market before anything runs. */
  readonly userId: string;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface StandaloneSimulator {
  readonly url: string;
  readonly simulator: Simulator;
  /** Stops the simulation, then closes the port. */
  stop(): Promise<void>;
}

const LOOK_PATIENCE_MS = 5_000;

/** `token` goes to the engine too. Throws an Error of one line if the address can't be listened on. */
export function startStandaloneSimulator(options: StandaloneSimulatorOptions): StandaloneSimulator {
  const { backend: url, userId, token, log, now } = options;
  const engine = { url, token, reader: new FrameReader(log), now, log };
  let known: MarketFacts | null = null;
  const facts = async () => known = factsOf(await readSnapshot(engine, userId, LOOK_PATIENCE_MS));
  const simulator = new Simulator({ engine, facts });
  const { tokenFile: file = null } = options;
  const tokens = new TokenStore({ token, file, format: "names_and_users", variables: TOKEN_SETTINGS, log });
  const failures = new RateLimit(UNAUTHORIZED_PER_SECOND);
  const limits = DEFAULT_ENGINE_LIMITS;
  const rates = new UserRates(limits, () => performance.now());
  const guard = new RouteGuard({ tokens, failures, rates, limits, log, user: (id) => userIn(known, id) });

  const app = httpApp<{ Bindings: Connection }>({
    ...hostAccess(options, options.host),
    hostExempt: [PATHS.health],
    settings: ACCESS_SETTINGS,
    log,
  });
  app.get(
    PATHS.health,
    (context) => context.json({ status: "ok", backend: url, simulation: simulator.status().status }),
  );
  const routes = guard.routes();
  let looking: Promise<unknown> | null = null;
  // The token comes first: a stranger's requests must not become requests to the engine.
  routes.use(guard.authenticate, async (_context, next) => {
    if (known === null) await (looking ??= looked().finally(() => looking = null));
    await next();
  });
  const looked = async () => {
    try {
      await facts();
    } catch (error) {
      throw new Refusal(503, "engine_unavailable", error instanceof Error ? error.message : String(error));
    }
  };
  routes.route("/", controlRoutes(simulator, guard));
  app.all("*", (context) => routes.fetch(context.req.raw, context.env));

  const { host, port } = options;
  const { server, address } = listen({
    host,
    port,
    log,
    fetch: (request, server) => app.fetch(request, { address: addressOf(request, server) }),
  });
  return {
    url: `http://${address}`,
    simulator,
    stop: async () => {
      await simulator.close();
      await server.stop(true);
    },
  };
}

function userIn(facts: MarketFacts | null, userId: string) {
  const user = facts?.users.find(({ id }) => id === userId);
  return user === undefined ? undefined : { ...user, permissions: new Set(user.permissions) };
}
