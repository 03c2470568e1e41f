// `mkt merge`: the folders of one study from several machines as one.

import type { Command } from "commander";
import { checkAll } from "../../common/command-line.ts";
import { checkOptions } from "../../common/options.ts";
import { printNote } from "../../common/output.ts";
import { showProgress } from "../../common/progress-bar.ts";
import { mergeStudies, openStudies } from "../../sim/study/merge-studies.ts";
import { type Job, jobLines } from "../../sim/study/study-jobs.ts";

const MOST_NAMED = 20;

export function addMergeCommand(program: Command): void {
  program.command("merge")
    .description("the folders of a study from several machines (mkt simulate --out --part) as one")
    .argument("<directory...>", "directories of the study, in any order")
    .option("--out <directory>", "the directory that gets all results; if it holds results of this study, they stay")
    .action(runMerge);
}

async function runMerge(directories: readonly string[], { out }: { readonly out: string }, command: Command) {
  checkAll(() => checkOptions(command, ["--out"]));
  const { from, into } = openStudies(directories, out);
  const progress = await showProgress(null, "jobs");
  try {
    const { missing } = mergeStudies(from, into, progress);
    progress.stop();
    if (missing.length > 0) throw new Error(missingText(missing, into.jobs.length, out));
    printNote(`mkt: ${into.jobs.length} jobs are done: ${into.finish()}`);
  } finally {
    progress.stop();
    into.close();
  }
}

function missingText(missing: readonly Job[], count: number, out: string): string {
  const lines = jobLines(missing);
  const more = lines.length - MOST_NAMED;
  return [
    `${missing.length} of ${count} jobs are missing; the command of the study with --out ${out} runs them:`,
    ...lines.slice(0, MOST_NAMED),
    ...(more > 0 ? [`and ${more} more lines`] : []),
  ].join("\n");
}
