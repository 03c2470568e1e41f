// What a log has and counts, and how an index by ids forgets with it.

import { expect, test } from "bun:test";
import { EventEntry, EventLog, hasEntry, positionAfter } from "../../../core/market/event-log.ts";
import { KeyIndex } from "../../../core/market/key-index.ts";
import { lowerBound } from "../../../core/market/lower-bound.ts";
import { mergeAfter, mergeNewest } from "../../../core/market/log-merge.ts";

const facet = new EventLog();
const entry = (sequence: number) => new EventEntry({ sequence } as never, facet);

function logOf(...sequences: readonly number[]): EventLog {
  const log = new EventLog();
  for (const sequence of sequences) log.push(entry(sequence));
  return log;
}

function evict(log: EventLog, count = 1): void {
  for (let at = 0; at < count; at += 1) log.evict().event = null;
}

test("entries are evicted oldest first, and then forgotten oldest first", () => {
  const log = logOf(3, 5, 8, 13);
  expect([log.length, log.size, log.evictedLength, log.forgottenLength, log.lastForgotten]).toEqual([
    4,
    4,
    0,
    0,
    -Infinity,
  ]);
  expect([log.evict().sequence, log.evict().sequence]).toEqual([3, 5]);
  expect([log.length, log.size, log.evictedLength]).toEqual([2, 4, 2]);
  expect(log.forget().sequence).toBe(3);
  expect([log.length, log.size, log.evictedLength, log.forgottenLength, log.lastForgotten]).toEqual([2, 3, 1, 1, 3]);
  expect([log.entryAt(0).sequence, log.entryAt(2).sequence]).toEqual([5, 13]);
});

test("of the evicted events after a number those that are kept count exactly, and forgotten ones as long as all are after it", () => {
  const log = logOf(3, 5, 8, 13);
  evict(log, 2);
  expect([2, 3, 4, 5, 8, 20].map((since) => log.evictedAfter(since))).toEqual([2, 1, 1, 0, 0, 0]);
  log.forget();
  evict(log);
  // Forgotten: 3. Evicted: 5, 8.
  expect([2, 3, 4, 5, 7, 8].map((since) => log.evictedAfter(since))).toEqual([3, 2, 2, 1, 1, 0]);
  log.forget();
  // Forgotten: 3, 5. Between them only the least number is known.
  expect([2, 3, 4, 5, 8].map((since) => log.evictedAfter(since))).toEqual([3, 2, 2, 1, 0]);
});

test("events that were forgotten unseen count if all of them are after the number", () => {
  const log = logOf(20, 30);
  log.forgetUnseen(5, 11);
  expect([log.forgottenLength, log.lastForgotten]).toEqual([5, -Infinity]);
  expect([10, 11, 15, 19, 20].map((since) => log.evictedAfter(since))).toEqual([5, 0, 0, 0, 0]);
  evict(log);
  log.forget();
  expect([log.forgottenLength, log.lastForgotten]).toEqual([6, 20]);
  expect([10, 11, 19, 20].map((since) => log.evictedAfter(since))).toEqual([6, 1, 1, 0]);
});

test.each<[number, number, boolean]>([[2, 0, false], [3, 1, true], [4, 1, false], [13, 3, true], [14, 3, false]])(
  "after %d the next position is %d, and whether it has that entry: %p",
  (sequence, position, has) => {
    const log = logOf(3, 8, 13);
    evict(log);
    expect([positionAfter(log, sequence), hasEntry(log, sequence)]).toEqual([position, has]);
  },
);

test("the first index for which the test fails is found at every place, with few tests", () => {
  for (const length of [0, 1, 2, 7, 1_000]) {
    for (const first of [0, 1, 2, 3, 500, 999, 1_000].filter((index) => index <= length)) {
      let tests = 0;
      expect(lowerBound(length, (index) => (tests += 1, index < first))).toBe(first);
      expect(tests).toBeLessThanOrEqual(Math.ceil(Math.log2(length + 1)));
    }
  }
});

test("the log of an id has each of its entries once, over two generations, without those that are forgotten", () => {
  const index = new KeyIndex();
  const entries = [3, 5, 8, 13].map(entry);
  const [first, second, third, fourth] = entries as [EventEntry, EventEntry, EventEntry, EventEntry];
  index.add("a", first);
  index.add("a", first);
  index.add("b", second);
  for (const other of [undefined, null, 5]) index.add(other, second);
  const sequences = (id: string, lastForgotten = -Infinity) => {
    const log = index.logOf(id, lastForgotten);
    return Array.from({ length: log.size }, (_, at) => log.entryAt(at).sequence);
  };
  expect([sequences("a"), sequences("b"), sequences("c"), sequences("5")]).toEqual([[3], [5], [], []]);
  index.beginGeneration();
  index.add("a", third);
  index.add("a", fourth);
  expect([sequences("a"), sequences("a", 3), sequences("a", 8), sequences("a", 13)]).toEqual([
    [3, 8, 13],
    [8, 13],
    [13],
    [],
  ]);
  first.event = null;
  third.event = null;
  expect([index.logOf("a", -Infinity).evictedLength, index.logOf("a", 3).evictedLength]).toEqual([2, 1]);
  index.beginGeneration();
  expect([sequences("a"), sequences("b")]).toEqual([[8, 13], []]);
  index.beginGeneration();
  expect(sequences("a")).toEqual([]);
});

test("logs are merged by number, without evicted entries and those that do not match", () => {
  const [one, two] = [logOf(1, 4, 7, 10), logOf(2, 5, 8)];
  evict(one);
  const all = [{ kind: "whole", logs: [one, two], exactFrom: -Infinity }] as const;
  const odd = [{ ...all[0], kind: "keyed", matches: ({ sequence }: EventEntry) => sequence % 2 === 1 }] as const;
  const after = (selections: typeof all | typeof odd, since: number, limit: number) => {
    const { events, hasMore } = mergeAfter(selections, since, limit);
    return [events.map(({ sequence }) => sequence), hasMore];
  };
  expect(after(all, 0, 3)).toEqual([[2, 4, 5], true]);
  expect(after(all, 4, 4)).toEqual([[5, 7, 8, 10], false]);
  expect(after(all, 4, 3)).toEqual([[5, 7, 8], true]);
  expect(after(all, 10, 3)).toEqual([[], false]);
  expect(after(odd, 0, 1)).toEqual([[5], true]);
  expect(after(odd, 0, 2)).toEqual([[5, 7], false]);
  const newest = (selections: typeof all | typeof odd, limit: number, before?: number) =>
    mergeNewest(selections, limit, before).map(({ sequence }) => sequence);
  expect([newest(all, 2), newest(all, 9), newest(odd, 9)]).toEqual([[8, 10], [2, 4, 5, 7, 8, 10], [5, 7]]);
  expect([newest(all, 2, 10), newest(all, 2, 8), newest(all, 2, 4), newest(all, 2, 2)]).toEqual([
    [7, 8],
    [5, 7],
    [2],
    [],
  ]);
  expect([newest(all, 1, 9), newest(odd, 1, 7), newest([] as never, 3)]).toEqual([[8], [5], []]);
});
