// `mkt replay`: plays recorded order flow into a book, and prints the result.

import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { atLeastOne, oneLine, print, printJson, UsageError } from "../../common/command-line.ts";
import { replayLobsterFiles, replayOpsFile, reportAsText } from "../replay/replay-files.ts";

const FORMATS = ["ops", "lobster"] as const;

interface ReplayArguments {
  readonly format?: (typeof FORMATS)[number];
  readonly messages?: string;
  readonly book?: string;
  readonly levels?: number;
  readonly bookOut?: string;
  readonly json?: true;
}

export function addReplayCommand(program: Command): void {
  program.command("replay")
    .description("play recorded order flow into a book of the engine, and count the results")
    .argument("[file]", "the file of operations or messages, as --messages")
    .addOption(
      new Option("--format <format>", "layout of the file (default: ops, or lobster with --book)").choices(FORMATS),
    )
    .option("--messages <file>", "the file of operations (ops) or messages (lobster)")
    .option("--book <file>", "lobster: the book after each message")
    .addOption(new Option("--levels <number>", "lobster: levels a side in the book file").argParser(atLeastOne))
    .option("--book-out <file>", "lobster: write the book's own rows there")
    .option("--json", "as JSON")
    .action(runReplay);
}

async function runReplay(file: string | undefined, given: ReplayArguments): Promise<void> {
  const outcome = await replay(file, given);
  if (!outcome.ok) throw new Error(oneLine(outcome.fault));
  await (given.json ? printJson(JSON.stringify(outcome.report)) : print(reportAsText({ ...outcome.report })));
}

function replay(file: string | undefined, given: ReplayArguments) {
  const { messages = file, book, levels, bookOut } = given;
  const format = given.format ?? (book === undefined ? "ops" : "lobster");
  if (messages === undefined) throw new UsageError("--messages: name the file to play");
  if (file !== undefined && file !== messages) throw new UsageError("--messages: names another file than the argument");
  if (format === "ops") {
    if (book === undefined && levels === undefined && bookOut === undefined) {
      return replayOpsFile(messages, () => performance.now());
    }
    throw new UsageError("--book, --levels and --book-out need --format lobster");
  }
  if (book === undefined) throw new UsageError("--book: name the file with the book after each message");
  if (levels === undefined) throw new UsageError("--levels: give the number of levels a side in the book file");
  if (bookOut !== undefined && [messages, book].some((input) => resolve(input) === resolve(bookOut))) {
    throw new UsageError("--book-out: would overwrite an input file");
  }
  return replayLobsterFiles({ messages, book, levels, bookOut });
}
