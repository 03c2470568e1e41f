// A simulated disk and the journal on it. Synced records survive every kill. A kill keeps a random leading part of the other
// appended records. The next record may be torn: it exists, but its checksum fails.

import type { SeededRandom } from "../../../sim/random/seeded-random.ts";
import type {
  JournalRecord,
  LoadedJournal,
  NewCheckpoint,
  RecordSlice,
  WrittenCheckpoint,
} from "../../../engine/journal/journal.ts";
import { MemoryDisk, MemoryJournal } from "../support/memory-journal.ts";

interface StoredRecord extends JournalRecord {
  readonly torn: boolean;
}

/** A power cut or a full disk in the middle of a sync or a checkpoint. */
export type DiskAccident = "kill" | "failure";

const DELETED_AT_ONCE = 4;

/** Written checkpoints that are not in use survive a kill too. */
export class SimulatedDisk extends MemoryDisk {
  override records: StoredRecord[] = [];
  /** Every record that became durable, also before checkpoints. Only the verdict reads it. */
  readonly history: JournalRecord[] = [];
  /** Makes the next sync or checkpoint fail. */
  nextAccident: DiskAccident | null = null;

  constructor(readonly random: SeededRandom) {
    super();
  }

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

export class SimulatedJournal extends MemoryJournal {
  #dead = false;

  /** `killProcess` ends the process that uses the journal at once. */
  constructor(override readonly disk: SimulatedDisk, readonly killProcess: () => void) {
    super(disk);
  }

  override load(): LoadedJournal | null {
    const firstTorn = this.disk.records.findIndex(({ torn }) => torn);
    const [first] = firstTorn < 0 ? [] : this.disk.records.splice(firstTorn);
    const loaded = super.load();
    return loaded && first ? { ...loaded, tornWrite: { after: first.number - 1, reason: "a torn record" } } : loaded;
  }

  override append(records: readonly JournalRecord[]): void {
    this.#expectAlive();
    super.append(records);
  }

  override sync(): void {
    this.#expectAlive();
    this.#meetAccident();
    this.disk.write(this.appended);
    this.disk.committed = this.lastNumber;
    this.appended = [];
  }

  override recordsAfter(after: number): RecordSlice {
    this.#expectAlive();
    return super.recordsAfter(after);
  }

  override writeCheckpoint(checkpoint: NewCheckpoint): WrittenCheckpoint {
    this.#expectAlive();
    if (this.appended.length > 0) throw new Error("a checkpoint comes after a sync");
    return this.#withAccident(() => super.writeCheckpoint(checkpoint));
  }

  override useCheckpoint(written: WrittenCheckpoint): void {
    this.#expectAlive();
    this.#withAccident(() => super.useCheckpoint(written));
  }

  /** Deletes some records, so that a kill may leave the others. */
  override deleteReplaced(): boolean {
    this.#expectAlive();
    const upTo = this.disk.checkpoint?.upTo ?? 0;
    const replaced = this.disk.records.filter(({ number }) => number <= upTo);
    const deleted = new Set(replaced.slice(0, DELETED_AT_ONCE));
    return this.#withAccident(() => {
      this.disk.records = this.disk.records.filter((record) => !deleted.has(record));
      return replaced.length > DELETED_AT_ONCE;
    });
  }

  override async removeReplacedFile(): Promise<void> {
    await Promise.resolve();
    if (!this.#dead) this.disk.written.clear();
  }

  override close(): void {
    this.#dead = true;
  }

  /** Called when the process has died. */
  abandon(): void {
    if (this.#dead) return;
    this.#dead = true;
    this.disk.keepPartOf(this.appended);
    this.appended = [];
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
