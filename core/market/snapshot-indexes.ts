// Which properties the snapshot finds modules by without looking at the others, and the order in which it lists them.
//
// An index over one property or over several together costs memory and a little time whenever the values change: each
// stands for a question that a tool asks often.

import type { ModuleData, ModuleType } from "../../protocol/modules/registry.ts";

type Name<Type extends ModuleType> = string & keyof ModuleData<Type>;

/** One property, or two together; all of them strings, or null. */
type Index<Type extends ModuleType> = readonly [Name<Type>] | readonly [Name<Type>, Name<Type>];

export const SNAPSHOT_INDEXES: { readonly [Type in ModuleType]: readonly Index<Type>[] } = {
  MARKET: [],
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
 * The time at which a module came to be, for the types that are listed newest first. Modules of one instant follow their
 * ids. So the order is the same whether a module came with a snapshot or live, whatever order the engine sent it in.
 */
export const CREATION_TIMES: { readonly [Type in ModuleType]?: string & keyof ModuleData<Type> } = {
  ORDER: "createdAt",
  FILL: "time",
  TRADE: "time",
};
