// Reads a journal from the beginning up to the first damaged row: the header, the checkpoint in its file, and the records
// after it. If reading fails, the rows read so far are kept. Older records, which a process did not finish deleting, do not
// count.

import type { Database } from "bun:sqlite";
import type { CheckpointPart } from "../checkpoint/checkpoint.ts";
import { damagedCopies, readCheckpointFile } from "./checkpoint-file.ts";
import { type CheckpointInUse, commitFault, JOURNAL_FILE, rowFault, rowsOf } from "./journal-tables.ts";
import type { JournalHeader, StorageFault } from "./journal.ts";

/** A journal from its beginning up to the first damaged row. */
export interface ReadableJournal {
  readonly header: JournalHeader;
  readonly headerChecksum: number;
  /** Null if there is no checkpoint, or if it is damaged. A damaged checkpoint makes all records unreadable. */
  readonly checkpoint: CheckpointInUse | null;
  /** The first part of the checkpoint. */
  readonly firstPart: string | null;
  readonly lastNumber: number;
  readonly lastChecksum: number;
  /** Market time of the last record, in milliseconds since the epoch; null if unknown. */
  readonly lastTime: number | null;
}

export class JournalScan {
  readonly faults: StorageFault[] = [];
  /** Files whose other copy is whole. */
  readonly replaceable: StorageFault[] = [];
  readable: ReadableJournal | null = null;
  /** Checksum of the record that the witness names; null if that record was not found. */
  witnessedChecksum: number | null = null;

  /** `witnessed`: number of the record that the witness names; null without a witness. */
  constructor(readonly directory: string, readonly witnessed: number | null) {}

  read(database: Database): void {
    const [header] = rowsOf(database, "header", 0);
    const headerFault = header === undefined ? "is missing" : rowFault(header, 1, 0);
    if (header === undefined || headerFault !== null) return void this.#fault(`the header ${headerFault}`);
    const { checksum: headerChecksum, text } = header;
    this.readable = {
      header: JSON.parse(text),
      headerChecksum,
      checkpoint: null,
      firstPart: null,
      lastNumber: 0,
      lastChecksum: headerChecksum,
      lastTime: null,
    };
    this.#compareWithWitness(0, headerChecksum);
    if (this.#readCheckpoint(database, this.readable)) this.#readRecords(database, this.readable);
  }

  #readCheckpoint(database: Database, readable: ReadableJournal): boolean {
    const { headerChecksum } = readable;
    const [row] = rowsOf(database, "checkpoint", 0);
    if (row === undefined) return true;
    const rowDamage = rowFault(row, 1, headerChecksum);
    if (rowDamage !== null) return this.#fault(`the name of the checkpoint ${rowDamage}`);
    const checkpoint: CheckpointInUse = JSON.parse(row.text);
    for (const file of [checkpoint.state, ...checkpoint.operations]) {
      const damaged = damagedCopies(this.directory, file, headerChecksum);
      (damaged.length === 1 ? this.replaceable : this.faults).push(...damaged);
    }
    if (this.faults.length > 0) return false;
    let firstPart: string | null = null;
    let { lastTime } = readable;
    // The time is in one of the first two parts, which are small.
    for (const text of readCheckpointFile(this.directory, checkpoint.state, headerChecksum).take(2)) {
      firstPart ??= text;
      lastTime = timeOfPart(text) ?? lastTime;
    }
    const { upTo, recordChecksum } = checkpoint;
    this.readable = { ...readable, checkpoint, firstPart, lastNumber: upTo, lastChecksum: recordChecksum, lastTime };
    this.#compareWithWitness(upTo, recordChecksum);
    return true;
  }

  #readRecords(database: Database, start: ReadableJournal): void {
    let { lastNumber, lastChecksum } = start;
    let fault: string | null = null;
    let text: string | null = null;
    try {
      for (const row of rowsOf(database, "record", lastNumber)) {
        fault = commitFault(row, lastNumber, lastChecksum);
        if (fault !== null) break;
        lastNumber = row.number;
        lastChecksum = row.checksum;
        text = row.text;
        this.#compareWithWitness(lastNumber, lastChecksum);
      }
    } finally {
      const lastTime = (text === null ? null : timeOf(text.slice(text.lastIndexOf("\n") + 1))) ?? start.lastTime;
      this.readable = { ...start, lastNumber, lastChecksum, lastTime };
    }
    if (fault !== null) this.#fault(`record ${lastNumber + 1} ${fault}`);
  }

  #compareWithWitness(number: number, checksum: number): void {
    if (number === this.witnessed) this.witnessedChecksum = checksum;
  }

  #fault(what: string): false {
    this.faults.push({ file: JOURNAL_FILE, fault: `is damaged: ${what}` });
    return false;
  }
}

/** Calls carry market time as `now`; null for any other text. */
function timeOf(text: string): number | null {
  try {
    const { now } = JSON.parse(text) as { readonly now?: unknown };
    return typeof now === "number" ? now : null;
  } catch {
    return null;
  }
}

/** The part of a checkpoint with the engine's numbers carries market time among them; null for any other text. */
function timeOfPart(text: string): number | null {
  try {
    const { sections = [] } = JSON.parse(text) as Partial<Extract<CheckpointPart, { readonly kind: "state" }>>;
    for (const [name, items] of sections) if (name === "numbers") return items[0]?.now ?? null;
  } catch {
    // An earlier version wrote other parts.
  }
  return null;
}
