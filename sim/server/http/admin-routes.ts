// The HTTP routes of the engine. Each one but /health is guarded (route-guard.ts).

import type { Hono } from "hono";
import { z } from "zod";
import {
  type AuditPage,
  auditRequest,
  type entitiesResponse,
  type healthResponse,
  orderEventsRequest,
  PATHS,
  type usersResponse,
} from "../../../protocol/index.ts";
import { mayReadAudit } from "../../../common/audit/audit-visibility.ts";
import type { EngineHost } from "../host/engine-host.ts";
import { parseQuery, Refusal, type RouteGuard } from "./route-guard.ts";
import type { UnknownMessages } from "../connections/unknown-messages.ts";

export interface AdminRoutesOptions {
  readonly host: EngineHost;
  readonly engineId: string;
  readonly unknown: UnknownMessages;
  readonly guard: RouteGuard;
}

const auditQuery = z.strictObject(auditRequest.shape);
const orderEventsQuery = z.strictObject(orderEventsRequest.shape);

export function adminRoutes({ host, engineId, unknown, guard }: AdminRoutesOptions): Hono {
  const app = guard.routes();

  app.get(PATHS.health, (context) => {
    const facts = { connections: host.subscribers.count, unknownMessages: unknown.count };
    return context.json({ status: "ok", engineId, ...facts } satisfies z.input<typeof healthResponse>);
  });

  app.get(PATHS.entities, (context) => {
    guard.acting(context, "Market.View");
    return context.json({ entities: host.directory.entities() } satisfies z.input<typeof entitiesResponse>);
  });

  app.get(PATHS.users, (context) => {
    guard.acting(context, "Market.View");
    return context.json({ users: host.directory.users() } satisfies z.input<typeof usersResponse>);
  });

  app.get(PATHS.audit, async (context) => {
    const user = guard.acting(context, "Market.View");
    const query = parseQuery(auditQuery, context);
    if (query.from > query.to) throw new Refusal(400, "invalid_query", `from: ${query.from} is after to, ${query.to}`);
    const page = await host.audit.query(query, (event) => mayReadAudit(user, event));
    return context.json(page satisfies AuditPage);
  });

  app.get("/api/admin/orders/:orderId/events", async (context) => {
    guard.acting(context, "Market.Operate");
    const query = parseQuery(orderEventsQuery, context);
    const page = await host.audit.orderEvents(context.req.param("orderId"), query);
    return context.json(page satisfies AuditPage);
  });

  return app;
}
