// What the page knows of the market after updates of its stream.

import { beforeEach, expect, spyOn, test } from "bun:test";
import type { FeedEvent, Update } from "../../web/contract/update.ts";
import { applyUpdates, events, keepBooks, market, onEvents } from "../../web/dashboard/live/market-store.ts";
import { atEnd } from "../support/at-end.ts";
import { update } from "./updates.ts";

const row = (contractId: string, lastPrice = 0) => ({ contractId, lastPrice }) as Update["contracts"][number];
const book = (contractId: string, version = 0) => ({ contractId, version }) as unknown as Update["books"][number];
const event = (sequence: number) => ({ sequence }) as FeedEvent;
const rows = () =>
  [...market.contracts.value.values()].map(({ contractId, lastPrice }) => `${contractId} ${lastPrice}`);
const reset = () => {
  applyUpdates([update({ isWhole: true, continues: false, frozen: null, markets: [] })]);
  market.creditRevision.value = null;
  market.connection.value = null;
  market.isKnown.value = false;
};

beforeEach(reset);
atEnd(reset);

test("contracts come, change and go, and a whole state has no others", () => {
  applyUpdates([update({ contracts: [row("A"), row("B")] })]);
  applyUpdates([update({ contracts: [row("A", 5), row("C")], unlisted: ["B"] })]);
  expect(rows()).toEqual(["A 5", "C 0"]);
  const before = market.contracts.value;
  applyUpdates([update({})]);
  expect(market.contracts.value).toBe(before);
  applyUpdates([update({ unlisted: ["A"] })]);
  expect(rows()).toEqual(["C 0"]);
  applyUpdates([update({ isWhole: true, contracts: [row("D")] })]);
  expect(rows()).toEqual(["D 0"]);
});

test("books are those that have come since the last whole state, without those that are no longer asked for", () => {
  const ids = () => [...market.books.value.keys()];
  applyUpdates([update({ books: [book("A"), book("B")] })]);
  applyUpdates([update({ books: [book("B", 2)] })]);
  expect([ids(), market.books.value.get("B")]).toEqual([["A", "B"], book("B", 2)]);
  const before = market.books.value;
  keepBooks(["A", "B", "C"]);
  expect(market.books.value).toBe(before);
  keepBooks(["B", "C"]);
  expect(ids()).toEqual(["B"]);
  applyUpdates([update({ isWhole: true, books: [book("A")] })]);
  expect(ids()).toEqual(["A"]);
});

test("what an update does not tell stays, and what it tells to be none is none", () => {
  const frozen = { reason: "r", since: null };
  applyUpdates([update({ frozen, creditRevision: 3, markets: [], connection: { status: "connected" } as never })]);
  applyUpdates([update({})]);
  expect([market.frozen.value, market.creditRevision.value, market.connection.value?.status, market.isKnown.value])
    .toEqual([frozen, 3, "connected", true]);
  applyUpdates([update({ frozen: null, creditRevision: 0 })]);
  expect([market.frozen.value, market.creditRevision.value]).toEqual([null, 0]);
});

test("events are kept as long as their history goes on, and told once for each update that has some or is whole", () => {
  const told: number[][] = [];
  const stop = onEvents((given, { isWhole }) => told.push([...given.map(({ sequence }) => sequence), isWhole ? 1 : 0]));
  const kept = () => [...events.oldestFirst()].map(({ sequence }) => sequence);
  applyUpdates([update({ events: [event(7), event(8)] }), update({}), update({ events: [event(9)] })]);
  applyUpdates([update({ isWhole: true, continues: true, events: [event(10)] })]);
  expect(kept()).toEqual([7, 8, 9, 10]);
  applyUpdates([update({ isWhole: true, continues: false, events: [event(1)] })]);
  expect(kept()).toEqual([1]);
  applyUpdates([update({ isWhole: true })]);
  stop();
  applyUpdates([update({ events: [event(11)] })]);
  expect(told).toEqual([[7, 8, 0], [9, 0], [10, 1], [1, 1], [1]]);
});

test("a part of the page that fails keeps no other from its events, and the fault is told", () => {
  const told: string[] = [];
  const report = spyOn(globalThis, "reportError").mockImplementation((error) => void told.push(String(error)));
  const ends = [
    onEvents(() => {
      throw new Error("broken");
    }),
    onEvents(() => told.push("the other part")),
  ];
  applyUpdates([update({ events: [event(1)] })]);
  for (const end of ends) end();
  report.mockRestore();
  expect(told).toEqual(["Error: broken", "the other part"]);
});
