// A year of hourly spot prices of two nodes, compared with drawing the same random numbers alone. Runs alternate, and
// the least time of each counts.
//
// Claim: the prices cost at most five times as much as their random numbers.

import { deepStrictEqual } from "node:assert";
import { HOUR_MS } from "../protocol/time-units.ts";
import { SeededRandom } from "../sim/random/seeded-random.ts";
import { SPOT_PARAMETERS } from "../sim/spot/built-in-parameters.ts";
import { HourlyPrices, type SpotRandom } from "../sim/spot/hourly-prices.ts";
import { LISTING_START, LISTING_TIMEZONE } from "../sim/spot/price-listing.ts";
import { type Clock, timed, wallClock } from "./stopwatch.ts";
import type { StandaloneBench } from "./suite.ts";
import { aligned, duration, grouped, threeDigits } from "./table.ts";

interface SpotSizes {
  readonly hours: number;
  readonly rounds: number;
}

const SIZES: SpotSizes = { hours: 8760, rounds: 200 };

const SEED = 1;

export function spotTables({ hours, rounds }: SpotSizes, clock: Clock = wallClock()): string {
  const draws = drawsOf(hours);
  const outcome = pricesOf(hours, new SeededRandom(SEED));
  let [prices, alone] = [Infinity, Infinity];
  for (let round = 0; round < rounds; round++) {
    const ours = timed(clock, () => () => pricesOf(hours, new SeededRandom(SEED)));
    deepStrictEqual(ours.outcome, outcome);
    const numbers = timed(clock, () => () => drawAlone(draws, new SeededRandom(SEED)));
    deepStrictEqual(numbers.outcome, draws.length);
    prices = Math.min(prices, ours.nanoseconds);
    alone = Math.min(alone, numbers.nanoseconds);
  }
  const uniform = draws.reduce((sum, isNormal) => sum + 1 - isNormal, 0);
  return [
    "### spot",
    `${grouped(hours)} hours of spot prices of two nodes, which draw ${grouped(draws.length - uniform)} normal and ${
      grouped(uniform)
    } uniform numbers, and the same numbers alone.`,
    aligned(["", "prices", "numbers alone", "prices / numbers"], [
      ["all", duration(prices), duration(alone), threeDigits(prices / alone)],
      ["an hour", duration(prices / hours), duration(alone / hours), ""],
    ]),
  ].join("\n\n");
}

/** Sums of both nodes' prices, for comparing runs. */
export function pricesOf(hours: number, random: SpotRandom): readonly [number, number] {
  const prices = new HourlyPrices(SPOT_PARAMETERS, random, LISTING_TIMEZONE);
  let [first, second] = [0, 0];
  for (let hour = 0; hour < hours; hour++) {
    prices.step(LISTING_START + hour * HOUR_MS);
    first += prices.firstCents;
    second += prices.secondCents;
  }
  return [first, second];
}

/** The random numbers that this many hours draw, in order: 1 for a normal number, 0 for a uniform one. */
export function drawsOf(hours: number): Uint8Array {
  const random = new SeededRandom(SEED);
  const draws: number[] = [];
  pricesOf(hours, {
    next() {
      draws.push(0);
      return random.next();
    },
    normal() {
      draws.push(1);
      return random.normal();
    },
  });
  return Uint8Array.from(draws);
}

/** Draws the same numbers and returns their count. Their sum is used so that the draws are not optimized away. */
function drawAlone(draws: Uint8Array, random: SeededRandom): number {
  let sum = 0;
  for (let at = 0; at < draws.length; at++) sum += draws[at] === 1 ? random.normal() : random.next();
  return Number.isFinite(sum) ? draws.length : NaN;
}

export default { name: "spot", tables: () => spotTables(SIZES) } satisfies StandaloneBench;
