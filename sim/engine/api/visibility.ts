// What a user may see of states and events (design section 8, permissions): a rule for each module type and each event
// type. The compiler asks for a rule for a new type; a type without one is seen by nobody.
//
// Market.View shows every module and event but credit. Without it there are the market's public parts and what belongs to
// one's own entity. A limit is seen by the entity that grants it, a documentation status by both of the pair, all of them
// with Scope.Global. The removal of a module carries nothing but its id and is seen by all.

import type { ModuleData, ModuleType } from "../../../protocol/modules/registry.ts";
import type { EventData, EventMessage, EventType, Permission, StateMessage } from "../../../protocol/index.ts";
import type { EngineUser } from "./market-engine.ts";

type Rule<Property> =
  | "everyone"
  /** Who holds the permission, and the entities that the properties name. */
  | { readonly permission: Permission; readonly entities: readonly Property[] };

type PropertyOf<Data> = Extract<keyof Data, string>;

const MODULE_RULES: { readonly [type in ModuleType]: Rule<PropertyOf<ModuleData<type>>> } = {
  MARKET: "everyone",
  PRODUCT: "everyone",
  CONTRACT: "everyone",
  ENGINE: "everyone",
  QUEUE: "everyone",
  ENTITY: "everyone",
  USER: "everyone",
  ORDER: { permission: "Market.View", entities: ["entityId"] },
  FILL: { permission: "Market.View", entities: ["entityId"] },
  TRADE: { permission: "Market.View", entities: ["buyEntityId", "sellEntityId"] },
  CREDIT: { permission: "Scope.Global", entities: ["entityId"] },
};

const EVENT_RULES: { readonly [type in EventType]: Rule<PropertyOf<EventData<type>>> } = {
  "new.order": { permission: "Market.View", entities: ["entityId"] },
  "change.order": { permission: "Market.View", entities: ["entityId"] },
  "cancel.order": { permission: "Market.View", entities: ["entityId"] },
  "expire.order": { permission: "Market.View", entities: ["entityId"] },
  "hold.order": { permission: "Market.View", entities: ["entityId"] },
  "release.order": { permission: "Market.View", entities: ["entityId"] },
  "reject.order": { permission: "Market.View", entities: ["entityId"] },
  "new.fill": { permission: "Market.View", entities: ["entityId"] },
  "new.trade": { permission: "Market.View", entities: ["buyEntityId", "sellEntityId"] },
  "change.book": "everyone",
  "change.spot": "everyone",
  "halt.market": "everyone",
  "resume.market": "everyone",
  "change.market": "everyone",
  "new.contract": "everyone",
  "change.contract": "everyone",
  "remove.contract": "everyone",
  "change.credit": { permission: "Scope.Global", entities: ["entityId"] },
  "remove.credit": { permission: "Scope.Global", entities: ["entityId"] },
  "change.documentation": { permission: "Scope.Global", entities: ["entityId", "counterpartyId"] },
  "change.user": "everyone",
};

export function maySee(user: EngineUser, message: StateMessage | EventMessage): boolean {
  return "statePath" in message
    ? maySeeState(user, message)
    : fits(user, ruleOf(EVENT_RULES, message.type), message.data);
}

function maySeeState(user: EngineUser, { statePath, state }: StateMessage): boolean {
  const rule = ruleOf(MODULE_RULES, statePath.slice(1, statePath.indexOf("/", 1)));
  return state === null ? rule !== undefined : fits(user, rule, state);
}

function ruleOf(rules: Readonly<Record<string, Rule<string>>>, type: string): Rule<string> | undefined {
  return Object.hasOwn(rules, type) ? rules[type] : undefined;
}

function fits(user: EngineUser, rule: Rule<string> | undefined, data: Record<string, unknown>): boolean {
  if (rule === undefined) return false;
  if (rule === "everyone" || user.permissions.has(rule.permission)) return true;
  return user.entityId !== null && rule.entities.some((property) => data[property] === user.entityId);
}
