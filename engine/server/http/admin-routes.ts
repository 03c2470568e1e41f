// The HTTP routes of the engine. All but /health require a token and a user (route-guard.ts). They require a permission too,
// except the blocks of an order, which show each user only what that user may see, and the positions of an entity, which
// need a user of that entity or Scope.Global. Used credit in positions needs Credit.View.

import type { Hono } from "hono";
import { z } from "zod";
import packageJson from "../../../package.json" with { type: "json" };
import { AuditFailure } from "../../../common/audit/audit-failure.ts";
import { lengthText } from "../../../common/length-text.ts";
import type { Logger } from "../../../common/logger.ts";
import {
  type acceptClockResponse,
  type AuditPage,
  auditRequest,
  type entitiesResponse,
  type EntityPositions,
  type healthResponse,
  type orderBlocksResponse,
  orderEventsRequest,
  PATHS,
  type usersResponse,
} from "../../../protocol/index.ts";
import type { EngineUser } from "../../api/market-engine.ts";
import type { UnknownMessages } from "../connections/unknown-messages.ts";
import type { EngineHost } from "../host/engine-host.ts";
import { Refusal } from "../../../common/http/guards/route-refusal.ts";
import { parseBody, parseQuery } from "../../../common/http/guards/request-input.ts";
import type { GuardedRoutes, RouteGuard } from "../../../common/http/guards/route-guard.ts";

interface AdminRoutesOptions {
  readonly host: EngineHost;
  readonly engineId: string;
  readonly unknown: UnknownMessages;
  readonly guard: RouteGuard;
  readonly log: Logger;
}

const nothing = z.strictObject({});
const auditQuery = z.strictObject(auditRequest.shape);
const orderEventsQuery = z.strictObject(orderEventsRequest.shape);

export function adminRoutes({ host, engineId, unknown, guard, log }: AdminRoutesOptions): Hono<GuardedRoutes> {
  const app = guard.routes();

  app.get(PATHS.health, (context) => {
    const facts = { connections: host.subscribers.count, unknownMessages: unknown.count, ...host.times };
    const { version } = packageJson;
    const clockJumpSeconds = host.clockJumpMs / 1000;
    const { code, message = "" } = host.refusal ?? {};
    const refusal = code && { code, message };
    const answer = {
      status: "ok" as const,
      engineId,
      ...(refusal && { refusal }),
      version,
      ...facts,
      clockJumpSeconds,
    };
    return context.json(answer satisfies z.input<typeof healthResponse>);
  });

  app.get(
    PATHS.entities,
    guard.requires("Market.View"),
    (context) => context.json({ entities: host.readDirectory().entities() } satisfies z.input<typeof entitiesResponse>),
  );

  app.get("/api/admin/entities/:entityId/positions", guard.requires(null), (context) => {
    const entityId = context.req.param("entityId");
    const user = context.get("user");
    checkEntityScope(user, entityId);
    const positions = host.positions(entityId);
    if (positions === undefined) throw new Refusal(404, "unknown_entity", `there is no entity "${entityId}"`);
    return context.json(user.permissions.has("Credit.View") ? positions : withoutCredit(positions));
  });

  app.get(
    PATHS.users,
    guard.requires("Market.View"),
    (context) => context.json({ users: host.readDirectory().users() } satisfies z.input<typeof usersResponse>),
  );

  app.get(PATHS.audit, guard.requires("Market.View"), async (context) => {
    const query = parseQuery(auditQuery, context);
    if (query.from > query.to) throw new Refusal(400, "invalid_query", `from: ${query.from} is after to, ${query.to}`);
    const user = context.get("user");
    return context.json(await answered(host.readAudit().query(query, user)));
  });

  app.get("/api/admin/orders/:orderId/events", guard.requires("Market.Operate"), async (context) => {
    const query = parseQuery(orderEventsQuery, context);
    return context.json(await answered(host.readAudit().orderEvents(context.req.param("orderId"), query)));
  });

  app.post(PATHS.acceptClock, guard.requires("Market.Operate"), async (context) => {
    await parseBody(nothing, context, guard.limits);
    const jumpMs = host.acceptClock();
    if (jumpMs === 0) {
      throw new Refusal(409, "no_clock_jump", "the engine follows its clock: there is nothing to accept");
    }
    const { id } = context.get("user");
    const side = jumpMs > 0 ? "ahead" : "behind";
    log.warn(`{userId} accepted the clock, which is {length} ${side}: engine time follows it, and trading goes on`, {
      userId: id,
      length: lengthText(jumpMs),
    });
    const { time, marketTime = time } = host.times;
    const answer = { clockJumpSeconds: jumpMs / 1000, time, marketTime };
    return context.json(answer satisfies z.input<typeof acceptClockResponse>);
  });

  app.get("/api/admin/orders/:orderId/blocks", guard.requires(null), (context) => {
    const orderId = context.req.param("orderId");
    const blocks = host.explainOrder(orderId, context.get("user"));
    if (blocks === null) {
      throw new Refusal(404, "unknown_order", `there is no order "${orderId}" that the user may see`);
    }
    return context.json(blocks satisfies z.input<typeof orderBlocksResponse>);
  });

  return app;
}

function checkEntityScope({ id, entityId, permissions }: EngineUser, asked: string): void {
  if (entityId === asked || permissions.has("Scope.Global")) return;
  const own = entityId === null ? "belongs to no entity" : `belongs to entity "${entityId}"`;
  throw new Refusal(403, "forbidden", `user "${id}" ${own}; positions of "${asked}" need the permission Scope.Global`);
}

function withoutCredit({ positions, totals, ...rest }: EntityPositions): EntityPositions {
  return {
    ...rest,
    positions: positions.map((position) => ({ ...position, creditUsed: null })),
    totals: { ...totals, creditUsed: null },
  };
}

/** Refuses a query that the audit trail can't search, for example one with another trail's cursor. */
async function answered(page: Promise<AuditPage>): Promise<AuditPage> {
  try {
    return await page;
  } catch (error) {
    if (error instanceof AuditFailure) throw new Refusal(400, "invalid_query", error.message);
    throw error;
  }
}
