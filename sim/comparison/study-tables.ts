// The comparison of a study's variants as rows of cells, which the text and the page of a study share.

import type { Comparison } from "./comparison.ts";
import { grouped } from "../report/figures.ts";

interface Section {
  readonly title: string;
  /** A row for each measure and variant. The first cells are texts, the others numbers. */
  readonly rows: readonly (readonly string[])[];
}

export const COLUMNS = [
  "measure",
  "variant",
  "runs",
  "mean",
  "± 95 %",
  "least",
  "25 %",
  "median",
  "75 %",
  "greatest",
] as const;
/** Of the paired differences from the first variant. */
export const DIFFERENCE_COLUMNS = ["less first", "± 95 %", "greater in", "clear"] as const;
/** Columns of text. */
export const TEXT_COLUMNS = 2;
const NONE = "–";

export function studySections({ variants, measures }: Comparison): readonly Section[] {
  const bySection = Map.groupBy(measures, ({ section }) => section);
  return [...bySection].map(([title, ofSection]) => ({
    title,
    rows: ofSection.flatMap(({ title: measure, unit, digits, spreads, differences }) => {
      // Means of counts have decimals.
      const shown = (value: number | null) =>
        grouped(value, unit === "$" ? 0 : Math.max(1, digits)).replace(/^-0$/, "0");
      // Variants without the strategy have no row.
      const known = [...spreads.entries()].flatMap(([at, spread]) => spread === null ? [] : [{ at, spread }]);
      return known.map(({ at, spread }, place) => [
        place === 0 ? `${measure}${unit === "" ? "" : `, ${unit}`}` : "",
        variants[at]!.name,
        String(spread.runs),
        ...[spread.mean, spread.margin, spread.least, spread.lowerQuartile, spread.median, spread.upperQuartile]
          .map(shown),
        shown(spread.greatest),
        ...(variants.length > 1 ? differenceCells(differences[at] ?? null, shown) : []),
      ]);
    }),
  }));
}

function differenceCells(
  difference: Comparison["measures"][number]["differences"][number],
  shown: (value: number | null) => string,
): readonly string[] {
  if (difference === null) return DIFFERENCE_COLUMNS.map(() => "");
  const { mean, margin, greater, isClear } = difference;
  const sign = mean > 0 ? "+" : "";
  return [`${sign}${shown(mean)}`, shown(margin), `${Math.round(100 * greater)} %`, isClear ? "*" : ""];
}

/** What a reader has to know of the tables, in sentences. */
export function studyNotes({ variants, missing, hasHours }: Comparison): readonly string[] {
  const isCompared = variants.length > 1;
  return [
    "± is half the width of the 95 % interval of a mean (Student's t over the seeds).",
    ...(isCompared
      ? [
        `"less first" is the mean difference from ${
          variants[0]?.name ?? NONE
        } in runs with the same seed, "greater in" the share ` +
        "of these pairs with more, and * marks an interval that leaves out zero. About one row in twenty is marked by chance.",
      ]
      : []),
    ...(hasHours ? [] : ["Profit by hour of delivery needs tapes with results: --tape-format csv."]),
    ...(missing.length === 0 ? [] : [`Missing jobs: ${missing.join("; ")}.`]),
  ];
}
