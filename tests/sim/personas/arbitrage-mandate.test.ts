import { describe, expect, test } from "bun:test";
import { ArbitrageMandate } from "../../../sim/personas/arbitrage-mandate.ts";
import { emptyTerms } from "../../../sim/personas/mandate.ts";
import type { TradedContract } from "../../../sim/personas/traded-contract.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { contract, HOUR, profileOf, START } from "./support.ts";

const BASE = contract(0);
const HOURS = Array.from({ length: 24 }, (_, at) => {
  const deliveryStart = BASE.deliveryStart + at * HOUR;
  const deliveryEnd = deliveryStart + HOUR;
  return contract(1 + at, { productId: "H", type: "hour", minutes: 60, deliveryStart, deliveryEnd });
});
const WEEK = contract(50, { productId: "W", type: "week" });

function mandateOf(contracts: readonly TradedContract[]): ArbitrageMandate {
  return new ArbitrageMandate({ random: new SeededRandom(1), profile: profileOf(contracts, ["NORTH"], 2), lots: 10 });
}

/** The contracts that it looks at in a wake-up, at most some. */
function wakeUp(mandate: ArbitrageMandate, most = Infinity, time = START): TradedContract[] {
  const seen: TradedContract[] = [];
  mandate.wake();
  while (seen.length < most) {
    const next = mandate.next(time);
    if (next === null) break;
    seen.push(next);
  }
  return seen;
}

describe("the mandate of an arbitrageur", () => {
  test("looks at the base of a package first, and at the base and all hours at the next wake-up", () => {
    const mandate = mandateOf([BASE, ...HOURS]);
    expect(wakeUp(mandate)).toEqual([BASE]);
    expect(wakeUp(mandate)).toEqual([BASE, ...HOURS, BASE]);
  });

  test("goes on with the legs at the wake-up after", () => {
    const mandate = mandateOf([BASE, ...HOURS]);
    wakeUp(mandate);
    expect(wakeUp(mandate, 3)).toEqual([BASE, ...HOURS.slice(0, 2)]);
    expect(wakeUp(mandate, 4)).toEqual(HOURS.slice(2, 6));
  });

  test("wants one size on both sides, always, at its forecast", () => {
    const mandate = mandateOf([BASE]);
    const terms = emptyTerms();
    const book = { bestBid: null, bestAsk: null, lastPrice: null };
    for (let count = 0; count < 20; count++) {
      mandate.review(BASE, { time: START, forecast: 4_000, position: 0, book }, terms);
      expect(terms).toMatchObject({ buyQuantity: 10_000, sellQuantity: 10_000, limitPrice: 4_000 });
    }
  });

  test("looks at any other contract alone", () => {
    const mandate = mandateOf([WEEK]);
    expect([wakeUp(mandate), wakeUp(mandate)]).toEqual([[WEEK], [WEEK]]);
    expect(wakeUp(mandateOf([]))).toEqual([]);
  });

  test("leaves out legs that are no longer traded", () => {
    const mandate = mandateOf([BASE, ...HOURS]);
    wakeUp(mandate);
    // The base and the first hours are in delivery or about to be.
    expect(wakeUp(mandate, 2, BASE.deliveryStart + HOUR)).toEqual(HOURS.slice(2, 4));
  });
});
