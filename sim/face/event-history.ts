// The newest numbered events, for connections that resume. Once full, each event takes the place of the oldest.

import type { EventMessage } from "../../core/protocol/index.ts";

export const DEFAULT_HISTORY_SIZE = 100_000;

/** What a connection missed after the last event it has seen. */
export interface MissedEvents {
  /** Numbers that can't be sent again; null where nothing is lacking. */
  readonly gap: { readonly from: number; readonly to: number } | null;
  readonly events: readonly EventMessage[];
}

export class EventHistory {
  readonly #events: EventMessage[] = [];
  /** Where the oldest event is, once the array is full. */
  #oldest = 0;

  constructor(readonly capacity: number = DEFAULT_HISTORY_SIZE) {}

  append(events: readonly EventMessage[]): void {
    for (const event of events) {
      if (this.#events.length < this.capacity) this.#events.push(event);
      else {
        this.#events[this.#oldest] = event;
        this.#oldest = (this.#oldest + 1) % this.capacity;
      }
    }
  }

  /** The events with numbers above `sequence`, of a history whose newest number is `newest`. */
  after(sequence: number, newest: number): MissedEvents {
    if (sequence >= newest) return { gap: null, events: [] };
    const events = this.#newerThan(sequence);
    const firstHeld = this.#at(0)?.sequence ?? newest + 1;
    const gap = firstHeld > sequence + 1 ? { from: sequence + 1, to: firstHeld - 1 } : null;
    return { gap, events };
  }

  #newerThan(sequence: number): EventMessage[] {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#at(middle)?.sequence ?? Infinity) <= sequence) low = middle + 1;
      else high = middle;
    }
    return [...this.#events.slice(this.#oldest), ...this.#events.slice(0, this.#oldest)].slice(low);
  }

  /** The event at a place counted from the oldest. */
  #at(place: number): EventMessage | undefined {
    return this.#events[(this.#oldest + place) % Math.max(this.#events.length, 1)];
  }
}
