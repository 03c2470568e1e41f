// The journal as the engine's host writes it: calls are appended one by one and committed together. Once enough calls are
// committed, a checkpoint of the state replaces them.
//
// A checkpoint is due after CHECKPOINT_RECORDS records, or after a tenth of the number of objects in the last checkpoint, if
// that is more. So making checkpoints stays a small part of all work, and a restart takes time in proportion to the state.
// Making one blocks the engine for some four microseconds for each order, fill and trade.

import type { JournalCall } from "./journal-call.ts";
import type { Rejection } from "../engine/api/outcome.ts";
import type { JournalStore } from "./journal.ts";
import { isStorageFull, type StorageGuard, UNGUARDED } from "./storage-guard.ts";

const CHECKPOINT_RECORDS = 50_000;
/** A tenth of the objects in a part. */
const RECORDS_PER_PART = 100;

interface JournalWriterOptions {
  /** Number of the journal's last record. */
  readonly lastNumber: number;
  readonly checkpointNumber: number;
  readonly checkpointParts: number;
  /** Least number of records between two checkpoints; default CHECKPOINT_RECORDS. */
  readonly checkpointRecords?: number;
  /** Default UNGUARDED. */
  readonly guard?: StorageGuard;
}

export class JournalWriter {
  readonly #store: JournalStore;
  readonly #checkpointRecords: number;
  readonly #guard: StorageGuard;
  #uncommitted: string[] = [];
  #lastNumber: number;
  #checkpointNumber: number;
  #checkpointParts: number;

  constructor(store: JournalStore, options: JournalWriterOptions) {
    this.#store = store;
    this.#lastNumber = options.lastNumber;
    this.#checkpointNumber = options.checkpointNumber;
    this.#checkpointParts = options.checkpointParts;
    this.#checkpointRecords = options.checkpointRecords ?? CHECKPOINT_RECORDS;
    this.#guard = options.guard ?? UNGUARDED;
  }

  /** The answer to new changes while the disk is full; null while they are accepted. */
  get refusal(): Rejection | null {
    return this.#guard.refusal;
  }

  /** Whether appended calls wait for a commit. */
  get hasUncommitted(): boolean {
    return this.#uncommitted.length > 0;
  }

  /** Whether enough records were committed since the last checkpoint, and the disk is not full. */
  get isCheckpointDue(): boolean {
    return this.refusal === null &&
      this.#recordsSinceCheckpoint >= Math.max(this.#checkpointRecords, this.#checkpointParts * RECORDS_PER_PART);
  }

  /** Whether any record was committed since the last checkpoint. */
  get hasNewRecords(): boolean {
    return this.#recordsSinceCheckpoint > 0;
  }

  get #recordsSinceCheckpoint(): number {
    return this.#lastNumber - this.#checkpointNumber;
  }

  append(call: JournalCall): void {
    this.#uncommitted.push(JSON.stringify(call));
  }

  /** Makes every appended call durable. */
  commit(): void {
    if (this.#uncommitted.length === 0) return;
    const records = this.#uncommitted.map((text) => ({ number: ++this.#lastNumber, text }));
    this.#uncommitted = [];
    this.#guard.attempt(() => {
      this.#store.append(records);
      this.#store.sync();
    });
  }

  /**
   * Replaces the records by a checkpoint. Must follow a commit, with no call appended since. False if the disk is full: then
   * the guard logs it, and the journal is unchanged.
   * @param before called before the records are deleted; makes durable what replaces them
   */
  saveCheckpoint(parts: Iterable<unknown>, before: () => void = () => {}): boolean {
    if (this.refusal !== null) return false;
    try {
      before();
      this.#replaceRecords(parts);
      return true;
    } catch (error) {
      if (!isStorageFull(error)) throw error;
      this.#guard.close();
      return false;
    }
  }

  #replaceRecords(parts: Iterable<unknown>): void {
    let count = 0;
    const texts = Iterator.from(parts).map((part) => {
      count += 1;
      return JSON.stringify(part);
    });
    this.#store.saveCheckpoint({ upTo: this.#lastNumber, parts: texts });
    this.#checkpointNumber = this.#lastNumber;
    this.#checkpointParts = count;
  }

  close(): void {
    this.#guard.stop();
    this.#store.close();
  }
}
