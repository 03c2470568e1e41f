// Filters with names that the market does not have.

import { describe, expect, test } from "bun:test";
import { Snapshot } from "../../../core/market/snapshot.ts";
import { checkNamedModules } from "../../../plugins/toolkit/named-modules.ts";
import { snapshotOf } from "../../../bench/tool-context.ts";
import { orderState } from "../../support/scripted-engine.ts";

const market: Snapshot = snapshotOf([orderState("ORD-1", {}) as never]) as Snapshot;
const check = (filters: Record<string, unknown>) => () => checkNamedModules(market, filters);

describe("a filter by the name of a module", () => {
  test.each([
    ["nothing", null],
    ["nothing at all", undefined],
    ["a number", 5],
    ["a known name", "ORD-1"],
    ["a known name, said with its operator", { value: "ORD-1", operator: "eq" }],
    ["a known name, said without an operator", { value: "ORD-1" }],
    ["known names", { value: ["ORD-1"], operator: "in" }],
    ["a part of a name", { value: "ORD-9", operator: "contains" }],
    ["a number among names", { value: [7, "ORD-1"], operator: "in" }],
  ])("passes with %s", (_what, filter) => {
    expect(check({ orderId: filter })).not.toThrow();
  });

  test.each([
    ["an unknown name", "ORD-9"],
    ["an unknown name, said with its operator", { value: "ORD-9", operator: "eq" }],
    ["an unknown name, said without an operator", { value: "ORD-9" }],
    ["an unknown name among known ones", { value: ["ORD-1", "ORD-9"], operator: "in" }],
  ])("is refused with %s, which it tells", (_what, filter) => {
    expect(check({ orderId: filter })).toThrow(/orderId: there is no ORDER "ORD-9"/);
  });

  test("by another property is passed over, also by one that every object has", () => {
    expect(check({ price: "ORD-9", constructor: "ORD-9" })).not.toThrow();
  });

  test("by an entity is passed over as long as the market tells of none: it is known over HTTP", () => {
    expect(check({ entityId: "nobody" })).not.toThrow();
  });
});
