// The HTTP routes that read the state of a market. Entities, users and the blocks of an order show each user what that user may
// see. The positions of an entity need a user of that entity or Scope.Global, and used credit in them Credit.View.

import type { Hono } from "hono";
import type { z } from "zod";
import type { GuardedRoutes, RouteGuard } from "../../common/http/guards/route-guard.ts";
import { Refusal } from "../../common/http/guards/route-refusal.ts";
import {
  type entitiesResponse,
  type EntityPositions,
  type orderBlocksResponse,
  PATHS,
  type usersResponse,
} from "../../protocol/index.ts";
import type { EngineUser } from "../api/market-engine.ts";
import type { ReadableEngine } from "./readable-engine.ts";

interface StateRoutesOptions {
  readonly engine: Omit<ReadableEngine, "readAudit">;
  readonly guard: RouteGuard;
}

export function stateRoutes({ engine, guard }: StateRoutesOptions): Hono<GuardedRoutes> {
  const app = guard.routes();

  app.get(PATHS.entities, guard.requires(null), (context) => {
    const entities = engine.readDirectory().entities(context.get("user"));
    return context.json({ entities } satisfies z.input<typeof entitiesResponse>);
  });

  app.get("/api/admin/entities/:entityId/positions", guard.requires(null), (context) => {
    const entityId = context.req.param("entityId");
    const user = context.get("user");
    checkEntityScope(user, entityId);
    const positions = engine.positions(entityId);
    if (positions === undefined) throw new Refusal(404, "unknown_entity", `there is no entity "${entityId}"`);
    return context.json(user.permissions.has("Credit.View") ? positions : withoutCredit(positions));
  });

  app.get(PATHS.users, guard.requires(null), (context) => {
    const users = engine.readDirectory().users(context.get("user"));
    return context.json({ users } satisfies z.input<typeof usersResponse>);
  });

  app.get("/api/admin/orders/:orderId/blocks", guard.requires(null), (context) => {
    const orderId = context.req.param("orderId");
    const blocks = engine.explainOrder(orderId, context.get("user"));
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
