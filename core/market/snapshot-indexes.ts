// The indexes of the snapshot, and the order in which it lists modules.
//
// An index costs memory, and time whenever an indexed value changes, so there is one only for queries that tools make often.

import type { ModuleData, ModuleType } from "../../protocol/modules/registry.ts";

type Name<Type extends ModuleType> = string & keyof ModuleData<Type>;

/** One property or two; their values are strings or null. */
type Index<Type extends ModuleType> = readonly [Name<Type>] | readonly [Name<Type>, Name<Type>];

export const SNAPSHOT_INDEXES: { readonly [Type in ModuleType]?: readonly Index<Type>[] } = {
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
 * The creation time of the types that are listed newest first. Modules of the same instant are ordered by id, so the order
 * does not depend on when or in which order the engine sent them.
 */
export const CREATION_TIMES: { readonly [Type in ModuleType]?: string & keyof ModuleData<Type> } = {
  ORDER: "createdAt",
  FILL: "time",
  TRADE: "time",
};
