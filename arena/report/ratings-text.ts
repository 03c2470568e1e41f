// The ratings as text, a table for each scenario.

import { textTable } from "../../common/text-table.ts";
import type { Spread } from "../../common/statistics.ts";
import { DIFFERENCE, type RatedScenario } from "./ratings.ts";

const COLUMNS = [
  "agent",
  "score",
  "± 95 %",
  "seeds",
  "to the next",
  "± 95 %",
  "clear",
  `for ${DIFFERENCE}`,
  "above 1",
  "broken",
  "calls",
  "kB",
];
const DECIMALS = 3;

export function ratingsText(scenarios: readonly RatedScenario[]): string {
  const tables = scenarios.map(({ scenario, ratings }) => {
    const rows = ratings.map(({ agent, spread, behind, seedsNeeded, aboveOne, broken, calls, bytesOut }) => [
      agent,
      spread.mean.toFixed(DECIMALS),
      marginText(spread),
      String(spread.runs),
      behind === null ? "" : behind.mean.toFixed(DECIMALS),
      marginText(behind),
      isClear(behind) ? "yes" : "",
      seedsNeeded === null ? "" : String(seedsNeeded),
      aboveOne === 0 ? "" : String(aboveOne),
      broken === 0 ? "" : String(broken),
      calls.toFixed(0),
      (bytesOut / 1000).toFixed(0),
    ]);
    return `${scenario}\n\n${textTable([COLUMNS, ...rows], 1)}`;
  });
  const note =
    "± is half the width of the 95 % interval of a mean (Student's t over the seeds). to the next: the mean\n" +
    "difference from the next better agent on the seeds of both; clear: its interval leaves out zero.\n" +
    `for ${DIFFERENCE}: how many seeds would make a difference of ${DIFFERENCE} between such two agents clear. above 1, broken:\n` +
    "how many episodes had such a score, or broke a term.";
  return [...tables, note].join("\n\n");
}

function marginText(spread: Spread | null): string {
  return spread === null || spread.margin === null ? "" : spread.margin.toFixed(DECIMALS);
}

function isClear(spread: Spread | null): boolean {
  return spread !== null && spread.margin !== null && Math.abs(spread.mean) > spread.margin;
}
