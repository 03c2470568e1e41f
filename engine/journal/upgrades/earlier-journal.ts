// A journal of an earlier format: its inspection, and its content in the present format.

import { type Database } from "bun:sqlite";
import { join } from "node:path";
import { CheckpointDamage } from "../checkpoint-file.ts";
import { inspectJournal, type JournalInspection } from "../inspect-journal.ts";
import type { ReadableJournal } from "../journal-scan.ts";
import { commitFault, JOURNAL_FILE, rowsOf } from "../journal-tables.ts";
import { readWitness } from "../journal-witness.ts";
import { readDatabase, sizeOf, Unreadable } from "../read-only-database.ts";
import { formatVersion } from "../sqlite-values.ts";
import { earlierFormat } from "./earlier-format.ts";
import type { JournalContent, JsonObject, PastFills } from "./journal-content.ts";
import { upgradeJournal } from "./journal-upgrades.ts";

/** The format of a directory's journal, as its witness or the journal itself says; null if neither can be read. */
export function versionIn(directory: string): number | null {
  const witness = readWitness(directory);
  if (witness.kind === "read") return witness.witnessed.format;
  const path = join(directory, JOURNAL_FILE);
  if (sizeOf(path) === 0) return null;
  try {
    return readDatabase(path, formatVersion);
  } catch (error) {
    // The inspection of the directory says what is damaged.
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

/** Like `inspectJournal`, for a journal of an earlier format that can be upgraded. Changes nothing. */
export function inspectEarlierJournal(directory: string, version: number): JournalInspection {
  return inspectJournal(directory, earlierFormat(version));
}

/**
 * Gives `use` the content of an inspected journal in the present format. It is read and upgraded as it is asked for, and
 * every row is checked again. Throws NotUpgradable, or an Error if the disk returns other bytes than at the inspection.
 */
export function useUpgraded<Result>(
  directory: string,
  version: number,
  readable: ReadableJournal,
  pastFills: PastFills,
  use: (content: JournalContent) => Result,
): Result {
  return readDatabase(join(directory, JOURNAL_FILE), (database) => {
    const { header, checkpoint, headerChecksum } = readable;
    return use(upgradeJournal(version, {
      header: header as unknown as JsonObject,
      parts: checkpoint === null ? null : partsOf(database, directory, version, readable),
      records: recordsOf(database, checkpoint?.upTo ?? 0, checkpoint?.recordChecksum ?? headerChecksum),
    }, pastFills));
  });
}

function* partsOf(
  database: Database,
  directory: string,
  version: number,
  { checkpoint, headerChecksum }: ReadableJournal,
): Generator<JsonObject, void, undefined> {
  if (checkpoint === null) return;
  try {
    const parts = earlierFormat(version).checkpointParts(database, directory, checkpoint, headerChecksum);
    for (const text of parts) yield JSON.parse(text);
  } catch (error) {
    if (!(error instanceof CheckpointDamage)) throw error;
    throw new Error(`${checkpoint.file ?? JOURNAL_FILE} ${error.message}`, { cause: error });
  }
}

function* recordsOf(database: Database, after: number, seed: number): Generator<JsonObject, void, undefined> {
  let [number, checksum] = [after, seed];
  for (const row of rowsOf(database, "record", after)) {
    const fault = commitFault(row, number, checksum);
    if (fault !== null) throw new Error(`record ${number + 1} ${fault}`);
    checksum = row.checksum;
    number = row.number;
    for (const text of row.text.split("\n")) yield JSON.parse(text);
  }
}
