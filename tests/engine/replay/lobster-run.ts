// Replays a pair of LOBSTER files as `mkt replay` does.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LobsterReport } from "../../../engine/replay/lobster-replay.ts";
import type { ReplayOutcome } from "../../../engine/replay/ops-replay.ts";
import { replayLobsterFiles } from "../../../engine/replay/replay-files.ts";

interface LobsterRun {
  readonly outcome: ReplayOutcome<LobsterReport>;
  /** The lines of --book-out. */
  readonly own: readonly string[];
}

/** The report before the first row. */
export const NO_COUNTS: Readonly<LobsterReport> = {
  rows: 0,
  predictedLevels: 0,
  matchedLevels: 0,
  adoptedLevels: 0,
  executions: 0,
  executionsAtHead: 0,
  executionsAnonymous: 0,
  executionsElsewhere: 0,
};

export function text(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** Faults name the files M.csv and B.csv. */
export async function runLobster(levels: number, messages: string, book: string): Promise<LobsterRun> {
  const directory = await mkdtemp(join(tmpdir(), "mkt-replay-"));
  const path = (name: string) => join(directory, name);
  try {
    await Bun.write(path("M.csv"), messages);
    await Bun.write(path("B.csv"), book);
    const files = { messages: path("M.csv"), book: path("B.csv"), levels, bookOut: path("OUT.csv") };
    const outcome = await replayLobsterFiles(files);
    const own = await Bun.file(path("OUT.csv")).text();
    return {
      outcome: outcome.ok ? outcome : { ok: false, fault: outcome.fault.replace(`${directory}/`, "") },
      own: own.split("\n").slice(0, -1),
    };
  } finally {
    await rm(directory, { recursive: true });
  }
}
