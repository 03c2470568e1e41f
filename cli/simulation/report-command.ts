// `mkt report`: a page of one or several runs, from their tapes, or the variants of studies compared.

import type { Command } from "commander";
import { checkAll, UsageError } from "../../common/command-line.ts";
import { checkOptions, choice } from "../../common/options.ts";
import { print, printJson, printNote } from "../../common/output.ts";
import { showProgress } from "../../common/progress-bar.ts";
import { NewFile } from "../../sim/report/new-file.ts";
import { readRun, tapeOfRun } from "../../sim/report/recorded-run.ts";
import { reportPage } from "../../sim/report/report-page.ts";
import { studyPage } from "../../sim/comparison/study-page.ts";
import { studyJson, studyText } from "../../sim/comparison/study-text.ts";
import { compareStudies, isStudyFolder } from "../../sim/comparison/comparison.ts";
import { bookAtOption, MOST_RUNS } from "./report-options.ts";

const MEGABYTE = 1_000_000;

interface PageArguments {
  readonly out?: string;
  readonly bookAt?: readonly number[];
  readonly format?: "text" | "json";
}

export function addReportCommand(program: Command): void {
  program.command("report")
    .description(
      "a page of simulated runs from their tapes, or the variants of a study compared, as text, JSON or a page",
    )
    .argument("<folder...>", "folders of tapes (mkt simulate --tape), or of studies (mkt simulate --out)")
    .option("--out <file>", "the new HTML file")
    .addOption(bookAtOption())
    .addOption(
      choice("--format <format>", "of studies without --out: how to print it (default: text)", ["text", "json"]),
    )
    .action(runReport);
}

async function runReport(folders: readonly string[], given: PageArguments, command: Command): Promise<void> {
  const studies = folders.filter(isStudyFolder);
  const { out = "", bookAt = null } = given;
  checkAll(
    () => checkOptions(command, studies.length === 0 ? ["--out"] : []),
    () => checkFolders(folders, studies, given),
  );
  if (studies.length === 0) return await writeReport(new NewFile(out, "--out"), folders, bookAt);
  const file = given.out === undefined ? null : new NewFile(out, "--out");
  const progress = await showProgress(null, "runs");
  const comparison = compareStudies(studies, (done, all) => progress.update(done, all));
  progress.stop();
  if (file === null) {
    return await (given.format === "json" ? printJson(studyJson(comparison)) : print(studyText(comparison)));
  }
  file.finish(studyPage(comparison));
  printNote(file.path);
}

/** Throws UsageError. */
function checkFolders(folders: readonly string[], studies: readonly string[], given: PageArguments): void {
  const { out, bookAt, format } = given;
  const isOfStudies = studies.length > 0;
  const faults = [
    isOfStudies && studies.length < folders.length &&
    `folder: ${studies[0]} is a study, and another one is not: report tapes and studies one after the other`,
    isOfStudies && bookAt !== undefined && "--book-at: needs tapes; a study's report has no books",
    !isOfStudies && format !== undefined && "--format: needs a study; the report of tapes is a page",
    isOfStudies && out !== undefined && format !== undefined && "--format: leave it out; --out makes a page",
    !isOfStudies && folders.length > MOST_RUNS &&
    `folder: at most ${MOST_RUNS} runs fit side by side, not ${folders.length}`,
  ].filter((fault) => fault !== false);
  if (faults.length > 0) throw new UsageError(faults.join("\n"));
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
