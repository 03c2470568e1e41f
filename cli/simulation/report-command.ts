// `mkt report`: a page of one or several runs, from their tapes.

import type { Command } from "commander";
import { checkAll, UsageError } from "../../common/command-line.ts";
import { checkOptions } from "../../common/options.ts";
import { printNote } from "../../common/output.ts";
import { showProgress } from "../../common/progress-bar.ts";
import { NewFile } from "../../sim/report/new-file.ts";
import { readRun, tapeOfRun } from "../../sim/report/recorded-run.ts";
import { reportPage } from "../../sim/report/report-page.ts";
import { bookAtOption, MOST_RUNS } from "./report-options.ts";

const MEGABYTE = 1_000_000;

interface PageArguments {
  readonly out: string;
  readonly bookAt?: readonly number[];
}

export function addReportCommand(program: Command): void {
  program.command("report")
    .description("a page with charts of simulated runs, side by side, from the tapes of mkt simulate --tape")
    .argument("<tape...>", "directories of tapes")
    .option("--out <file>", "the new HTML file")
    .addOption(bookAtOption())
    .action(runReport);
}

async function runReport(tapes: readonly string[], { out, bookAt }: PageArguments, command: Command): Promise<void> {
  checkAll(() => checkOptions(command, ["--out"]), () => checkTapes(tapes));
  await writeReport(new NewFile(out, "--out"), tapes, bookAt ?? null);
}

/** Throws UsageError. */
function checkTapes(tapes: readonly string[]): void {
  if (tapes.length > MOST_RUNS) {
    throw new UsageError(`tape: at most ${MOST_RUNS} runs fit side by side, not ${tapes.length}`);
  }
}

/** Names the file on stderr when it is written. Throws an Error of one line if a tape can't be read. */
export async function writeReport(
  file: NewFile,
  tapes: readonly string[],
  bookAt: readonly number[] | null,
): Promise<void> {
  const found = tapes.map(tapeOfRun);
  const total = found.reduce((sum, { bytes }) => sum + bytes, 0);
  const progress = await showProgress(Math.ceil(total / MEGABYTE), "MB");
  let before = 0;
  const runs = found.map((tape) => {
    const run = readRun(tape, bookAt, (done) => progress.update(Math.ceil((before + done) / MEGABYTE)));
    before += tape.bytes;
    return run;
  });
  progress.stop();
  file.finish(reportPage(runs));
  printNote(file.path);
}
