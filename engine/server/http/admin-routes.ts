// The HTTP routes of the engine, but for its audit trail (audit-routes.ts). All but /health require a token and a user
// (route-guard.ts). Entities, users and the blocks of an order show each user what that user may see. The positions of an
// entity need a user of that entity or Scope.Global, and used credit in them Credit.View.

import type { Hono } from "hono";
import { z } from "zod";
import packageJson from "../../../package.json" with { type: "json" };
import { lengthText } from "../../../common/length-text.ts";
import type { Logger } from "../../../common/logger.ts";
import {
  type acceptClockResponse,
  type entitiesResponse,
  type EntityPositions,
  type healthResponse,
  type orderBlocksResponse,
  PATHS,
  type usersResponse,
} from "../../../protocol/index.ts";
import type { EngineUser } from "../../api/market-engine.ts";
import type { UnknownMessages } from "../connections/unknown-messages.ts";
import type { EngineHost } from "../host/engine-host.ts";
import { Refusal } from "../../../common/http/guards/route-refusal.ts";
import { parseBody } from "../../../common/http/guards/request-input.ts";
import type { GuardedRoutes, RouteGuard } from "../../../common/http/guards/route-guard.ts";

interface AdminRoutesOptions {
  readonly host: EngineHost;
  readonly engineId: string;
  readonly unknown: UnknownMessages;
  readonly guard: RouteGuard;
  readonly log: Logger;
}

const nothing = z.strictObject({});

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

  app.get(PATHS.entities, guard.requires(null), (context) => {
    const entities = host.readDirectory().entities(context.get("user"));
    return context.json({ entities } satisfies z.input<typeof entitiesResponse>);
  });

  app.get("/api/admin/entities/:entityId/positions", guard.requires(null), (context) => {
    const entityId = context.req.param("entityId");
    const user = context.get("user");
    checkEntityScope(user, entityId);
    const positions = host.positions(entityId);
    if (positions === undefined) throw new Refusal(404, "unknown_entity", `there is no entity "${entityId}"`);
    return context.json(user.permissions.has("Credit.View") ? positions : withoutCredit(positions));
  });

  app.get(PATHS.users, guard.requires(null), (context) => {
    const users = host.readDirectory().users(context.get("user"));
    return context.json({ users } satisfies z.input<typeof usersResponse>);
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
