// The journal as the engine's host writes it: calls are noted as they come and committed together, and once enough of
// them have been committed an image of the state takes their place.
//
// An image is due after IMAGE_RECORDS records, or after a tenth as many as there were things in the last image, where
// that is more: so that the work of making images stays a small part of all, and that of a restart in proportion to the
// state. Making one holds the engine up: some four microseconds for each order, fill and trade.

import type { JournalCall } from "./journal-call.ts";
import type { Rejection } from "../engine/outcome.ts";
import type { JournalStore } from "./journal.ts";
import { isStorageFull, OPEN_GATE, type StorageGate } from "./storage-gate.ts";

const IMAGE_RECORDS = 50_000;
/** A tenth of what a part holds. */
const RECORDS_PER_PART = 100;

export interface JournalWriterOptions {
  /** Where the journal stands. */
  readonly lastNumber: number;
  readonly imageNumber: number;
  readonly imageParts: number;
  /** Least number of records between two images; IMAGE_RECORDS where absent. */
  readonly imageRecords?: number;
  /** What is done when there is no room; absent: nothing. */
  readonly gate?: StorageGate;
}

export class JournalWriter {
  readonly #store: JournalStore;
  readonly #imageRecords: number;
  readonly #gate: StorageGate;
  #noted: string[] = [];
  #lastNumber: number;
  #imageNumber: number;
  #imageParts: number;

  constructor(store: JournalStore, options: JournalWriterOptions) {
    this.#store = store;
    this.#lastNumber = options.lastNumber;
    this.#imageNumber = options.imageNumber;
    this.#imageParts = options.imageParts;
    this.#imageRecords = options.imageRecords ?? IMAGE_RECORDS;
    this.#gate = options.gate ?? OPEN_GATE;
  }

  /** What new changes are refused with, as long as there is no room for them; null: they are taken. */
  get refusal(): Rejection | null {
    return this.#gate.refusal;
  }

  /** Whether there are calls that are not yet committed. */
  get isBehind(): boolean {
    return this.#noted.length > 0;
  }

  /** Whether enough has been committed since the last image. */
  get imageDue(): boolean {
    return this.refusal === null &&
      this.#sinceImage >= Math.max(this.#imageRecords, this.#imageParts * RECORDS_PER_PART);
  }

  /** Whether anything has been committed since the last image. */
  get hasNews(): boolean {
    return this.#sinceImage > 0;
  }

  get #sinceImage(): number {
    return this.#lastNumber - this.#imageNumber;
  }

  note(call: JournalCall): void {
    this.#noted.push(JSON.stringify(call));
  }

  /** When it returns, every call noted is durable. */
  commit(): void {
    if (this.#noted.length === 0) return;
    const records = this.#noted.map((text) => ({ number: ++this.#lastNumber, text }));
    this.#noted = [];
    this.#gate.attempt(() => {
      this.#store.append(records);
      this.#store.sync();
    });
  }

  /**
   * Comes after a commit, with nothing noted since. False if there is no room: the journal stays as it is, and that is told
   * by the gate.
   * @param before what must be durable before the calls are dropped
   */
  saveImage(parts: Iterable<unknown>, before: () => void = () => {}): boolean {
    if (this.refusal !== null) return false;
    try {
      before();
      this.#replaceCalls(parts);
      return true;
    } catch (error) {
      if (!isStorageFull(error)) throw error;
      this.#gate.close();
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
    this.#store.saveImage({ upTo: this.#lastNumber, parts: texts() });
    this.#imageNumber = this.#lastNumber;
    this.#imageParts = count;
  }

  close(): void {
    this.#gate.stop();
    this.#store.close();
  }
}
