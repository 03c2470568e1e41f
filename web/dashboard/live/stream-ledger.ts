// The bookkeeping of the stream: which events have come, so that each is seen once, and where the next connection goes on.

import type { Update } from "../../contract/update.ts";

export class StreamLedger {
  epoch: number | null = null;
  /** Events are complete up to here, but for those that `missed` counts. */
  sequence = 0;
  /** Events that were new. */
  received = 0;
  /** Events that had come before, and were dropped. */
  duplicates = 0;
  /** Events that the server no longer had. */
  missed = 0;
  /** How often the server could not say how many were lost, or began anew in the same epoch. */
  gaps = 0;
  /** Streams opened. */
  connects = 0;
  /** Whole states. The first is the one that the page begins with. */
  wholes = 0;
  /** The value of `since` for the next connection; null before there is one. */
  position: string | null = null;
  #hasBegun = false;

  /** The update without the events that have come before. */
  accept(update: Update): Update {
    const hadNone = !this.#hasBegun || !update.continues;
    const seen = hadNone ? -1 : this.sequence;
    const events = update.events.filter(({ sequence }) => sequence > seen);
    this.received += events.length;
    this.duplicates += update.events.length - events.length;
    // What was before the first state is not missing.
    if (!hadNone) this.#countGap(update.missed);
    // Without an epoch there are no events.
    else if (this.#hasBegun && update.epoch !== null && update.epoch === this.epoch) this.gaps++;
    if (update.isWhole) this.wholes++;
    this.#hasBegun = true;
    this.epoch = update.epoch;
    this.position = update.position;
    this.sequence = hadNone ? update.sequence : Math.max(this.sequence, update.sequence);
    return { ...update, events };
  }

  #countGap(missed: number | null): void {
    if (missed === null) this.gaps++;
    else this.missed += missed;
  }
}
