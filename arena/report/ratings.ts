// Agents by scenario, from the records of their episodes: the mean of their scores, how each differs from the next better one
// on the seeds that both have played, and their ranks.

import { spreadOf } from "../../common/statistics.ts";
import { type EpisodeResult, readResult } from "../record/episode-record.ts";
import { recordsIn } from "../record/records-in.ts";
import { drawnMeans, drawnSeeds, type Interval, intervalOf, significanceOf } from "./bootstrap.ts";

export interface RatedEpisode {
  readonly folder: string;
  readonly result: EpisodeResult;
}

interface Difference {
  readonly mean: number;
  /** Null for fewer than two seeds. */
  readonly interval: Interval | null;
  /** Two-sided p; null as the interval. */
  readonly significance: number | null;
  readonly seeds: number;
  /** How many seeds would tell apart two such agents if their scores differed by DIFFERENCE; null as the interval. */
  readonly seedsNeeded: number | null;
}

interface Rating {
  readonly agent: string;
  readonly mean: number;
  /** Null for fewer than two seeds. */
  readonly interval: Interval | null;
  /** The best and the worst place that it may well have: 95 % of the draws are between them. */
  readonly ranks: readonly [best: number, worst: number];
  /** Its scores less those of the next better agent, on the seeds of both; null for the best, or without such seeds. */
  readonly behind: Difference | null;
  /** By seed. */
  readonly episodes: readonly RatedEpisode[];
  /** Its episodes with a score above 1, the best first. */
  readonly aboveOne: readonly RatedEpisode[];
  /** Episodes in which it broke a term. */
  readonly broken: number;
  /** Means of an episode. */
  readonly calls: number;
  readonly bytesOut: number;
}

/** Of two scores that a user may want to tell apart. */
export const DIFFERENCE = 0.05;

export interface RatedScenario {
  readonly scenario: string;
  /** The best first. */
  readonly ratings: readonly Rating[];
}

/** Of all complete records in the folders, and in folders in them. Throws an Error of one line if there is none. */
export function ratingsIn(folders: readonly string[]): RatedScenario[] {
  const all = folders.flatMap(recordsIn).map((folder): RatedEpisode => ({ folder, result: readResult(folder) }));
  return ratingsOf(all);
}

export function ratingsOf(all: readonly RatedEpisode[]): RatedScenario[] {
  const scenarios = Map.groupBy(
    all.filter(({ result: { score } }) => score !== null),
    ({ result: { scenario } }) => scenario,
  );
  return [...scenarios].toSorted(([one], [other]) => one < other ? -1 : 1)
    .map(([scenario, episodes]) => ({ scenario, ratings: ratingsOfScenario(episodes) }));
}

function ratingsOfScenario(all: readonly RatedEpisode[]): Rating[] {
  const seeds = [...new Set(all.map(({ result }) => result.seed))].toSorted((one, other) => one - other);
  const draws = drawnSeeds(seeds.length);
  const agents = [...Map.groupBy(all, ({ result }) => result.agent)].map(([agent, episodes]) => {
    const scores = new Map(episodes.map(({ result: { seed, score } }) => [seed, score!]));
    const values = seeds.map((seed) => scores.get(seed) ?? NaN);
    return { agent, episodes, values, mean: mean([...scores.values()]), means: drawnMeans(draws, values) };
  }).toSorted((one, other) => other.mean - one.mean);
  return agents.map(({ agent, episodes, values, mean: score, means }, place): Rating => {
    const better = agents[place - 1];
    return {
      agent,
      mean: score,
      interval: episodes.length < 2 ? null : intervalOf(means),
      ranks: ranksOf(place, agents.map((each) => each.means)),
      behind: better === undefined ? null : differenceOf(draws, better.values, values),
      episodes: episodes.toSorted((one, other) => one.result.seed - other.result.seed),
      aboveOne: episodes.filter(({ result }) => result.score! > 1)
        .toSorted((one, other) => other.result.score! - one.result.score!),
      broken: episodes.filter(({ result }) => result.broken.length > 0).length,
      calls: mean(episodes.map(({ result }) => result.calls)),
      bytesOut: mean(episodes.map(({ result }) => result.bytesOut)),
    };
  });
}

function differenceOf(
  draws: readonly Uint16Array[],
  better: readonly number[],
  values: readonly number[],
): Difference | null {
  const differences = values.map((value, at) => value - better[at]!);
  const known = differences.filter((value) => !Number.isNaN(value));
  const spread = spreadOf(known);
  if (spread === null) return null;
  const { mean, runs: seeds, margin } = spread;
  if (margin === null) return { mean, seeds, interval: null, significance: null, seedsNeeded: null };
  const means = drawnMeans(draws, differences);
  const interval = intervalOf(means);
  const half = (interval.high - interval.low) / 2;
  // An interval gets narrower by the square root of the number of its values.
  const seedsNeeded = Math.max(2, Math.ceil(seeds * (half / DIFFERENCE) ** 2));
  return { mean, seeds, interval, significance: significanceOf(known), seedsNeeded };
}

/** The places of an agent in the middle 95 % of the draws, from 1. `means`: of each agent, by draw. */
function ranksOf(place: number, means: readonly (readonly number[])[]): readonly [number, number] {
  const places = means[place]!.map((own, draw) =>
    Number.isNaN(own) ? NaN : 1 + means.filter((other, at) => at !== place && other[draw]! > own).length
  );
  const { low, high } = intervalOf(places);
  return [Math.round(low), Math.round(high)];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
