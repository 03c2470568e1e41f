// Rejections whose messages name who may act, and which names exist: only those that the refused user may see
// (api/visibility.ts). So a user without Market.View is told of no other entity, none of its users, and no owner of an order.
//
// Cost: O(users) or O(entities) for one refusal.

import type { Permission } from "../../protocol/index.ts";
import { notFound, rejected, type Rejection } from "../api/outcome.ts";
import { maySeeAll, maySeeModule } from "../api/visibility.ts";
import { nearestName } from "../../common/nearest-name.ts";
import { isoTime } from "../../common/iso-time.ts";
import type { EngineState } from "../state/engine-state.ts";
import type { ContractState, Order } from "../state/market-state.ts";
import type { UserState } from "../state/party-state.ts";

/** Names in a message at most. */
const MAX_NAMED = 4;

/** Null if the user holds one of the permissions, or if there are none. */
export function checkPermission(
  { users }: EngineState,
  user: UserState,
  permissions: readonly Permission[],
): Rejection | null {
  for (const permission of permissions) if (user.permissions.has(permission)) return null;
  const [first, second] = permissions;
  if (first === undefined) return null;
  const lacks = second === undefined
    ? `does not hold the permission ${first}`
    : `holds neither the permission ${first} nor ${second}`;
  const holders = [...users.values()].filter((one) =>
    permissions.some((permission) => one.permissions.has(permission))
  );
  const seen = holders.filter((holder) => maySeeModule(user, "USER", { entityId: holder.entityId }));
  const others = seen.length === 0 ? "" : ` Held by ${listed(seen.map(({ id }) => id))}.`;
  const who = holders.length === 0 ? " No user does." : others;
  return rejected("forbidden", `User ${user.id} ${lacks}.${who}`);
}

/** The payload names something that does not exist. `names`: those that exist; every user may see them. */
export function unknownName(kind: string, given: string, names: Iterable<string>): Rejection {
  const known = [...names];
  const nearest = nearestName(given, known);
  const meant = nearest === null ? "" : ` Did you mean ${nearest}?`;
  return rejected("not_found", `There is no ${kind} with id ${given}.${meant} There are: ${listed(known)}.`);
}

export function unknownEntity({ entities }: EngineState, user: UserState, entityId: string): Rejection {
  return maySeeAll(user, "ENTITY") ? unknownName("entity", entityId, entities.keys()) : notFound("entity", entityId);
}

export function ofAnotherEntity(order: Order, user: UserState, action: "changed" | "cancelled"): Rejection {
  const { id: entityId } = order.entity.definition;
  const owner = maySeeModule(user, "ORDER", { entityId }) ? `entity ${entityId}` : "another entity";
  const own = user.entityId === null ? "belongs to no entity" : `belongs to entity ${user.entityId}`;
  const operators = action === "cancelled" ? " or by users with Market.Operate" : "";
  return rejected(
    "forbidden",
    `Order ${order.id} belongs to ${owner}, and user ${user.id} ${own}. It can be ${action} by users of its own entity ` +
      `with Order.Submit${operators}.`,
  );
}

/** The user may not act for the entity. */
export function notOwnEntity({ users }: EngineState, user: UserState, entityId: string): Rejection {
  const own = user.entityId === null ? "no entity" : `entity ${user.entityId}`;
  const managers = [...users.values()].filter((one) =>
    one.entityId === entityId && one.permissions.has("Credit.Manage")
  );
  const names = managers.length === 0 ? "there are none" : listed(managers.map(({ id }) => id));
  const who = maySeeModule(user, "USER", { entityId }) ? `: ${names}` : "";
  return rejected(
    "forbidden",
    `User ${user.id} belongs to ${own}. Limits and documents of entity ${entityId} are set by its own users with ` +
      `Credit.Manage${who}.`,
  );
}

export function marketClosed({ market: { definition, session } }: ContractState): Rejection {
  const next = session === null
    ? ""
    : ` It takes orders from ${isoTime(session.preopen)} and matches them from ${isoTime(session.open)}.`;
  return rejected("market_closed", `Market ${definition.id} is closed.${next}`);
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).join(", ");
  return names.length > MAX_NAMED ? `${shown} and ${names.length - MAX_NAMED} more` : shown;
}
