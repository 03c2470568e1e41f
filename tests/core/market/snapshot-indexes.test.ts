// Which indexes answer a query, in which order lists are, and which revisions a change counts for.

import { expect, test } from "bun:test";
import { Revisions } from "../../../core/market/revisions.ts";
import { CREATION_TIMES, indexesFor } from "../../../core/market/snapshot-indexes.ts";
import { type AnyModuleData, MODULE_TYPES, type ModuleType } from "../../../protocol/modules/registry.ts";

/** By type: the properties of queries, and the indexes that answer each. */
const ROWS: [ModuleType, string, string[]][] = [
  ["PRODUCT", "marketId", ["marketId"]],
  ["PRODUCT", "code", ["code"]],
  ["CONTRACT", "productId", ["productId"]],
  ["CONTRACT", "marketId", ["marketId"]],
  ["CONTRACT", "code", ["code"]],
  ["ENGINE", "contractId", ["contractId"]],
  ["ENGINE", "marketId", ["marketId"]],
  ["QUEUE", "engineId", ["engineId"]],
  ["QUEUE", "contractId", ["contractId"]],
  ["ORDER", "status", ["status"]],
  ["ORDER", "entityId", ["entityId"]],
  ["ORDER", "status entityId", ["entityId status"]],
  ["ORDER", "engineId status", ["engineId status"]],
  ["ORDER", "engineId", ["engineId"]],
  ["ORDER", "engineId entityId", ["entityId", "engineId"]],
  ["ORDER", "engineId entityId status", ["entityId status", "engineId status"]],
  ["ORDER", "contractId status", ["status", "contractId"]],
  ["ORDER", "clientOrderId userId", ["clientOrderId", "userId"]],
  ["ORDER", "side", []],
  ["ORDER", "", []],
  ["FILL", "orderId", ["orderId"]],
  ["FILL", "entityId orderId", ["entityId orderId"]],
  ["FILL", "contractId tradeId entityId", ["entityId", "contractId", "tradeId"]],
  ["TRADE", "contractId", ["contractId"]],
  ["TRADE", "engineId", ["engineId"]],
  ["ENTITY", "code", ["code"]],
  ["USER", "entityId", ["entityId"]],
  ["CREDIT", "entityId", ["entityId"]],
  ["CREDIT", "counterpartyId", []],
  ["CREDIT", "counterpartyId entityId", ["entityId counterpartyId"]],
  ["MARKET", "id", []],
];

test.each(ROWS)("%s by %p uses the largest indexes of these properties", (type, properties, expected) => {
  const conditions = properties.split(" ").filter((name) => name !== "").map((name) => [name, "x"] as const);
  expect(indexesFor(type, conditions).map((index) => index.join(" "))).toEqual(expected);
});

test("orders are listed by when they were created, fills and trades by their time, all others as first seen", () => {
  const times = { ORDER: "createdAt", FILL: "time", TRADE: "time" } as const;
  for (const type of MODULE_TYPES) expect([type, CREATION_TIMES[type]]).toEqual([type, (times as never)[type]]);
});

test("a change counts for the value before and the value after it, and for no other one", () => {
  const revisions = new Revisions({ last: 7 });
  expect(revisions.newest).toBe(8);
  const module = (entityId: string | null) => ({ id: "m", entityId }) as unknown as AnyModuleData;
  const of = (...values: readonly (string | null)[]) => values.map((value) => revisions.of("entityId", value));
  revisions.changed(undefined, module("a"));
  // Nobody had asked before, so all are as of the newest one.
  expect(of("a", "b", null)).toEqual([9, 9, 9]);
  revisions.changed(undefined, module("a"));
  expect([revisions.newest, ...of("a", "b")]).toEqual([10, 10, 9]);
  revisions.changed(module("a"), module("b"));
  expect(of("a", "b", null)).toEqual([11, 11, 9]);
  revisions.changed(module("b"), module("b"));
  expect(of("a", "b")).toEqual([11, 12]);
  revisions.changed(module("b"), undefined);
  revisions.changed(module("a"), module(null));
  expect(of("a", "b", null, "c")).toEqual([14, 13, 14, 9]);
  // A property that is asked for later begins then.
  expect([revisions.of("id", "m"), revisions.of("id", "other")]).toEqual([14, 14]);
  revisions.changed(module("a"), undefined);
  expect([revisions.of("id", "m"), revisions.of("id", "other"), ...of("a")]).toEqual([15, 14, 15]);
});
