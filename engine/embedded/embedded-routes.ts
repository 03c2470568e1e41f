// The HTTP routes that read the market of an embedded engine, without a server: a request goes in, and the answer comes out.
// Their checks are those of an engine's server. Users' rates count market time, so while that stands still they are not made
// up for.

import { AuditSearches } from "../../common/audit/audit-searches.ts";
import { TOKEN_SETTINGS } from "../../common/http/guards/engine-access.ts";
import { DEFAULT_ENGINE_LIMITS as limits } from "../../common/http/guards/engine-limits.ts";
import { RouteGuard } from "../../common/http/guards/route-guard.ts";
import { UserRates } from "../../common/http/guards/user-rates.ts";
import { RateLimit } from "../../common/http/rate-limit.ts";
import { TokenStore } from "../../common/http/token-store.ts";
import type { Logger } from "../../common/logger.ts";
import { auditRoutes } from "../routes/audit-routes.ts";
import { stateRoutes } from "../routes/state-routes.ts";
import type { EmbeddedEngine } from "./embedded-engine.ts";
import type { RouteHandler } from "./simulator-host.ts";

/** One search at a time, since calls come one at a time. */
const SEARCHES = { atOnce: 1, ofUser: 1 };

/** Answers the requests of a caller whom it trusts to name the acting user. */
export function embeddedRoutes(engine: EmbeddedEngine, log: Logger): RouteHandler {
  const tokens = new TokenStore({ token: null, file: null, variables: TOKEN_SETTINGS, log });
  const guard = new RouteGuard({
    tokens,
    failures: new RateLimit(limits.unauthorizedPerSecond),
    user: (userId) => engine.engine.user(userId),
    rates: new UserRates(limits, () => engine.now),
    limits,
    log,
  });
  const readable = {
    readDirectory: () => engine.directory,
    readAudit: () => engine.audit,
    positions: engine.positions.bind(engine),
    explainOrder: engine.explainOrder.bind(engine),
  };
  const routes = stateRoutes({ engine: readable, guard });
  routes.route("/", auditRoutes({ engine: readable, guard, searches: new AuditSearches(SEARCHES) }));
  return routes;
}
