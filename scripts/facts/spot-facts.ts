// The facts about spot prices, which need years of hourly prices, not a tape: the median over seeds of three years each.
// docs/spot-model.md has more statistics, and scripts/spot defines them all.

import { aligned } from "../../bench/table.ts";
import { medianStatistics, statisticsOfSeed } from "../spot/simulated-series.ts";
import { STATISTIC_RANGES } from "../spot/statistic-ranges.ts";
import { shown } from "../../sim/facts/run-facts.ts";
import { between, type Target } from "../../sim/facts/figure.ts";

interface SpotFact {
  readonly title: string;
  readonly target: Target;
  readonly value: number;
}

const TITLES = {
  weekdayPeakRatio: "peak / base: hours 6 to 22 of weekdays / all hours of weekdays",
  eveningRatio: "evening peak / mean: dearest hour of the mean day / all hours",
  tailExponent: "Hill exponent of the greatest .5 %",
  changeSizeLag1: "autocorrelation of the size of hourly changes, 1 hour",
  changeSizeLag24: "autocorrelation of the size of hourly changes, 24 hours",
  spreadSd: "sd of the spread between the nodes, dollars",
} as const satisfies Partial<Record<keyof typeof STATISTIC_RANGES, string>>;

export function spotFacts(seeds: readonly number[]): SpotFact[] {
  const medians = medianStatistics(seeds.map((seed) => statisticsOfSeed(seed)));
  return Object.keys(TITLES).map((key) => {
    const name = key as keyof typeof TITLES;
    const [least, most] = STATISTIC_RANGES[name];
    return { title: TITLES[name], target: between(least, most), value: medians[name] };
  });
}

/** A row for each fact; a value that misses its target is in bold. */
export function spotTable(facts: readonly SpotFact[]): string {
  const rows = facts.map(({ title, target, value }) => [
    title,
    target.text,
    target.holds(value) ? shown(value) : `**${shown(value)}**`,
  ]);
  return aligned(["spot prices", "target", "median"], rows);
}
