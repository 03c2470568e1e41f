// The replay of files, as `mkt replay` runs it. A missing or unreadable file throws an error that names it.
// Invalid content is a fault, which names the file and the place.

import { access, constants } from "node:fs/promises";
import { showProgress } from "../../common/progress-bar.ts";
import { LineReader, LineWriter, unreadable } from "./line-files.ts";
import { formatBookRow, parseBookRow, parseMessage, RowFault } from "./lobster-files.ts";
import { LobsterReplay, type LobsterReport } from "./lobster-replay.ts";
import { readOperations } from "./ops-file.ts";
import { type OpsReport, replayOperations, type ReplayOutcome, type Stopwatch } from "./ops-replay.ts";

/** Replays a file of operations (ops-file.ts). */
export async function replayOpsFile(path: string, stopwatch: Stopwatch): Promise<ReplayOutcome<OpsReport>> {
  const bytes = await Bun.file(path).bytes().catch((error: unknown) => {
    throw unreadable(path, error);
  });
  const read = readOperations(bytes);
  if (!read.ok) return { ok: false, fault: `${path}: ${read.fault}` };
  const progress = await showProgress(read.operations.count, "operations");
  const outcome = replayOperations(read.operations, stopwatch, progress.update);
  progress.stop();
  return outcome.ok ? outcome : { ok: false, fault: `${path}: ${outcome.fault}` };
}

interface LobsterFiles {
  readonly messages: string;
  readonly book: string;
  /** Levels on each side in a row of the book file. */
  readonly levels: number;
  /** Path for the replayed book's rows. */
  readonly bookOut?: string;
}

/** Replays a pair of LOBSTER files. If a row is invalid, the rows before it have been written to `bookOut`. */
export async function replayLobsterFiles(files: LobsterFiles): Promise<ReplayOutcome<LobsterReport>> {
  // Checked before opening the output, because opening empties it.
  for (const input of [files.messages, files.book]) {
    await access(input, constants.R_OK).catch((error: unknown) => {
      throw unreadable(input, error);
    });
  }
  const messages = new LineReader(files.messages);
  const rows = new LineReader(files.book);
  const output = files.bookOut === undefined ? null : new LineWriter(files.bookOut);
  const progress = await showProgress(Math.ceil(Bun.file(files.messages).size / 1_024), "KiB");
  try {
    return await playRows(files.levels, messages, rows, (row) => {
      progress.update(Math.floor(messages.bytesRead / 1_024));
      output?.write(row);
    });
  } finally {
    progress.stop();
    await Promise.all([messages.close(), rows.close()]);
    output?.close();
  }
}

async function playRows(
  levels: number,
  messages: LineReader,
  rows: LineReader,
  onRow: (row: string) => void,
): Promise<ReplayOutcome<LobsterReport>> {
  const replay = new LobsterReplay(levels);
  for (;;) {
    const messageLine = await messages.read();
    const rowLine = await rows.read();
    if (messageLine === null && rowLine === null) return { ok: true, report: replay.report };
    if (rowLine === null) return faultAt(rows, rows.lineNumber + 1, `no row for message ${messages.lineNumber}`);
    if (messageLine === null) return faultAt(rows, rows.lineNumber, "no message for this row");
    const message = parseMessage(messageLine);
    if (message instanceof RowFault) return faultAt(messages, messages.lineNumber, message.what);
    const row = parseBookRow(rowLine, levels);
    if (row instanceof RowFault) return faultAt(rows, rows.lineNumber, row.what);
    const own = replay.play(message, row);
    if (own instanceof RowFault) return faultAt(messages, messages.lineNumber, own.what);
    onRow(formatBookRow(own, levels));
  }
}

function faultAt({ path }: LineReader, line: number, what: string): { ok: false; fault: string } {
  return { ok: false, fault: `${path}: line ${line}: ${what}` };
}

/** One line for each count, with the names that `--json` prints. */
export function reportAsText(report: Readonly<Record<string, number | null>>): string {
  const width = Math.max(...Object.keys(report).map((name) => name.length));
  return Object.entries(report).map(([name, value]) => `${name.padEnd(width)}  ${value ?? "-"}`).join("\n");
}
