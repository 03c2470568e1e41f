// What traders without assignments look at, and how much they want there.

import { expect, test } from "bun:test";
import { AssetMandate } from "../../../sim/personas/asset-mandate.ts";
import { DiscretionaryMandate } from "../../../sim/personas/discretionary-mandate.ts";
import { emptyTerms, type Mandate, usualHalfSpread } from "../../../sim/personas/mandate.ts";
import type { TradedContract } from "../../../sim/personas/traded-contract.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { contract, HOUR, profileOf, START } from "./support.ts";

function termsOf(mandate: Mandate, of: TradedContract, forecast = 4_000) {
  const terms = emptyTerms();
  const book = { bestBid: null, bestAsk: null, lastPrice: null };
  mandate.review(of, { time: START, forecast, position: 0, book }, terms);
  return terms;
}

const later = (index: number, days: number, changes: Partial<TradedContract> = {}) => {
  const deliveryStart = START + days * 24 * HOUR;
  return contract(index, { deliveryStart, deliveryEnd: deliveryStart + 24 * HOUR, productId: "P", ...changes });
};

test("the owner of an asset looks at all contracts at its node, nearest delivery first, and goes on where it stopped", () => {
  const contracts = [later(0, 3), later(1, 1), later(2, 2), later(3, 1, { node: "WEST" })];
  const profile = profileOf(contracts, ["NORTH", "WEST"], 9);
  const mandate = new AssetMandate({ profile, asset: { node: "NORTH", size: 7_000 } as never, halfSpread: 0.01 });
  const next = (time = START) => mandate.next(time)?.index ?? null;
  mandate.wake(START);
  expect(next()).toBe(1);
  mandate.wake(START);
  expect([next(), next(), next()]).toEqual([2, 0, null]);
  mandate.wake(START);
  expect([next(), next(), next(), next()]).toEqual([1, 2, 0, null]);
  // The delivery of the first begins before its turn.
  mandate.wake(START);
  expect([next(START + 24 * HOUR), next(START + 24 * HOUR)]).toEqual([2, 0]);
});

test("the owner of an asset wants its whole size on both sides, at its forecast, and leaves quotes that are near", () => {
  const only = later(0, 1);
  const profile = profileOf([only], ["NORTH"], 9);
  const mandate = new AssetMandate({ profile, asset: { node: "NORTH", size: 7_000 } as never, halfSpread: 0.01 });
  expect(termsOf(mandate, only)).toMatchObject({
    limitPrice: 4_000,
    value: 4_000,
    buyQuantity: 7_000,
    sellQuantity: 7_000,
    assignment: null,
    tolerance: 0.25 * 40,
  });
});

test("a trader without a task looks at one contract at a wake-up, and at all of them over time", () => {
  const contracts = [later(0, 1), later(1, 2), later(2, 3)];
  const options = { profile: profileOf(contracts, ["NORTH"], 9), leastLots: 2, mostLots: 50 };
  const mandate = new DiscretionaryMandate({ ...options, random: new SeededRandom(1) });
  const seen = new Set<TradedContract | null>();
  for (let count = 0; count < 100; count++) {
    mandate.wake();
    seen.add(mandate.next(START));
    expect(mandate.next(START)).toBeNull();
  }
  expect(seen).toEqual(new Set(contracts));
});

test("a trader without a task wants one size on both sides, with a heavy tail, which it keeps for some decisions", () => {
  const only = later(0, 1);
  const options = { profile: profileOf([only], ["NORTH"], 9), leastLots: 10, mostLots: 300 };
  const mandate = new DiscretionaryMandate({ ...options, random: new SeededRandom(1) });
  const terms = Array.from({ length: 20_000 }, () => termsOf(mandate, only, 3_000));
  expect(terms.every(({ buyQuantity, sellQuantity }) => buyQuantity === sellQuantity)).toBe(true);
  expect(terms[0]).toMatchObject({ limitPrice: 3_000, value: 3_000, assignment: null });
  const lots = terms.map(({ buyQuantity }) => buyQuantity / 1_000);
  expect([Math.min(...lots), Math.max(...lots)]).toEqual([10, 300]);
  const share = (isMeant: (lot: number, at: number) => boolean) => lots.filter(isMeant).length / lots.length;
  // Of a Pareto distribution with exponent 1.5.
  expect(share((each) => each >= 20)).toBeWithin(0.3, 0.4);
  expect(share((each) => each >= 40)).toBeWithin(0.1, 0.15);
  expect(share((each, at) => each !== lots[at - 1])).toBeWithin(0.25, 0.3);
});

test("half a spread is a share of the price, below 0 too, of at least 5 dollars, and a tick at least", () => {
  const [fine, coarse] = [contract(0), contract(0, { tick: 25 })];
  expect([4_000, -4_000, 100].map((price) => usualHalfSpread(fine, 0.01, price))).toEqual([40, 40, 5]);
  expect([4_000, 100].map((price) => usualHalfSpread(coarse, 0.01, price))).toEqual([40, 25]);
  // Without a word of the mandate a strategy quotes the usual spread, and its orders stay at the wanted price alone.
  expect(emptyTerms()).toMatchObject({ spreadFactor: 1, tolerance: 0 });
});
