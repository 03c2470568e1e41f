import { expect, test } from "bun:test";
import type { BufferedEvent } from "../../../core/market/event-reader.ts";
import { DamagedLog, decodeItem, encodeItem } from "../../../replicas/event-log/log-item-codec.ts";
import { orderData } from "../../support/scripted-engine.ts";

const SEQUENCE = 1_772_463_600_000_001;
const ID = `${SEQUENCE}-0`;
const TIME = "2030-06-01T12:00:00.000Z";
const order: BufferedEvent = {
  sequence: SEQUENCE,
  category: "order",
  type: "new.order",
  time: TIME,
  data: orderData("Zoë \u2028 \ud800"),
  book: null,
};

test("an event, one of an unknown type, and a gap are read as they were written", () => {
  const odd = { ...order, category: "other", type: "odd.thing", data: { any: [1, null, { deep: true }] } } as const;
  expect(decodeItem("order", ID, encodeItem(order))).toEqual(order);
  expect(decodeItem("other", ID, encodeItem(odd))).toEqual(odd);
  const gap = { from: SEQUENCE - 5, to: SEQUENCE };
  expect(decodeItem("gap", ID, encodeItem(gap))).toEqual(gap);
});

const deep = JSON.parse(`${"[".repeat(100)}${"]".repeat(100)}`);
const REFUSED: readonly (readonly [string, Parameters<typeof decodeItem>])[] = [
  ["no JSON", ["order", ID, "{"]],
  ["no array", ["order", ID, "{}"]],
  ["too short", ["order", ID, '["new.order"]']],
  ["an event of another category", ["fill", ID, encodeItem(order)]],
  ["an order without its fields", ["order", ID, JSON.stringify(["new.order", TIME, { id: "a" }])]],
  ["data that is a list", ["other", ID, JSON.stringify(["odd.thing", TIME, []])]],
  ["nested too deep", ["other", ID, JSON.stringify(["odd.thing", TIME, { deep }])]],
  ["a book that is none", ["order", ID, JSON.stringify(["new.order", TIME, order.data, { id: 1 }])]],
  ["no text", ["order", ID, null]],
  ["an id with a second part", ["order", `${SEQUENCE}-1`, encodeItem(order)]],
  ["an id above the safe integers", ["order", "9999999999999999-0", encodeItem(order)]],
  ["a gap that ends before it begins", ["gap", "5-0", "6"]],
  ["a gap without a number", ["gap", "5-0", "-1"]],
];

test.each(REFUSED)("an entry with %s is damage", (_, parameters) => {
  expect(() => decodeItem(...parameters)).toThrow(DamagedLog);
});
