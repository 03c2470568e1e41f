// Up to which number events of a category were evicted. Readers that go on after it have missed nothing.

import { expect, test } from "bun:test";
import { CategoryIndex } from "../../../core/market/category-index.ts";

const NO_KEYS = { contracts: [], entities: [], orders: [] };

/** An index of at most two events, to which those with these numbers were added. */
function indexOf(...sequences: number[]): CategoryIndex {
  const index = new CategoryIndex(2, 10);
  for (const sequence of sequences) {
    index.add({ type: "system.halt", sequence, data: {} } as never, NO_KEYS);
  }
  return index;
}

test.each<[number[], number, number]>([
  [[], -Infinity, 0],
  [[3, 7], -Infinity, 0],
  [[3, 7, 8], 3, 1],
  [[3, 7, 8, 20], 7, 2],
])("of the events %j those up to %d were evicted", (sequences, upTo, count) => {
  const index = indexOf(...sequences);
  expect([index.evictedUpTo, index.evicted]).toEqual([upTo, count]);
});
