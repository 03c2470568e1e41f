// Agents by scenario, from the records of their episodes: the mean of their scores with its 95 % interval, and how each differs
// from the next better one on the seeds that both have played.

import { type Spread, spreadOf } from "../../common/statistics.ts";
import { pairedDifferences } from "../../sim/comparison/comparison.ts";
import { readResult } from "../record/episode-record.ts";
import { recordsIn } from "../record/records-in.ts";

export interface AboveOne {
  readonly seed: number;
  readonly score: number;
  /** Of the MW that it traded: for which its own order waited in the book. */
  readonly waitedShare: number;
}

interface Rating {
  readonly agent: string;
  /** Of its scores. */
  readonly spread: Spread;
  /** Its scores less those of the next better agent, on the seeds of both; null for the best, or without such seeds. */
  readonly behind: Spread | null;
  /** How many seeds would tell apart two such agents if their scores differed by DIFFERENCE; null as `behind`. */
  readonly seedsNeeded: number | null;
  /** Episodes in which it broke a term. */
  readonly broken: number;
  /** Its episodes with a score above 1, the best first. */
  readonly aboveOne: readonly AboveOne[];
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
  const results = folders.flatMap(recordsIn).map(readResult).filter(({ score }) => score !== null);
  const scenarios = Map.groupBy(results, ({ scenario }) => scenario);
  return [...scenarios].toSorted(([one], [other]) => one < other ? -1 : 1).map(([scenario, ofScenario]) => {
    const agents = [...Map.groupBy(ofScenario, ({ agent }) => agent)].map(([agent, episodes]) => ({
      agent,
      episodes,
      scores: new Map(episodes.map(({ seed, score }) => [seed, score!])),
      spread: spreadOf(episodes.map(({ score }) => score!))!,
    })).toSorted((one, other) => other.spread.mean - one.spread.mean);
    const ratings = agents.map(({ agent, episodes, scores, spread }, place): Rating => {
      const better = agents[place - 1];
      const behind = better === undefined ? null : spreadOf([...pairedDifferences(better.scores, scores)]);
      return {
        agent,
        spread,
        behind,
        seedsNeeded: behind === null || behind.margin === null ? null : seedsFor(behind.runs, behind.margin),
        aboveOne: episodes.filter(({ score }) => score! > 1).map(({ seed, score, waitedShare }) => {
          return { seed, score: score!, waitedShare: waitedShare ?? 0 };
        }).toSorted((one, other) => other.score - one.score),
        broken: episodes.filter(({ broken }) => broken.length > 0).length,
        calls: mean(episodes.map(({ calls }) => calls)),
        bytesOut: mean(episodes.map(({ bytesOut }) => bytesOut)),
      };
    });
    return { scenario, ratings };
  });
}

/** An interval gets narrower by the square root of the number of its values. */
function seedsFor(runs: number, margin: number): number {
  return Math.max(2, Math.ceil(runs * (margin / DIFFERENCE) ** 2));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
