// The newest numbered events, for connections that resume. Once full, each event takes the place of the oldest. Numbers may
// be missing between them: refused requests are not carried out again after a restart, and neither are their events.

import type { EventMessage } from "../../../protocol/index.ts";

export const DEFAULT_HISTORY_SIZE = 100_000;

/** Numbers that can't be sent again: `from` to `to`, both included. */
export interface Gap {
  readonly kind: "gap";
  readonly from: number;
  readonly to: number;
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

  /** Forgets the events of a history that was lost. */
  clear(): void {
    this.#events.length = 0;
    this.#oldest = 0;
  }

  /**
   * What has the numbers above `sequence` up to `newest`, in order, as of when the first is taken. A number that is not
   * held is part of a gap: an event that is too old, or one from before a restart that no journal keeps.
   */
  *after(sequence: number, newest: number): Generator<EventMessage | Gap, void, undefined> {
    let next = sequence + 1;
    for (const event of this.#newerThan(sequence)) {
      if (event.sequence > newest) break;
      if (event.sequence > next) yield { kind: "gap", from: next, to: event.sequence - 1 };
      yield event;
      next = event.sequence + 1;
    }
    if (next <= newest) yield { kind: "gap", from: next, to: newest };
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
