// Experiments repeated over many seeds: means and standard deviations, for comparison with published figures. Each is run once
// in a process, though several tests and documents look at it.

import type { Strategy } from "../../../sim/strategies/strategy.ts";
import type { StrategyName } from "../../../sim/strategies/registry.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { runMarketMaking } from "./market-making.ts";
import { type DayResult, runReferenceMarket } from "./reference-market.ts";

interface AverageDay {
  /** Smith's alpha and efficiency, both in percent. */
  readonly alpha: number;
  readonly efficiency: number;
}

interface MakerFigures {
  readonly profit: number;
  readonly profitDeviation: number;
  readonly inventory: number;
  readonly inventoryDeviation: number;
  readonly spread: number;
}

/** The days of the reference market for each seed from 1. */
export function referenceMarkets(strategy: StrategyName, seeds: number, days: number): DayResult[][] {
  return once(
    `${strategy} ${seeds} ${days}`,
    () => Array.from({ length: seeds }, (_, at) => runReferenceMarket(strategy, at + 1, days)),
  );
}

/** Means over markets for one day, from 1. */
export function averageDay(markets: readonly (readonly DayResult[])[], day: number): AverageDay {
  const results = markets.map((days) => days[day - 1]);
  return {
    alpha: mean(results.map((result) => result?.alpha ?? NaN)),
    efficiency: mean(results.map((result) => result?.efficiency ?? NaN)),
  };
}

/** The experiment of Avellaneda & Stoikov for each seed from 1, with a maker of this risk aversion. */
export function makerFigures(maker: (riskAversion: number) => Strategy, riskAversion: number, seeds: number) {
  return once(`${maker.name} ${riskAversion} ${seeds}`, () => figuresOf(maker(riskAversion), seeds));
}

function figuresOf(maker: Strategy, seeds: number): MakerFigures {
  const runs = Array.from({ length: seeds }, (_, at) => runMarketMaking(maker, new SeededRandom(at + 1)));
  const profits = runs.map(({ profit }) => profit);
  const inventories = runs.map(({ inventory }) => inventory);
  return {
    profit: mean(profits),
    profitDeviation: standardDeviation(profits),
    inventory: mean(inventories),
    inventoryDeviation: standardDeviation(inventories),
    spread: mean(runs.map(({ spread }) => spread)),
  };
}

const results = new Map<string, unknown>();

function once<Value>(key: string, compute: () => Value): Value {
  if (!results.has(key)) results.set(key, compute());
  return results.get(key) as Value;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Population standard deviation. */
export function standardDeviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
}
