// A simulated disk and the journal on it. Synced records survive every kill. A kill keeps a random leading part of the other
// appended records. The next record may be torn: it exists, but its checksum fails.

import type { SeededRandom } from "../../../sim/random/seeded-random.ts";
import {
  type JournalCheckpoint,
  JournalDamage,
  type JournalHeader,
  type JournalRecord,
  type JournalStore,
  type LoadedJournal,
  type RecordSlice,
  type WrittenCheckpoint,
} from "../../../engine/journal/journal.ts";
import { type MemoryCheckpoint, sliceAfter, writeTo } from "../support/memory-journal.ts";

interface StoredRecord extends JournalRecord {
  readonly torn: boolean;
}

/** A power cut or a full disk in the middle of a sync or a checkpoint. */
export type DiskAccident = "kill" | "failure";

const DELETED_AT_ONCE = 4;

export class SimulatedDisk {
  header: JournalHeader | null = null;
  checkpoint: MemoryCheckpoint | null = null;
  /** Written checkpoints that are not in use. They survive a kill too. */
  readonly written = new Map<string, MemoryCheckpoint>();
  records: StoredRecord[] = [];
  /** Number of the last record that a sync reported as durable, as a journal's witness has it. */
  committed = 0;
  /** Every record that became durable, also before checkpoints. Only the verdict reads it. */
  readonly history: JournalRecord[] = [];
  /** Makes the next sync or checkpoint fail. */
  nextAccident: DiskAccident | null = null;

  constructor(readonly random: SeededRandom) {}

  /** Keeps a part of the unsynced records, as when a process or a machine dies. */
  keepPartOf(unsynced: readonly JournalRecord[]): void {
    const whole = this.random.integer(0, unsynced.length);
    this.write(unsynced.slice(0, whole));
    const next = unsynced[whole];
    if (next === undefined || this.random.next() < 0.5) return;
    const text = next.text.slice(0, this.random.integer(0, next.text.length - 1));
    this.records.push({ number: next.number, text, torn: true });
  }

  write(records: readonly JournalRecord[]): void {
    for (const record of records) {
      this.records.push({ ...record, torn: false });
      this.history.push(record);
    }
  }
}

export class SimulatedJournal implements JournalStore {
  #unsynced: JournalRecord[] = [];
  #lastNumber = 0;
  #dead = false;

  /** `killProcess` ends the process that uses the journal at once. */
  constructor(readonly disk: SimulatedDisk, readonly killProcess: () => void) {}

  load(): LoadedJournal | null {
    const { header, checkpoint } = this.disk;
    if (header === null) return null;
    const firstTorn = this.disk.records.findIndex(({ torn }) => torn);
    const damaged = firstTorn < 0 ? [] : this.disk.records.splice(firstTorn);
    const [first] = damaged;
    const tornWrite = first === undefined ? null : { after: first.number - 1, reason: "a torn record" };
    const after = checkpoint?.upTo ?? 0;
    const records = this.disk.records.filter(({ number }) => number > after)
      .map(({ number, text }) => ({ number, text }));
    this.#lastNumber = records.at(-1)?.number ?? after;
    if (this.#lastNumber < this.disk.committed) {
      const fault = `ends at record ${this.#lastNumber}, but record ${this.disk.committed} was committed`;
      throw new JournalDamage([{ file: "the simulated disk", fault }]);
    }
    return { header, checkpoint, records, lastNumber: this.#lastNumber, tornWrite };
  }

  create(header: JournalHeader): void {
    if (this.disk.header !== null) throw new Error("the journal has begun already");
    this.disk.header = header;
  }

  append(records: readonly JournalRecord[]): void {
    this.#expectAlive();
    for (const record of records) {
      if (record.number !== this.#lastNumber + 1) {
        throw new Error(`record ${record.number} can't follow record ${this.#lastNumber}`);
      }
      this.#unsynced.push(record);
      this.#lastNumber = record.number;
    }
  }

  sync(): void {
    this.#expectAlive();
    this.#meetAccident();
    this.disk.write(this.#unsynced);
    this.disk.committed = this.#lastNumber;
    this.#unsynced = [];
  }

  recordsAfter(after: number): RecordSlice {
    this.#expectAlive();
    return sliceAfter(this.disk.records, after);
  }

  writeCheckpoint({ upTo, parts }: JournalCheckpoint): WrittenCheckpoint {
    this.#expectAlive();
    if (this.#unsynced.length > 0) throw new Error("a checkpoint comes after a sync");
    const checkpoint = { upTo, parts: [...parts] };
    return this.#withAccident(() => writeTo(this.disk.written, checkpoint));
  }

  useCheckpoint({ file }: WrittenCheckpoint): void {
    this.#expectAlive();
    const checkpoint = this.disk.written.get(file);
    if (checkpoint === undefined) throw new Error(`there is no ${file}`);
    this.#withAccident(() => this.disk.checkpoint = checkpoint);
  }

  /** Deletes some records, so that a kill may leave the others. */
  deleteReplaced(): boolean {
    this.#expectAlive();
    const upTo = this.disk.checkpoint?.upTo ?? 0;
    const replaced = this.disk.records.filter(({ number }) => number <= upTo);
    const deleted = new Set(replaced.slice(0, DELETED_AT_ONCE));
    return this.#withAccident(() => {
      this.disk.records = this.disk.records.filter((record) => !deleted.has(record));
      return replaced.length > DELETED_AT_ONCE;
    });
  }

  async removeReplacedFile(): Promise<void> {
    await Promise.resolve();
    if (!this.#dead) this.disk.written.clear();
  }

  close(): void {
    this.#dead = true;
  }

  /** Called when the process has died. */
  abandon(): void {
    if (this.#dead) return;
    this.#dead = true;
    this.disk.keepPartOf(this.#unsynced);
    this.#unsynced = [];
  }

  /** Meets the next accident before the work or after it. */
  #withAccident<Result>(work: () => Result): Result {
    const isTooLate = this.disk.random.next() < 0.5;
    if (!isTooLate) this.#meetAccident();
    const result = work();
    if (isTooLate) this.#meetAccident();
    return result;
  }

  #meetAccident(): void {
    const accident = this.disk.nextAccident;
    if (accident === null) return;
    this.disk.nextAccident = null;
    this.abandon();
    if (accident === "kill") this.killProcess();
    throw new Error(accident === "kill" ? "the process was killed" : "the disk failed");
  }

  #expectAlive(): void {
    if (this.#dead) throw new Error("the journal is closed");
  }
}
