// The table of a scenario's agents, for text and for the page, and why a score is above 1.

import type { EpisodeResult } from "../record/episode-record.ts";
import type { Interval } from "./bootstrap.ts";
import { DIFFERENCE, type RatedScenario } from "./ratings.ts";

export const COLUMNS = [
  "agent",
  "score",
  "95 %",
  "seeds",
  "rank",
  "to the next",
  "95 %",
  "p",
  `for ${DIFFERENCE}`,
  "above 1",
  "broken",
  "calls",
  "kB",
];

export const NOTE =
  "95 %: the interval of a mean, by the bootstrap over seeds; rank: the places that 95 % of the draws give. to the next: the " +
  "mean difference from the next better agent on the seeds of both, and p, how often chance alone would give as large a one. " +
  `for ${DIFFERENCE}: how many seeds would make a difference of ${DIFFERENCE} between such two agents clear. above 1, broken: how ` +
  "many episodes had such a score, or broke a term. calls, kB: of an episode, on average.";

const DECIMALS = 3;
const LEAST_SHOWN = 0.001;
/** Of what an agent trades: from then on it has mostly earned the spread. */
const MOSTLY = 0.5;

export function rowsOf({ ratings }: RatedScenario): string[][] {
  return ratings.map(({ agent, mean, interval, ranks, behind, episodes, aboveOne, broken, calls, bytesOut }) => [
    agent,
    mean.toFixed(DECIMALS),
    intervalText(interval),
    String(episodes.length),
    ranks[0] === ranks[1] ? String(ranks[0]) : `${ranks[0]}–${ranks[1]}`,
    behind === null ? "" : behind.mean.toFixed(DECIMALS),
    intervalText(behind?.interval ?? null),
    significanceText(behind?.significance ?? null),
    behind?.seedsNeeded?.toString() ?? "",
    aboveOne.length === 0 ? "" : String(aboveOne.length),
    broken === 0 ? "" : String(broken),
    calls.toFixed(0),
    (bytesOut / 1000).toFixed(0),
  ]);
}

/** Why scores are above 1, a line for each. */
export function causesOf({ ratings }: RatedScenario): string[] {
  return ratings.flatMap(({ aboveOne }) => aboveOne.map(({ result }) => causeText(result)));
}

/** The reference of 1 only takes orders of others that come without the agent. So a better result comes by one of two ways. */
function causeText({ agent, seed, score, waitedShare }: EpisodeResult): string {
  const waited = waitedShare ?? 0;
  const cause = waited >= MOSTLY ? "it earned the spread" : "others sent new orders after it had taken theirs";
  const share = `${Math.round(100 * waited)} % of its MW came to orders of its own that waited`;
  return `above 1: ${agent}, seed ${seed}, ${score?.toFixed(DECIMALS)}: ${cause} (${share})`;
}

function intervalText(interval: Interval | null): string {
  return interval === null ? "" : `${interval.low.toFixed(DECIMALS)} to ${interval.high.toFixed(DECIMALS)}`;
}

function significanceText(significance: number | null): string {
  if (significance === null) return "";
  return significance <= LEAST_SHOWN ? `${LEAST_SHOWN}` : significance.toFixed(DECIMALS);
}
