// Who may see which states and events (docs/market-rules.md, "Who sees what"): one rule for each module type and each event
// type. A new type without a rule does not compile, and a type that is unknown at run time is never published.
//
// A rule and the data of a message give its audience.
//
// With Market.View a user sees every module and event but credit; without it, the public ones and those of the user's own
// entity, also of entities and users. A credit limit is seen by the entity that grants it, a documentation status by both
// entities of the pair, and both by users with Scope.Global. The removal of a module shows only its id and is seen by all.

import type { ModuleData, ModuleType } from "../../protocol/modules/registry.ts";
import type { EventData, EventType, Permission } from "../../protocol/index.ts";
import { invariant } from "../market/invariant.ts";
import type { EngineUser } from "./market-engine.ts";
import { type Audience, EVERYONE } from "./messages.ts";

type Rule<Property> =
  | "everyone"
  /** Users who hold the permission, and users of the entities whose ids the properties hold. */
  | { readonly permission: Permission; readonly entities: readonly Property[] };

type PropertyOf<Data> = Extract<keyof Data, string>;

const OF_ENTITY = { permission: "Market.View", entities: ["entityId"] } as const;
const OF_TRADING_ENTITIES = { permission: "Market.View", entities: ["buyEntityId", "sellEntityId"] } as const;
const CREDIT_OF_ENTITY = { permission: "Scope.Global", entities: ["entityId"] } as const;

const MODULE_RULES: { readonly [type in ModuleType]: Rule<PropertyOf<ModuleData<type>>> } = {
  MARKET: "everyone",
  PRODUCT: "everyone",
  CONTRACT: "everyone",
  ENGINE: "everyone",
  QUEUE: "everyone",
  ENTITY: { permission: "Market.View", entities: ["id"] },
  USER: OF_ENTITY,
  ORDER: OF_ENTITY,
  FILL: OF_ENTITY,
  TRADE: OF_TRADING_ENTITIES,
  CREDIT: CREDIT_OF_ENTITY,
};

const EVENT_RULES: { readonly [type in EventType]: Rule<PropertyOf<EventData<type>>> } = {
  "new.order": OF_ENTITY,
  "change.order": OF_ENTITY,
  "cancel.order": OF_ENTITY,
  "expire.order": OF_ENTITY,
  "hold.order": OF_ENTITY,
  "release.order": OF_ENTITY,
  "reject.order": OF_ENTITY,
  "new.fill": OF_ENTITY,
  "new.trade": OF_TRADING_ENTITIES,
  "change.book": "everyone",
  "change.spot": "everyone",
  "halt.market": "everyone",
  "resume.market": "everyone",
  "change.market": "everyone",
  "new.contract": "everyone",
  "change.contract": "everyone",
  "remove.contract": "everyone",
  "change.credit": CREDIT_OF_ENTITY,
  "remove.credit": CREDIT_OF_ENTITY,
  "change.documentation": { permission: "Scope.Global", entities: ["entityId", "counterpartyId"] },
  "change.clock": "everyone",
  "change.user": OF_ENTITY,
};

/** The permissions that decide what a user may see, besides the user's entity. */
export const RULE_PERMISSIONS: readonly Permission[] = [
  ...new Set(
    [...Object.values(MODULE_RULES), ...Object.values(EVENT_RULES)]
      .flatMap((rule: Rule<string>) => rule === "everyone" ? [] : [rule.permission]),
  ),
];

export function audienceOfModule<Type extends ModuleType>(type: Type, data: Partial<ModuleData<Type>>): Audience {
  return audienceOf(ruleOf(MODULE_RULES, type), data);
}

export function audienceOfEvent<Type extends EventType>(type: Type, data: Partial<EventData<Type>>): Audience {
  return audienceOf(ruleOf(EVENT_RULES, type), data);
}

/** The events and modules that are about one entity and are sent often. */
const OFTEN_OF_ENTITY = [
  "new.order",
  "change.order",
  "cancel.order",
  "expire.order",
  "hold.order",
  "release.order",
  "new.fill",
] as const;

/** The audiences of what is sent often about one entity, by type of event or module. */
export type EntityAudiences = Readonly<
  Record<(typeof OFTEN_OF_ENTITY)[number] | "ORDER" | "FILL" | "CREDIT", Audience>
>;

export function audiencesOfEntity(entityId: string): EntityAudiences {
  const ofEvents = OFTEN_OF_ENTITY.map((type) => [type, audienceOfEvent(type, { entityId })] as const);
  const ofModules = (["ORDER", "FILL", "CREDIT"] as const).map((type) =>
    [type, audienceOfModule(type, { entityId })] as const
  );
  return Object.fromEntries([...ofEvents, ...ofModules]) as EntityAudiences;
}

/** The audience of a new.trade event. */
export function audienceOfTrade(buyEntityId: string, sellEntityId: string): Audience {
  return { permission: OF_TRADING_ENTITIES.permission, entityIds: [buyEntityId, sellEntityId] };
}

export function maySee(
  { permissions, entityId }: Omit<EngineUser, "id">,
  { permission, entityIds }: Audience,
): boolean {
  if (permission === null || permissions.has(permission)) return true;
  return entityId !== null && entityIds.includes(entityId);
}

/** Whether the user may see a module, or all modules, of a type with these properties. */
export function maySeeModule<Type extends ModuleType>(
  user: Omit<EngineUser, "id">,
  type: Type,
  data: Partial<ModuleData<Type>>,
): boolean {
  return maySee(user, audienceOfModule(type, data));
}

/** Whether the user may see every module of a type. If not, the user sees only those that name the own entity. */
export function maySeeAll({ permissions }: Pick<EngineUser, "permissions">, type: ModuleType): boolean {
  const rule = ruleOf(MODULE_RULES, type);
  return rule === "everyone" || permissions.has(rule.permission);
}

/** Whether the user may see the documentation status between two entities. */
export function maySeeDocumentation(user: EngineUser, entityId: string, counterpartyId: string): boolean {
  return maySee(user, audienceOfEvent("change.documentation", { entityId, counterpartyId }));
}

function audienceOf(rule: Rule<string>, data: Record<string, unknown>): Audience {
  if (rule === "everyone") return EVERYONE;
  const { permission, entities } = rule;
  const entityIds = entities.map((property) => data[property]).filter((id) => typeof id === "string");
  return { permission, entityIds };
}

function ruleOf(rules: Readonly<Record<string, Rule<string>>>, type: string): Rule<string> {
  const rule = Object.hasOwn(rules, type) ? rules[type] : undefined;
  invariant(rule !== undefined, "only declared types are published");
  return rule;
}
