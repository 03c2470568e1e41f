// The indexes that the snapshot may have, and the order in which it lists modules.
//
// Once a query has needed an index, it costs memory, and time whenever an indexed value changes. So only queries that tools
// make often have one.

import type { ModuleType } from "../../protocol/modules/registry.ts";
import { type Condition, valueIn } from "./module-index.ts";
import type { PropertyName } from "./snapshot-reader.ts";

/** One property or two; their values are strings or null. */
type Index<Type extends ModuleType> = readonly [PropertyName<Type>] | readonly [PropertyName<Type>, PropertyName<Type>];

export type IndexedProperties = readonly string[];

const SNAPSHOT_INDEXES: { readonly [Type in ModuleType]?: readonly Index<Type>[] } = {
  PRODUCT: [["marketId"], ["code"]],
  CONTRACT: [["productId"], ["marketId"], ["code"]],
  ENGINE: [["contractId"], ["marketId"]],
  QUEUE: [["engineId"], ["contractId"]],
  ORDER: [
    ["status"],
    ["entityId"],
    ["entityId", "status"],
    ["engineId"],
    ["engineId", "status"],
    ["contractId"],
    ["clientOrderId"],
    ["userId"],
  ],
  FILL: [["orderId"], ["entityId"], ["entityId", "orderId"], ["contractId"], ["tradeId"]],
  TRADE: [["contractId"], ["engineId"]],
  ENTITY: [["code"]],
  USER: [["entityId"]],
  CREDIT: [["entityId"], ["entityId", "counterpartyId"]],
};

/**
 * The indexes whose properties the conditions fix. Those with fewer properties of another one are left out: their buckets are
 * not smaller.
 */
export function indexesFor(type: ModuleType, conditions: readonly Condition[]): readonly IndexedProperties[] {
  if (conditions.length === 0) return [];
  const fixed: IndexedProperties[] = [];
  for (const index of SNAPSHOT_INDEXES[type] ?? []) if (isFixed(index, conditions)) fixed.push(index);
  return fixed.length < 2 ? fixed : fixed.filter((index) => !fixed.some((other) => isWithin(index, other)));
}

function isFixed(index: IndexedProperties, conditions: readonly Condition[]): boolean {
  for (const property of index) if (valueIn(conditions, property) === undefined) return false;
  return true;
}

function isWithin(inner: IndexedProperties, outer: IndexedProperties): boolean {
  return inner.length < outer.length && inner.every((property) => outer.includes(property));
}

/**
 * The creation time of the types that are listed newest first. Modules of the same instant are ordered by id, so the order
 * does not depend on when or in which order the engine sent them.
 */
export const CREATION_TIMES: { readonly [Type in ModuleType]?: PropertyName<Type> } = {
  ORDER: "createdAt",
  FILL: "time",
  TRADE: "time",
};
