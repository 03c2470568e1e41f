// The journal as the engine's host writes it: calls are appended one by one and committed together. Once enough calls are
// committed, a checkpoint of the state replaces them.
//
// A checkpoint is due after CHECKPOINT_RECORDS records, or after a quarter of the number of objects in the last checkpoint,
// if that is more. So making checkpoints stays a small part of all work, and a restart takes time in proportion to the state.

import type { JournalCall } from "./journal-call.ts";
import type { Rejection } from "../api/outcome.ts";
import type { JournalRecord, JournalStore, NewCheckpoint, WrittenCheckpoint } from "./journal.ts";
import { isStorageFull, type StorageGuard, UNGUARDED } from "./storage-guard.ts";

const CHECKPOINT_RECORDS = 50_000;
/** A quarter of the objects in a part. */
const RECORDS_PER_PART = 250;

interface JournalWriterOptions {
  /** Number of the journal's last record. */
  readonly lastNumber: number;
  readonly checkpointNumber: number;
  readonly checkpointParts: number;
  /** Least number of records between two checkpoints; default CHECKPOINT_RECORDS. */
  readonly checkpointRecords?: number;
  /** Least number of them for each part of the last checkpoint; default RECORDS_PER_PART. */
  readonly recordsPerPart?: number;
  /** Default UNGUARDED. */
  readonly guard?: StorageGuard;
}

export class JournalWriter {
  readonly #store: JournalStore;
  readonly #checkpointRecords: number;
  readonly #recordsPerPart: number;
  readonly #guard: StorageGuard;
  #uncommitted: JournalRecord[] = [];
  #lastNumber: number;
  #checkpointNumber: number;
  #checkpointParts: number;
  /** No checkpoint is due before this record, because the last one could not be made. */
  #notBefore = 0;

  constructor(store: JournalStore, options: JournalWriterOptions) {
    this.#store = store;
    this.#lastNumber = options.lastNumber;
    this.#checkpointNumber = options.checkpointNumber;
    this.#checkpointParts = options.checkpointParts;
    this.#checkpointRecords = options.checkpointRecords ?? CHECKPOINT_RECORDS;
    this.#recordsPerPart = options.recordsPerPart ?? RECORDS_PER_PART;
    this.#guard = options.guard ?? UNGUARDED;
  }

  /** The answer to new changes while the storage can't keep them; null while they are accepted. */
  get refusal(): Rejection | null {
    return this.#guard.refusal;
  }

  /** Whether appended calls wait for a commit. */
  get hasUncommitted(): boolean {
    return this.#uncommitted.length > 0;
  }

  /** Number of the last committed record. */
  get lastNumber(): number {
    return this.#lastNumber - this.#uncommitted.length;
  }

  /** Whether enough records were committed since the last checkpoint, and the storage can keep one. */
  get isCheckpointDue(): boolean {
    return this.refusal === null && this.#lastNumber >= this.#notBefore &&
      this.recordsSinceCheckpoint >= this.checkpointInterval;
  }

  /** After how many records a checkpoint is due. */
  get checkpointInterval(): number {
    return Math.max(this.#checkpointRecords, this.#checkpointParts * this.#recordsPerPart);
  }

  /** Whether any record was committed since the last checkpoint. */
  get hasNewRecords(): boolean {
    return this.recordsSinceCheckpoint > 0;
  }

  /** Records after the last checkpoint, uncommitted ones included. */
  get recordsSinceCheckpoint(): number {
    return this.#lastNumber - this.#checkpointNumber;
  }

  append(call: JournalCall): void {
    this.#uncommitted.push({ number: ++this.#lastNumber, text: JSON.stringify(call) });
  }

  /** Makes every appended call durable. */
  commit(): void {
    const records = this.#uncommitted;
    if (records.length === 0) return;
    this.#uncommitted = [];
    this.#guard.attempt(() => {
      this.#store.append(records);
      this.#store.sync();
    });
  }

  /**
   * Replaces the records by a checkpoint, all at once. Must follow a commit, with no call appended since. False if the disk
   * is full: then the guard logs it, and the journal is unchanged.
   */
  saveCheckpoint(checkpoint: Omit<NewCheckpoint, "upTo">): boolean {
    return this.#unlessFull(() => {
      this.useCheckpoint(this.#store.writeCheckpoint({ ...checkpoint, upTo: this.#lastNumber }));
      while (this.#store.deleteReplaced());
    });
  }

  /** Begins the journal with a checkpoint that was written while the engine went on. */
  useCheckpoint(checkpoint: WrittenCheckpoint): void {
    this.#guard.attempt(() => this.#store.useCheckpoint(checkpoint));
    this.#checkpointNumber = checkpoint.upTo;
    this.#checkpointParts = checkpoint.state.parts;
  }

  /** Deletes some of the records that the checkpoint replaces. False if none are left, or if the disk is full. */
  deleteReplaced(): boolean {
    let isMoreLeft = false;
    this.#unlessFull(() => isMoreLeft = this.#store.deleteReplaced());
    return isMoreLeft;
  }

  /** Deletes the checkpoints that are not in use. */
  async removeReplacedFile(): Promise<void> {
    await this.#store.removeReplacedFile();
  }

  /** Puts the next checkpoint off until as many records have come as lie between two of them. */
  postponeCheckpoint(): void {
    this.#notBefore = this.#lastNumber + this.checkpointInterval;
  }

  /** Refuses changes from now on, because the disk was too full for a checkpoint. */
  refuseChanges(): void {
    this.#guard.close();
  }

  close(): void {
    this.#guard.stop();
    this.#store.close();
  }

  /** Does work that may be left out while the disk is full. Then the guard refuses changes, and this returns false. */
  #unlessFull(work: () => void): boolean {
    if (this.refusal !== null) return false;
    try {
      work();
      return true;
    } catch (error) {
      if (!isStorageFull(error)) throw error;
      this.#guard.close();
      return false;
    }
  }
}
