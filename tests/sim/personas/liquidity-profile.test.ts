// What is traded must not depend on when anybody asked before: metrics and tapes ask, too.

import { expect, test } from "bun:test";
import fc from "fast-check";
import type { TradedContract } from "../../../sim/personas/traded-contract.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { contract, HOUR, profileOf, START } from "./support.ts";

const TYPES = ["hour", "base", "peak", "week"] as const;
const CONTRACTS = Array.from({ length: 24 }, (_, index) => {
  const type = TYPES[index % TYPES.length]!;
  const deliveryStart = START + (2 + Math.floor(index / 3)) * HOUR;
  return contract(index, { type, productId: type, deliveryStart, deliveryEnd: START + 40 * HOUR });
});

/** The contracts drawn at a time by a profile that was asked at the times before. */
function drawn(asked: readonly number[], time: number): (TradedContract | null)[] {
  const profile = profileOf(CONTRACTS, ["NORTH"], 2);
  for (const before of asked) profile.at(before);
  const random = new SeededRandom(1);
  return Array.from({ length: 50 }, () => profile.pick(time, random));
}

test("the contracts that are chosen depend on the time alone, not on earlier questions", () => {
  const minutes = fc.integer({ min: 0, max: 6 * 60 }).map((minute) => START + minute * 60_000);
  fc.assert(fc.property(fc.array(minutes), minutes, (asked, time) => {
    const before = asked.filter((each) => each <= time).toSorted((one, other) => one - other);
    const ids = (list: (TradedContract | null)[]) => list.map((contract) => contract?.id);
    expect(ids(drawn(before, time))).toEqual(ids(drawn([], time)));
  }));
});
