// The comparison of a study's variants as text, and as JSON.

import { textTable } from "../../common/text-table.ts";
import type { Comparison } from "./comparison.ts";
import { COLUMNS, DIFFERENCE_COLUMNS, studyNotes, studySections, TEXT_COLUMNS } from "./study-tables.ts";

const DECIMALS = 10_000;

export function studyText(comparison: Comparison): string {
  const { studies, variants } = comparison;
  const columns = [...COLUMNS, ...(variants.length > 1 ? DIFFERENCE_COLUMNS : [])];
  return [
    textTable(
      studies.map(({ folder, experiment, version }) => ["study", folder, `${experiment}, mkt ${version}`]),
      Infinity,
    ),
    textTable([["variant", "runs", "seeds"], ...variants.map(({ name, runs, seeds }) => [name, runs, seeds])], 3),
    ...studySections(comparison).map(({ title, rows }) => `${title}\n\n${textTable([columns, ...rows], TEXT_COLUMNS)}`),
    studyNotes(comparison).join("\n"),
  ].join("\n\n");
}

/** Without the values of single runs, which the study's results have. */
export function studyJson({ measures, ...comparison }: Comparison): string {
  const shown = { ...comparison, measures: measures.map(({ values: _ofRuns, ...measure }) => measure) };
  const rounded = (_: string, value: unknown) =>
    typeof value === "number" ? Math.round(value * DECIMALS) / DECIMALS : value;
  return JSON.stringify(shown, rounded, 2);
}
