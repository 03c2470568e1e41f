// What a user may see of states and events (design section 8, permissions).
//
// Market.View shows every module and event but credit. Without it there are the market's public parts (MARKET, PRODUCT,
// CONTRACT, ENGINE, QUEUE, ENTITY, USER, and pricing, market and system events) and what belongs to one's own entity.
// CREDIT and change.credit are seen by the entity that grants, change.documentation by both of the pair; all of it with
// Scope.Global. The removal of a module carries nothing but its id and is seen by all.

import { categoryOf, type EventMessage, type StateMessage } from "../../core/protocol/index.ts";
import type { EngineUser } from "./execution.ts";

const OWNER = ["entityId"] as const;
const BOTH_SIDES = ["buyEntityId", "sellEntityId"] as const;
const BOTH_OF_PAIR = ["entityId", "counterpartyId"] as const;

export function maySee(user: EngineUser, message: StateMessage | EventMessage): boolean {
  return "statePath" in message ? maySeeState(user, message) : maySeeEvent(user, message);
}

function maySeeState(user: EngineUser, { statePath, state }: StateMessage): boolean {
  if (state === null) return true;
  switch (statePath.slice(1, statePath.indexOf("/", 1))) {
    case "CREDIT":
      return user.permissions.has("Scope.Global") || concerns(user, state, OWNER);
    case "ORDER":
    case "FILL":
      return user.permissions.has("Market.View") || concerns(user, state, OWNER);
    case "TRADE":
      return user.permissions.has("Market.View") || concerns(user, state, BOTH_SIDES);
    default:
      return true;
  }
}

function maySeeEvent(user: EngineUser, { type, data }: EventMessage): boolean {
  const category = categoryOf(type);
  if (category === "credit") {
    const parts = type === "change.documentation" ? BOTH_OF_PAIR : OWNER;
    return user.permissions.has("Scope.Global") || concerns(user, data, parts);
  }
  if (user.permissions.has("Market.View")) return true;
  if (category === "order" || category === "fill") {
    return concerns(user, data, type === "new.trade" ? BOTH_SIDES : OWNER);
  }
  return category !== "other";
}

/** Whether one of these properties names the user's entity. */
function concerns(user: EngineUser, data: Record<string, unknown>, parts: readonly string[]): boolean {
  return user.entityId !== null && parts.some((part) => data[part] === user.entityId);
}
