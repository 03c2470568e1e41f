// What a finished run says of itself: its line of JSON, and the run.json of its tape. Both are the same whether the run was
// made alone or as a job of a study.

import { safeJsonLine } from "../../common/safe-text.ts";
import { HOUR_MS } from "../../protocol/time-units.ts";
import type { CompleteExperiment } from "../experiment/resolve-experiment.ts";
import type { Variant } from "../experiment/grid.ts";
import type { HeadlessReport } from "../headless/headless-report.ts";
import { addedStrategyFiles } from "../outside/strategies/strategy-files.ts";
import type { RunDescription } from "../report/recorded-run.ts";
import { jobFields } from "./study-jobs.ts";
import packageJson from "../../package.json" with { type: "json" };

/** The report, after what names the job if the run is of a variant. */
export function resultOf(report: HeadlessReport, variant: Variant): Readonly<Record<string, unknown>> {
  return { ...jobFields(variant, report.seed), ...report };
}

/** With its line feed. */
export function resultLine(report: HeadlessReport, variant: Variant): string {
  return `${safeJsonLine(JSON.stringify(resultOf(report, variant)))}\n`;
}

/** `command`: repeats the run alone. */
export function runOf(
  { seed, steps, startedAt, endedAt }: HeadlessReport,
  experiment: CompleteExperiment,
  command: string,
): RunDescription {
  const hours = (Date.parse(endedAt) - Date.parse(startedAt)) / HOUR_MS;
  const strategyFiles = addedStrategyFiles();
  return {
    version: packageJson.version,
    command,
    seed,
    startedAt,
    endedAt,
    hours,
    steps,
    experiment: { ...experiment },
    ...(strategyFiles.length === 0 ? {} : { strategyFiles }),
  };
}
