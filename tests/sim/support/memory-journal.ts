// A journal in memory, on a disk that outlives the journal: a later journal on the same disk finds all synced records, and
// no others.

import {
  type JournalCheckpoint,
  JournalDamage,
  type JournalHeader,
  type JournalRecord,
  type JournalStore,
  type LoadedJournal,
} from "../../../sim/journal/journal.ts";

/** The durable content. */
export class MemoryDisk {
  header: JournalHeader | null = null;
  checkpoint: JournalCheckpoint | null = null;
  records: JournalRecord[] = [];
  /** Number of the last committed record: the witness. */
  committed = 0;
}

export class MemoryJournal implements JournalStore {
  #appended: JournalRecord[] = [];
  #lastNumber = 0;

  constructor(readonly disk: MemoryDisk = new MemoryDisk()) {}

  load(): LoadedJournal | null {
    const { header, checkpoint, records } = this.disk;
    if (header === null) return null;
    this.#lastNumber = records.at(-1)?.number ?? checkpoint?.upTo ?? 0;
    const fault = faultOf(this.disk, this.#lastNumber);
    if (fault !== null) throw new JournalDamage([{ file: "the disk in memory", fault }]);
    return { header, checkpoint, records: [...records], lastNumber: this.#lastNumber, tornWrite: null };
  }

  create(header: JournalHeader): void {
    if (this.disk.header !== null) throw new Error("the journal was begun already");
    this.disk.header = header;
  }

  append(records: readonly JournalRecord[]): void {
    for (const record of records) {
      if (record.number !== this.#lastNumber + 1) {
        throw new Error(`record ${record.number} can't follow record ${this.#lastNumber}`);
      }
      this.#appended.push(record);
      this.#lastNumber = record.number;
    }
  }

  sync(): void {
    this.disk.records.push(...this.#appended);
    this.disk.committed = this.#lastNumber;
    this.#appended = [];
  }

  saveCheckpoint({ upTo, parts }: JournalCheckpoint): void {
    this.disk.checkpoint = { upTo, parts: [...parts] };
    this.disk.records = this.disk.records.filter(({ number }) => number > upTo);
  }

  close(): void {
    this.#appended = [];
  }
}

function faultOf({ checkpoint, records, committed }: MemoryDisk, lastNumber: number): string | null {
  let number = checkpoint?.upTo ?? 0;
  for (const record of records) if (record.number !== ++number) return `record ${number} is missing`;
  return lastNumber < committed ? `ends at record ${lastNumber}, but record ${committed} was committed` : null;
}
