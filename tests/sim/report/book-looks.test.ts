// The looks at books that are kept while a run goes, and those that are shown.

import { expect, test } from "bun:test";
import { BookLooks } from "../../../sim/report/book-looks.ts";

const LOOK = 300_000;
const START = 7 * LOOK + 1;

/** Looks at these places, in looks after the start, of which each has a bid of its own place. */
function looksAt(places: readonly number[], times: readonly number[] | null) {
  const looks = new BookLooks(START, times?.map((place) => START + place * LOOK) ?? null);
  for (const place of places) looks.add(START + place * LOOK, [0, "C", "BUY", 1, place, 1]);
  return (end: number) =>
    looks.shown(START + end * LOOK).map(({ time, books }) => {
      expect(books.get("C")).toEqual({ bids: [[(time - START) / LOOK, 1]], asks: [] });
      return (time - START) / LOOK;
    });
}

const upTo = (count: number, step = 1) => Array.from({ length: count }, (_, at) => at * step);

test.each<[string, readonly number[], readonly number[] | null, number, readonly number[]]>([
  ["none without a look", [], null, 5, []],
  ["none of chosen times without a look", [], [1], 5, []],
  ["one look once", [0], null, 5, [0]],
  ["the first, the middle one and the last", upTo(11), null, 10, [0, 5, 10]],
  ["the look before the middle", upTo(10), null, 9, [0, 4, 9]],
  ["the last, also if it is between two looks", [0, 1, 2, 2.5], null, 2.5, [0, 1, 2.5]],
  ["the first, also if it is between two looks", [0.5, 1, 2, 3, 4], null, 4, [0.5, 2, 4]],
  ["only whole distances from the start", [0, 0.9, 1.8], null, 1.8, [0, 1.8]],
  ["every look of 64 and the last", upTo(65), null, 62, [0, 31, 62]],
  ["the middle between the start and the end, whenever the first look was", [4, 5, 6, 7, 8], null, 8, [4, 8]],
  ["every other look after that", upTo(67), null, 66, [0, 32, 66]],
  ["every look of an odd first one", [0.5, ...upTo(66).slice(1)], null, 65, [0.5, 32, 65]],
  ["every fourth look of a long run", upTo(203), null, 202, [0, 100, 202]],
  ["the last look before each chosen time", upTo(8), [1.5, 4, 5.9], 7, [1, 4, 5]],
  ["each look once, in the order of time", upTo(8), [6.5, 6, 2], 7, [2, 6]],
  ["the first for a time before it", [3, 4, 5], [1, 4], 5, [3, 4]],
  ["the last for a time after it", upTo(4), [20], 3, [3]],
])("there is %s", (_, places, times, end, shown) => {
  expect(looksAt(places, times)(end)).toEqual([...shown]);
});

test("a look has the levels of each side of each contract, as they come", () => {
  const looks = new BookLooks(0, null);
  for (
    const row of [["A", "BUY", 1, 300, 2], ["A", "BUY", 2, 200, 5], ["A", "SELL", 1, 310, 1.5], ["B", "SELL", 1, 50, 4]]
  ) looks.add(LOOK, [LOOK, ...row]);
  looks.add(2 * LOOK, [0, "B", "BUY", 1, 40, 1]);
  expect(looks.shown(2 * LOOK).map(({ time, books }) => [time, Object.fromEntries(books)])).toEqual([
    [LOOK, { A: { bids: [[300, 2], [200, 5]], asks: [[310, 1.5]] }, B: { bids: [], asks: [[50, 4]] } }],
    [2 * LOOK, { B: { bids: [[40, 1]], asks: [] } }],
  ]);
});
