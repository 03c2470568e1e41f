// GET /metrics, in the text format of Prometheus. It needs a token, if the engine has any, but no user: a scrape acts for
// nobody.

import type { Hono } from "hono";
import type { Registry } from "prom-client";
import { PATHS } from "../../../protocol/index.ts";
import type { GuardedRoutes, RouteGuard } from "./route-guard.ts";

export function metricsRoute(guard: RouteGuard, metrics: () => Promise<Registry>): Hono<GuardedRoutes> {
  const app = guard.routes();
  app.get(PATHS.metrics, guard.authenticate, async (context) => {
    const registry = await metrics();
    return context.body(await registry.metrics(), 200, { "Content-Type": registry.contentType });
  });
  return app;
}
