// Reads the content of an inspected journal as it is asked for, a part or a commit at a time. All of it is checked again: the
// disk may return other bytes than at the inspection. Then an Error of one line is thrown.

import type { Database } from "bun:sqlite";
import { CheckpointDamage } from "./checkpoint-file.ts";
import { readCheckpoint } from "./checkpoint-files.ts";
import { journalError } from "./inspect-journal.ts";
import type { ReadableJournal } from "./journal-scan.ts";
import { type CheckpointInUse, commitFault, rowsOf } from "./journal-tables.ts";
import type { JournalRecord, LoadedJournal } from "./journal.ts";

/** `database`: the journal's file. */
export function readJournal(
  directory: string,
  database: Database,
  { header, headerChecksum, checkpoint }: ReadableJournal,
): Pick<LoadedJournal, "header" | "checkpoint" | "records"> {
  const [after, seed] = [checkpoint?.upTo ?? 0, checkpoint?.recordChecksum ?? headerChecksum];
  return {
    header,
    checkpoint: checkpoint && { upTo: checkpoint.upTo, parts: partsOf(directory, checkpoint, headerChecksum) },
    records: recordsOf(directory, database, after, seed),
  };
}

function* partsOf(directory: string, checkpoint: CheckpointInUse, header: number): Generator<string, void, undefined> {
  try {
    yield* readCheckpoint(directory, checkpoint, header);
  } catch (error) {
    if (!(error instanceof CheckpointDamage)) throw error;
    throw journalError(directory, new Error(`${checkpoint.state.file} or one of its files ${error.message}`));
  }
}

function* recordsOf(
  directory: string,
  database: Database,
  after: number,
  seed: number,
): Generator<JournalRecord, void, undefined> {
  let [number, checksum] = [after, seed];
  for (const row of rowsOf(database, "record", after)) {
    const fault = commitFault(row, number, checksum);
    if (fault !== null) throw journalError(directory, new Error(`record ${number + 1} ${fault}`));
    checksum = row.checksum;
    for (const text of row.text.split("\n")) yield { number: ++number, text };
  }
}
