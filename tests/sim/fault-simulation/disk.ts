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
} from "../../../sim/journal/journal.ts";

interface StoredRecord extends JournalRecord {
  readonly torn: boolean;
}

/** A power cut or a full disk in the middle of a sync or a checkpoint. */
export type DiskAccident = "kill" | "failure";

export class SimulatedDisk {
  header: JournalHeader | null = null;
  checkpoint: { readonly upTo: number; readonly parts: readonly string[] } | null = null;
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
    const records = this.disk.records.map(({ number, text }) => ({ number, text }));
    this.#lastNumber = records.at(-1)?.number ?? checkpoint?.upTo ?? 0;
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

  saveCheckpoint({ upTo, parts }: JournalCheckpoint): void {
    this.#expectAlive();
    if (this.#unsynced.length > 0) throw new Error("a checkpoint comes after a sync");
    const checkpoint = { upTo, parts: [...parts] };
    const isTooLate = this.disk.random.next() < 0.5;
    if (!isTooLate) this.#meetAccident();
    this.disk.checkpoint = checkpoint;
    this.disk.records = this.disk.records.filter(({ number }) => number > upTo);
    if (isTooLate) this.#meetAccident();
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
