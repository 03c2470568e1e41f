// `mkt replay`: plays recorded order flow into a book, and prints the result.

import { resolve } from "node:path";
import type { Command } from "commander";
import { checkAll, oneLine, UsageError } from "../../common/command-line.ts";
import { checkOptions, choice, option, wholeNumber } from "../../common/options.ts";
import { print, printJson } from "../../common/output.ts";
import { replayLobsterFiles, replayOpsFile, reportAsText } from "../../engine/replay/replay-files.ts";

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
    .addOption(choice("--format <format>", "layout of the file (default: ops, or lobster with --book)", FORMATS))
    .option("--messages <file>", "the file of operations (ops) or messages (lobster)")
    .option("--book <file>", "lobster: the book after each message")
    .addOption(option("--levels <number>", "lobster: levels a side in the book file", wholeNumber(1, 999_999_999)))
    .option("--book-out <file>", "lobster: write the book's own rows there")
    .option("--json", "as JSON")
    .action(runReplay);
}

async function runReplay(file: string | undefined, given: ReplayArguments, command: Command): Promise<void> {
  checkAll(() => checkOptions(command), () => checkFiles(file, given));
  const outcome = await replay({ ...given, messages: given.messages ?? file ?? "" });
  if (!outcome.ok) throw new Error(oneLine(outcome.fault));
  await (given.json ? printJson(JSON.stringify(outcome.report)) : print(reportAsText({ ...outcome.report })));
}

/** Throws UsageError if files are missing, or options don't fit together. */
function checkFiles(file: string | undefined, given: ReplayArguments): void {
  const { messages = file, book, levels, bookOut } = given;
  const faults: string[] = [];
  if (messages === undefined) faults.push("--messages: name the file to play");
  else if (file !== undefined && file !== messages) faults.push("--messages: names another file than the argument");
  const format = formatOf(given);
  if (format === "ops" && (book ?? levels ?? bookOut) !== undefined) {
    faults.push("--book, --levels and --book-out need --format lobster");
  }
  if (format === "lobster") {
    if (book === undefined) faults.push("--book: name the file with the book after each message");
    if (levels === undefined) faults.push("--levels: give the number of levels a side in the book file");
    const inputs = [messages, book].filter((path) => path !== undefined).map((path) => resolve(path));
    if (bookOut !== undefined && inputs.includes(resolve(bookOut))) {
      faults.push("--book-out: would overwrite an input file");
    }
  }
  if (faults.length > 0) throw new UsageError(faults.join("\n"));
}

function formatOf({ format, book }: ReplayArguments) {
  return format ?? (book === undefined ? "ops" : "lobster");
}

function replay(given: ReplayArguments & { readonly messages: string }) {
  const { messages, book, levels, bookOut } = given;
  return book === undefined || levels === undefined
    ? replayOpsFile(messages, () => performance.now())
    : replayLobsterFiles({ messages, book, levels, bookOut });
}
