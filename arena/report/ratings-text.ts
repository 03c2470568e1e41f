// The ratings as text, a table for each scenario.

import { textTable } from "../../common/text-table.ts";
import type { Spread } from "../../common/statistics.ts";
import { type AboveOne, DIFFERENCE, type RatedScenario } from "./ratings.ts";

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
      aboveOne.length === 0 ? "" : String(aboveOne.length),
      broken === 0 ? "" : String(broken),
      calls.toFixed(0),
      (bytesOut / 1000).toFixed(0),
    ]);
    const above = ratings.flatMap(({ agent, aboveOne }) => aboveOne.map((each) => aboveOneText(agent, each)));
    return [`${scenario}\n\n${textTable([COLUMNS, ...rows], 1)}`, above.join("\n")].filter((part) => part !== "").join(
      "\n\n",
    );
  });
  const note =
    "± is half the width of the 95 % interval of a mean (Student's t over the seeds). to the next: the mean\n" +
    "difference from the next better agent on the seeds of both; clear: its interval leaves out zero.\n" +
    `for ${DIFFERENCE}: how many seeds would make a difference of ${DIFFERENCE} between such two agents clear. above 1, broken:\n` +
    "how many episodes had such a score, or broke a term.";
  return [...tables, note].join("\n\n");
}

/** The reference of 1 only takes orders of others that come without the agent. So a better result comes by one of two ways. */
function aboveOneText(agent: string, { seed, score, waitedShare }: AboveOne): string {
  const cause = waitedShare >= 0.5 ? "it earned the spread" : "others sent new orders after it had taken theirs";
  const share = `${Math.round(100 * waitedShare)} % of its MW came to orders of its own that waited`;
  return `above 1: ${agent}, seed ${seed}, ${score.toFixed(DECIMALS)}: ${cause} (${share})`;
}

function marginText(spread: Spread | null): string {
  return spread === null || spread.margin === null ? "" : spread.margin.toFixed(DECIMALS);
}

function isClear(spread: Spread | null): boolean {
  return spread !== null && spread.margin !== null && Math.abs(spread.mean) > spread.margin;
}
