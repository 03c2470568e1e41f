// `mkt arena report` and `mkt arena leaderboard`: what records of episodes say of agents.

import type { Command } from "commander";
import { verify } from "../../arena/record/verify.ts";
import { writeLeaderboard } from "../../arena/report/leaderboard.ts";
import { ratingsIn } from "../../arena/report/ratings.ts";
import { ratingsJson, ratingsText } from "../../arena/report/ratings-text.ts";
import { reportPage } from "../../arena/report/report-page.ts";
import { readSeedKey } from "../../arena/scenario/seed-key.ts";
import { loadSolver } from "../../arena/score/programme.ts";
import { UsageError } from "../../common/command-line.ts";
import { errorMessage } from "../../common/error-message.ts";
import { print, printJson, printNote } from "../../common/output.ts";
import type { Program } from "../../core/runtime.ts";
import { NewFile } from "../../sim/report/new-file.ts";

interface ReportOptions {
  readonly out?: string;
  readonly json?: true;
}

interface LeaderboardOptions {
  readonly out: string;
  readonly verify?: true;
  readonly seedKey?: string;
}

export function addReportCommands(arena: Command, program: Program): void {
  arena.command("report")
    .description("agents by scenario, from the records in folders: scores, intervals and paired differences")
    .argument("<folder...>", "such as the folder of a run")
    .option("--out <file>", "a page with charts, and episodes of each agent, in this new HTML file")
    .option("--json", "as JSON, instead of text")
    .action(report);
  arena.command("leaderboard")
    .description("a new folder for any web server: the report, the results, the records and how to check them")
    .argument("<folder...>", "such as the folder of a run")
    .requiredOption("--out <folder>", "the new folder")
    .option("--verify", "play every record again first, and leave out those that come out otherwise")
    .option("--seed-key <file>", "with --verify: the secret from which the seeds follow")
    .action((folders: readonly string[], given: LeaderboardOptions) => leaderboard(folders, given, program));
}

async function report(folders: readonly string[], { out, json }: ReportOptions): Promise<void> {
  const file = out === undefined ? null : new NewFile(out, "--out");
  const ratings = ratingsIn(folders);
  if (file !== null) {
    file.finish(reportPage(ratings));
    printNote(file.path);
  }
  if (json) return await printJson(ratingsJson(ratings));
  if (file === null) await print(ratingsText(ratings));
}

async function leaderboard(folders: readonly string[], given: LeaderboardOptions, program: Program): Promise<void> {
  const { out, seedKey } = given;
  if (seedKey !== undefined && !given.verify) throw new UsageError("--seed-key: needs --verify");
  const key = seedKey === undefined ? null : readSeedKey(seedKey);
  if (given.verify) await loadSolver();
  const difference = async (folder: string) => {
    try {
      return (await verify(folder, program, key)).difference;
    } catch (error) {
      return errorMessage(error);
    }
  };
  const leftOut = await writeLeaderboard({ folders, out, ...given.verify && { difference } });
  for (const { record, reason } of leftOut) printNote(`mkt: left out: ${record}: ${reason}`);
  printNote(out);
}
