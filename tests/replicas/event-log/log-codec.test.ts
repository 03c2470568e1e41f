import { expect, test } from "bun:test";
import type { BufferedEvent } from "../../../core/market/event-reader.ts";
import { DamagedLog, decodeEvent, decodeGaps, encodeEvent } from "../../../replicas/event-log/log-codec.ts";
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

test("an event, one of an unknown type, and gaps are read as they were written", () => {
  const odd = { ...order, category: "other", type: "odd.thing", data: { any: [1, null, { deep: true }] } } as const;
  expect(decodeEvent("order", ID, encodeEvent(order))).toEqual(order);
  expect(decodeEvent("other", ID, encodeEvent(odd))).toEqual(odd);
  expect(decodeGaps("")).toEqual([]);
  expect(decodeGaps(`1-1 3-${SEQUENCE} `)).toEqual([{ from: 1, to: 1 }, { from: 3, to: SEQUENCE }]);
});

const deep = JSON.parse(`${"[".repeat(100)}${"]".repeat(100)}`);
const REFUSED: readonly (readonly [string, Parameters<typeof decodeEvent>])[] = [
  ["no JSON", ["order", ID, "{"]],
  ["no array", ["order", ID, "{}"]],
  ["too short", ["order", ID, '["new.order"]']],
  ["an event of another category", ["fill", ID, encodeEvent(order)]],
  ["an order without its fields", ["order", ID, JSON.stringify(["new.order", TIME, { id: "a" }])]],
  ["data that is a list", ["other", ID, JSON.stringify(["odd.thing", TIME, []])]],
  ["nested too deep", ["other", ID, JSON.stringify(["odd.thing", TIME, { deep }])]],
  ["a book that is none", ["order", ID, JSON.stringify(["new.order", TIME, order.data, { id: 1 }])]],
  ["no text", ["order", ID, null]],
  ["an id with a second part", ["order", `${SEQUENCE}-1`, encodeEvent(order)]],
  ["an id above the safe integers", ["order", "9999999999999999-0", encodeEvent(order)]],
];

test.each(REFUSED)("an entry with %s is damage", (_, parameters) => {
  expect(() => decodeEvent(...parameters)).toThrow(DamagedLog);
});

test.each(["6-5 ", "-1 ", "5- ", "5 ", "1-2-3 ", "1-2", "1-2  ", "a-b ", "1-9999999999999999 ", null])(
  "gaps that are %p are damage",
  (text) => {
    expect(() => decodeGaps(text)).toThrow(DamagedLog);
  },
);
