// The routes that read the audit trail. A user with too many searches gets 503. A client that disconnects ends its search.

import type { Context, Hono } from "hono";
import { z } from "zod";
import { AuditFailure } from "../../common/audit/audit-failure.ts";
import { type AuditSearches, RETRY_SECONDS } from "../../common/audit/audit-searches.ts";
import { parseQuery } from "../../common/http/guards/request-input.ts";
import type { GuardedRoutes, RouteGuard } from "../../common/http/guards/route-guard.ts";
import { Refusal } from "../../common/http/guards/route-refusal.ts";
import { type AuditPage, auditRequest, orderEventsRequest, PATHS } from "../../protocol/index.ts";
import type { ReadableEngine } from "./readable-engine.ts";

interface AuditRoutesOptions {
  readonly engine: Pick<ReadableEngine, "readAudit">;
  readonly guard: RouteGuard;
  readonly searches: AuditSearches;
}

const auditQuery = z.strictObject(auditRequest.shape);
const orderEventsQuery = z.strictObject(orderEventsRequest.shape);

export function auditRoutes({ engine, guard, searches }: AuditRoutesOptions): Hono<GuardedRoutes> {
  const app = guard.routes();

  app.get(PATHS.audit, guard.requires("Market.View"), (context) => {
    const query = parseQuery(auditQuery, context);
    if (query.from > query.to) throw new Refusal(400, "invalid_query", `from: ${query.from} is after to, ${query.to}`);
    const user = context.get("user");
    return answered(searches, context, (signal) => engine.readAudit().query(query, user, signal));
  });

  app.get("/api/admin/orders/:orderId/events", guard.requires("Market.Operate"), (context) => {
    const query = parseQuery(orderEventsQuery, context);
    const orderId = context.req.param("orderId");
    return answered(searches, context, (signal) => engine.readAudit().orderEvents(orderId, query, signal));
  });

  return app;
}

/** The page of a search, once it is its turn. Refuses what the trail can't search, for example another trail's cursor. */
async function answered(
  searches: AuditSearches,
  context: Context<GuardedRoutes>,
  search: (signal: AbortSignal) => Promise<AuditPage>,
): Promise<Response> {
  const { signal } = context.req.raw;
  try {
    return context.json(await searches.run(context.get("user").id, signal, () => search(signal)));
  } catch (error) {
    // The client is gone and does not read this.
    if (signal.aborted) return new Response(null, { status: 499 });
    if (!(error instanceof AuditFailure)) throw error;
    if (error.code !== "rate_limited") throw new Refusal(400, "invalid_query", error.message);
    throw new Refusal(503, "too_many_searches", error.message, { "Retry-After": String(RETRY_SECONDS) });
  }
}
