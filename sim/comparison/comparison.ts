// The variants of one study or of several, side by side: of each measure its spread over the seeds, and the differences from
// the first variant in runs with the same seed. Such pairs have the same spot prices and events, so their differences often
// scatter less than the runs do.
//
// Memory: some numbers for each run. A result is read once.

import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { variantText } from "../experiment/grid.ts";
import type { HeadlessReport } from "../headless/headless-report.ts";
import { ProfitDigest } from "../report/profit-digest.ts";
import { tapeOfRun } from "../report/recorded-run.ts";
import { feedTable } from "../report/tape-rows.ts";
import { HOUR_PROFIT, type Measure, type Measured, measuresOf, variedGroups } from "./run-measures.ts";
import { type Spread, spreadOf } from "../../common/statistics.ts";
import { STUDY_FILE, StudyFolder, studyIn } from "../study/study-folder.ts";
import { type Job, jobLines, seedText } from "../study/study-jobs.ts";

interface ComparedVariant {
  readonly name: string;
  /** Number of runs, and their seeds as in `1..20`. */
  readonly runs: number;
  readonly seeds: string;
}

interface Difference extends Spread {
  /** Share of the pairs in which the measure is greater than in the first variant. */
  readonly greater: number;
  /** Whether the interval of the mean difference leaves out zero. */
  readonly isClear: boolean;
}

interface ComparedMeasure extends Measure {
  /** Of each variant; null if no run has a value. */
  readonly spreads: readonly (Spread | null)[];
  /** Each variant less the first, which has none; null without pairs. */
  readonly differences: readonly (Difference | null)[];
  /** By seed, of each variant. */
  readonly values: readonly ReadonlyMap<number, number>[];
}

export interface Comparison {
  readonly studies: readonly { readonly folder: string; readonly experiment: string; readonly version: string }[];
  readonly variants: readonly ComparedVariant[];
  /** Jobs without a result, as `mkt merge` names them. */
  readonly missing: readonly string[];
  /** Whether tapes of the runs tell profits by hour of delivery. */
  readonly hasHours: boolean;
  readonly measures: readonly ComparedMeasure[];
}

interface ReadVariant {
  readonly name: string;
  readonly runs: ReadonlyMap<number, Measured>;
}

/** Whether the folder is that of a study. */
export function isStudyFolder(path: string): boolean {
  return existsSync(join(path, STUDY_FILE));
}

/** Throws an Error of one line if a folder can't be read. `onRun`: called with the number of runs read so far, and of all. */
export function compareStudies(paths: readonly string[], onRun: (done: number, all: number) => void): Comparison {
  const folders = paths.map((path) => new StudyFolder(path, studyIn(path)));
  const all = folders.reduce((sum, { jobs }) => sum + jobs.length, 0);
  let read = 0;
  const missing: Job[] = [];
  const variants = folders.flatMap((folder) => {
    const done = folder.done();
    const prefix = folders.length === 1 ? "" : basename(resolve(folder.path));
    const { name: experiment } = folder.study.experiment as unknown as { readonly name: string };
    missing.push(...folder.jobs.filter(({ key }) => !done.has(key)));
    const byVariant = Map.groupBy(folder.jobs, ({ variant }) => variantText(variant));
    return [...byVariant].map(([text, jobs]): ReadVariant => {
      const runs = new Map<number, Measured>();
      for (const job of jobs) {
        if (done.has(job.key)) runs.set(job.seed, runOf(folder, job));
        onRun(read += 1, all);
      }
      return { name: [prefix, text].filter(Boolean).join(": ") || experiment, runs };
    });
  });
  const measures = comparedMeasures(variants);
  return {
    studies: folders.map(({ path, study: { mkt: version, experiment } }) => ({
      folder: path,
      experiment: String(experiment["name"]),
      version,
    })),
    variants: variants.map(({ name, runs }) => ({ name, runs: runs.size, seeds: seedText([...runs.keys()]) })),
    missing: jobLines(missing),
    hasHours: measures.some(({ section }) => section.startsWith(HOUR_PROFIT)),
    measures,
  };
}

function runOf(folder: StudyFolder, job: Job): Measured {
  const report = JSON.parse(folder.result(job)) as HeadlessReport;
  const { personas } = folder.study.experiment as unknown as {
    readonly personas: readonly { readonly count: number }[];
  };
  const hours = folder.study.tape === "csv" ? hoursIn(folder.tapeOf(job.key)) : null;
  try {
    return measuresOf(report, variedGroups(personas, job.variant), hours);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Error(`${folder.resultOf(job.key)}: another version of mkt wrote it: run the study again`, {
      cause: error,
    });
  }
}

function hoursIn(tape: string): ProfitDigest["deliveryHours"] {
  const { definition: { markets: [market] } } = tapeOfRun(tape);
  const profits = new ProfitDigest(market?.timezone ?? "UTC");
  feedTable(tape, "results", { append: (_table, time, row) => profits.add(time, row) });
  return profits.deliveryHours;
}

/** In the order in which the runs first have them, section by section. */
function comparedMeasures(variants: readonly ReadVariant[]): ComparedMeasure[] {
  const found = new Map<string, { readonly measure: Measure; readonly values: Map<number, number>[] }>();
  for (const [at, { runs }] of variants.entries()) {
    for (const [seed, measured] of runs) {
      for (const [measure, value] of measured) {
        const { values } = found.getOrInsertComputed(
          `${measure.section} ${measure.title}`,
          () => ({ measure, values: variants.map(() => new Map<number, number>()) }),
        );
        values[at]!.set(seed, value);
      }
    }
  }
  const told = found.values().filter(({ measure: { section }, values }) =>
    // Hours in which nobody traded.
    !section.startsWith(HOUR_PROFIT) || values.some((bySeed) => bySeed.values().some((value) => value !== 0))
  );
  const bySection = Map.groupBy(told, ({ measure: { section } }) => section);
  return [...bySection.values()].flat().map(({ measure, values }) => ({
    ...measure,
    spreads: values.map((ofVariant) => spreadOf([...ofVariant.values()])),
    differences: values.map((ofVariant, at) => at === 0 ? null : differenceOf(values[0]!, ofVariant)),
    values,
  }));
}

function differenceOf(first: ReadonlyMap<number, number>, other: ReadonlyMap<number, number>): Difference | null {
  const pairs = pairedDifferences(first, other);
  const spread = spreadOf(pairs);
  if (spread === null) return null;
  const { mean, margin, runs } = spread;
  return {
    ...spread,
    greater: pairs.filter((by) => by > 0).length / runs,
    isClear: margin !== null && Math.abs(mean) > margin,
  };
}

/** Of the seeds that both have. */
export function pairedDifferences(
  first: ReadonlyMap<number, number>,
  other: ReadonlyMap<number, number>,
): readonly number[] {
  return [...other].flatMap(([seed, value]) => first.has(seed) ? [value - first.get(seed)!] : []);
}
