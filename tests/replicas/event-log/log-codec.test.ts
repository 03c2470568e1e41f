import { expect, test } from "bun:test";
import type { BufferedEvent } from "../../../core/market/event-reader.ts";
import {
  DamagedLog,
  decodeEvent,
  decodeGaps,
  decodeHead,
  digestOf,
  encodeBatch,
  encodeEvent,
  HEAD_FIELDS,
} from "../../../replicas/event-log/log-codec.ts";
import { countsOf, type History } from "../../../core/market/event-content.ts";
import { EVENT_CATEGORIES } from "../../../protocol/index.ts";
import type { HistoryItem } from "../../../replicas/history/content.ts";
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

const numbered = (sequence: number, text = "") => ({ ...order, type: "odd.thing", data: { text }, sequence });

/** The numbers of the items in each batch. */
function batchesOf(items: readonly HistoryItem[]): number[][] {
  const batches = [];
  for (let start = 0; start < items.length;) {
    const { end, entries } = encodeBatch(start, items);
    batches.push(entries.filter((_, at) => at % 3 === 0).map(Number));
    expect(end).toBeGreaterThan(start);
    start = end;
  }
  return batches;
}

test("items of any number are written in batches of 400, each item once", () => {
  for (const count of [1, 399, 400, 401, 800, 801, 1205]) {
    const items = Array.from({ length: count }, (_, at) => numbered(SEQUENCE + at));
    const batches = batchesOf(items);
    expect(batches.flat()).toEqual(items.map(({ sequence }) => sequence));
    expect(batches.map(({ length }) => length)).toEqual(
      Array.from({ length: Math.ceil(count / 400) }, (_, at) => Math.min(400, count - at * 400)),
    );
  }
});

test("a batch ends with the item that brings it above a million bytes, from any place on", () => {
  const long = "x".repeat(300_000);
  const items = Array.from({ length: 9 }, (_, at) => numbered(at + 1, at === 8 ? long.repeat(5) : long));
  expect(batchesOf(items)).toEqual([[1, 2, 3, 4], [5, 6, 7, 8], [9]]);
  expect(encodeBatch(9, items)).toEqual({ end: 9, entries: [] });
});

test("an entry is number, text and stream; that of a gap is its end, its first number and 0", () => {
  const { entries } = encodeBatch(1, [order, { from: 5, to: 8 }, order]);
  expect(entries).toEqual(["8", "5", "0", String(SEQUENCE), encodeEvent(order), "1"]);
});

test("the head of a log is read field by field, and one that can't be is damage", () => {
  const counts = EVENT_CATEGORIES.map((_, at) => String(at + 10));
  const head = ["g", "5", "9", "8", "9-9 ", "6", ...counts];
  expect(head).toHaveLength(HEAD_FIELDS.length);
  expect(decodeHead(head, 5)).toEqual({
    ...{ generation: "g", start: 5, top: 9, newest: 8, gaps: [{ from: 9, to: 9 }], evicted: 6 },
    added: countsOf((category) => EVENT_CATEGORIES.indexOf(category) + 10),
  });
  expect(decodeHead(head.with(1, "9"), 9)).toMatchObject({ start: 9, top: 9 });
  expect(decodeHead(head.with(0, null as never), 5)).toBeNull();
  expect(() => decodeHead(head, 6)).toThrow("starts before its epoch");
  expect(() => decodeHead(head.with(1, "10"), 5)).toThrow("starts after its top");
  for (let at = 1; at < head.length; at++) expect(() => decodeHead(head.with(at, "x"), 5)).toThrow(DamagedLog);
});

test("the log of a history has a name of its own, whatever the order of the permissions", () => {
  const history = { engineId: "e", epoch: 1, userId: "u", entityId: "n", capabilities: ["a", "b"] };
  const others = [{ engineId: "f" }, { epoch: 2 }, { userId: "v" }, { entityId: null }, { capabilities: ["a"] }];
  const names = [{}, ...others].map((other) => digestOf({ ...history, ...other } as History));
  expect(new Set(names).size).toBe(names.length);
  expect(digestOf({ ...history, capabilities: ["b", "a"] } as History)).toBe(names[0]!);
});
