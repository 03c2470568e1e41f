// Builds the next checkpoint from the one in use and the records after it, without the engine that serves. So building it
// also shows that the state in use can be restored.

import type { JournalCheckpoint, JournalHeader, NewCheckpoint, RecordSlice } from "../../journal/journal.ts";
import { JournalReplay } from "../recovery/journal-replay.ts";

export class CheckpointBuild {
  readonly #replay: JournalReplay;
  #number: number;

  /**
   * Throws if the checkpoint in use can't be restored.
   * @param inUse its operations may be left out; null if the journal begins with its first record
   * @param upTo the last record that the new checkpoint replaces
   */
  constructor(header: JournalHeader, inUse: JournalCheckpoint | null, readonly upTo: number) {
    this.#replay = new JournalReplay(header, null);
    if (inUse !== null) this.#replay.restore(inUse.parts);
    this.#number = inUse?.upTo ?? 0;
  }

  /** The last record that is applied. */
  get number(): number {
    return this.#number;
  }

  get isComplete(): boolean {
    return this.#number === this.upTo;
  }

  /** Applies the next records, up to `upTo`. Throws if the engine fails on one of them. */
  take({ texts, last }: RecordSlice): void {
    if (last <= this.#number) throw new Error(`there are no records after ${this.#number}`);
    for (const text of texts.split("\n")) {
      if (this.isComplete) return;
      this.#replay.apply(this.#number + 1, text);
      this.#number += 1;
    }
  }

  checkpoint(): NewCheckpoint {
    return { ...this.#replay.checkpoint(), upTo: this.upTo };
  }
}
