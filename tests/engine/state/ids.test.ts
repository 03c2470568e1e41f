import { expect, test } from "bun:test";
import { fillIdOf, orderIdOf, orderKeyOf, tradeIdOf } from "../../../engine/state/ids.ts";

test("each kind of thing has its own ids, and an order is found by its whole id alone", () => {
  expect([orderIdOf(7), tradeIdOf(7), fillIdOf(7)]).toEqual(["ORD-7", "TRD-7", "FIL-7"]);
  for (const key of [1, 9, 10, 4095, 999_999_999_999_999]) expect(orderKeyOf(orderIdOf(key))).toBe(key);
  const others = ["", "ORD-", "ORD-0", "ORD-01", "ORD-00", "ord-1", "TRD-1", " ORD-1", "xORD-1", "ORD-1 ", "ORD-1x"];
  const odd = ["ORD--1", "ORD-1.0", "ORD-1e3", "ORD-+1", "ORD-/", "ORD-:", "ORD-\u0661", "ORD-1000000000000000"];
  for (const id of [...others, ...odd]) expect([id, orderKeyOf(id)]).toEqual([id, Infinity]);
});
