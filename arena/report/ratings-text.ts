// The ratings as text, a table for each scenario, and as JSON.

import { textTable } from "../../common/text-table.ts";
import type { RatedScenario } from "./ratings.ts";
import { causesOf, COLUMNS, NOTE, rowsOf } from "./ratings-table.ts";

const LINE = 120;

export function ratingsText(scenarios: readonly RatedScenario[]): string {
  const parts = scenarios.flatMap((scenario) => [
    scenario.scenario,
    textTable([COLUMNS, ...rowsOf(scenario)], 1),
    causesOf(scenario).join("\n"),
  ]);
  return [...parts.filter((part) => part !== ""), wrapped(NOTE)].join("\n\n");
}

/** Scores by seed, and what the tables say. */
export function ratingsJson(scenarios: readonly RatedScenario[]): string {
  const shown = scenarios.map(({ scenario, ratings }) => ({
    scenario,
    agents: ratings.map(({ episodes, aboveOne, ...rating }) => ({
      ...rating,
      aboveOne: aboveOne.map(({ result: { seed, score, waitedShare } }) => ({ seed, score, waitedShare })),
      episodes: episodes.map(({ result }) => result),
    })),
  }));
  return JSON.stringify({ scenarios: shown }, null, 2);
}

function wrapped(text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1)!;
    if (line.length + word.length >= LINE) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join("\n");
}
