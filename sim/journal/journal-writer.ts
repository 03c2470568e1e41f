// The journal as the engine's host writes it: calls are noted as they come and committed together, and once enough of
// them have been committed a checkpoint of the state takes their place.
//
// A checkpoint is due after CHECKPOINT_RECORDS records, or after a tenth as many as there were things in the last checkpoint, where
// that is more: so that the work of making checkpoints stays a small part of all, and that of a restart in proportion to the
// state. Making one holds the engine up: some four microseconds for each order, fill and trade.

import type { JournalCall } from "./journal-call.ts";
import type { Rejection } from "../engine/api/outcome.ts";
import type { JournalStore } from "./journal.ts";
import { isStorageFull, type StorageGuard, UNGUARDED } from "./storage-guard.ts";

const CHECKPOINT_RECORDS = 50_000;
/** A tenth of what a part holds. */
const RECORDS_PER_PART = 100;

export interface JournalWriterOptions {
  /** Where the journal stands. */
  readonly lastNumber: number;
  readonly checkpointNumber: number;
  readonly checkpointParts: number;
  /** Least number of records between two checkpoints; CHECKPOINT_RECORDS where absent. */
  readonly checkpointRecords?: number;
  /** What is done when there is no room; absent: nothing. */
  readonly guard?: StorageGuard;
}

export class JournalWriter {
  readonly #store: JournalStore;
  readonly #checkpointRecords: number;
  readonly #guard: StorageGuard;
  #noted: string[] = [];
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

  /** What new changes are refused with, as long as there is no room for them; null: they are taken. */
  get refusal(): Rejection | null {
    return this.#guard.refusal;
  }

  /** Whether there are calls that are not yet committed. */
  get hasUncommitted(): boolean {
    return this.#noted.length > 0;
  }

  /** Whether enough has been committed since the last checkpoint. */
  get isCheckpointDue(): boolean {
    return this.refusal === null &&
      this.#sinceCheckpoint >= Math.max(this.#checkpointRecords, this.#checkpointParts * RECORDS_PER_PART);
  }

  /** Whether anything has been committed since the last checkpoint. */
  get hasNewRecords(): boolean {
    return this.#sinceCheckpoint > 0;
  }

  get #sinceCheckpoint(): number {
    return this.#lastNumber - this.#checkpointNumber;
  }

  append(call: JournalCall): void {
    this.#noted.push(JSON.stringify(call));
  }

  /** When it returns, every call noted is durable. */
  commit(): void {
    if (this.#noted.length === 0) return;
    const records = this.#noted.map((text) => ({ number: ++this.#lastNumber, text }));
    this.#noted = [];
    this.#guard.attempt(() => {
      this.#store.append(records);
      this.#store.sync();
    });
  }

  /**
   * Comes after a commit, with nothing noted since. False if there is no room: the journal stays as it is, and that is told
   * by the guard.
   * @param before what must be durable before the calls are dropped
   */
  saveCheckpoint(parts: Iterable<unknown>, before: () => void = () => {}): boolean {
    if (this.refusal !== null) return false;
    try {
      before();
      this.#replaceCalls(parts);
      return true;
    } catch (error) {
      if (!isStorageFull(error)) throw error;
      this.#guard.close();
      return false;
    }
  }

  #replaceCalls(parts: Iterable<unknown>): void {
    let count = 0;
    const texts = function* () {
      for (const part of parts) {
        count += 1;
        yield JSON.stringify(part);
      }
    };
    this.#store.saveCheckpoint({ upTo: this.#lastNumber, parts: texts() });
    this.#checkpointNumber = this.#lastNumber;
    this.#checkpointParts = count;
  }

  close(): void {
    this.#guard.stop();
    this.#store.close();
  }
}
