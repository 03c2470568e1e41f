// Reads the rows of a journal from the beginning up to the first damaged one. If reading fails, the rows read so far are kept.

import type { Database } from "bun:sqlite";
import { type CheckpointEnd, checkpointSeed, JOURNAL_FILE, rowFault, rowsOf } from "./journal-tables.ts";
import type { JournalHeader, StorageFault } from "./journal.ts";

/** A journal from its beginning up to the first damaged row. */
export interface ReadableJournal {
  readonly header: JournalHeader;
  readonly headerChecksum: number;
  /** Null if there is no checkpoint, or if it is damaged. A damaged checkpoint makes all records unreadable. */
  readonly checkpoint: CheckpointEnd | null;
  /** The first part of the checkpoint. */
  readonly firstPart: string | null;
  readonly lastNumber: number;
  readonly lastChecksum: number;
  /** Engine time of the last record, in milliseconds since the epoch; null if unknown. */
  readonly lastTime: number | null;
}

export class JournalScan {
  readonly faults: StorageFault[] = [];
  readable: ReadableJournal | null = null;
  /** Checksum of the record that the witness names; null if that record was not found. */
  witnessedChecksum: number | null = null;

  /** `witnessed`: number of the record that the witness names; null without a witness. */
  constructor(readonly witnessed: number | null) {}

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
    const [end] = rowsOf(database, "checkpoint_end", 0);
    if (end === undefined) {
      const [stray] = rowsOf(database, "checkpoint", 0);
      return stray === undefined || this.#fault("the checkpoint has no end");
    }
    const endFault = rowFault(end, 1, readable.headerChecksum);
    if (endFault !== null) return this.#fault(`the checkpoint's end ${endFault}`);
    const checkpoint: CheckpointEnd = JSON.parse(end.text);
    let [number, checksum, lastTime] = [0, checkpointSeed(readable.headerChecksum, checkpoint.upTo), readable.lastTime];
    let firstPart: string | null = null;
    for (const row of rowsOf(database, "checkpoint", 0)) {
      const fault = rowFault(row, number + 1, checksum);
      if (fault !== null) return this.#fault(`part ${number + 1} of the checkpoint ${fault}`);
      number += 1;
      checksum = row.checksum;
      firstPart ??= row.text;
      // The time is in one of the first two parts, which are small.
      if (number <= 2) lastTime = timeOf(row.text) ?? lastTime;
    }
    if (number !== checkpoint.parts || checksum !== checkpoint.partsChecksum) {
      return this.#fault(`the checkpoint has ${number} parts instead of ${checkpoint.parts}`);
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
        fault = rowFault(row, lastNumber + 1, lastChecksum);
        if (fault !== null) break;
        lastNumber = row.number;
        lastChecksum = row.checksum;
        text = row.text;
        this.#compareWithWitness(lastNumber, lastChecksum);
      }
    } finally {
      const lastTime = (text === null ? null : timeOf(text)) ?? start.lastTime;
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

/** Calls and parts of a checkpoint carry the engine's time as `now`; null for any other text. */
function timeOf(text: string): number | null {
  try {
    const { now } = JSON.parse(text) as { readonly now?: unknown };
    return typeof now === "number" ? now : null;
  } catch {
    return null;
  }
}
