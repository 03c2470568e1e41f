// Modules as a backend may send them, for engines and markets that a test scripts.

import { moduleDeclaration, type ModuleType } from "../../protocol/modules/registry.ts";

const PLAIN_VALUES = {
  string: "x",
  number: 0,
  boolean: false,
  time: "2030-06-01T12:00:00.000Z",
  array: [],
  object: {},
} as const;

/** Data that fits the module's declaration, with the given fields. */
export function wholeModule(type: ModuleType, data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties = Object.entries(moduleDeclaration(type).properties).map(([name, { type, values, nullable }]) =>
    [name, nullable ? null : values?.[0] ?? PLAIN_VALUES[type]] as const
  );
  return { ...Object.fromEntries(properties), ...data };
}

/** Data of a change.book in which no level has changed, with the given fields. */
export function bookChange(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const place = { contractId: "c", productCode: "x", engineId: "e", bids: [], asks: [] };
  const prices = { bestBid: null, bestAsk: null, lastPrice: null };
  return { ...place, ...prices, totalWorkingOrders: 0, heldOrders: 0, tradedQuantity: 0, ...data };
}
