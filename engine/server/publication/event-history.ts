// The newest events, for connections that resume. A full history overwrites its oldest event. Event numbers ascend.
//
// Cost: a resume finds its first event by a binary search and copies none, so thousands may resume at once.

import type { PublishedEvent, PublishedMessage } from "../../api/messages.ts";

const DEFAULT_HISTORY_SIZE = 100_000;

/** Event numbers that can't be sent again, `from` and `to` included. */
export interface Gap {
  readonly kind: "gap";
  readonly from: number;
  readonly to: number;
}

export class EventHistory {
  readonly #events: PublishedEvent[] = [];
  /** Number of events that were ever added. The n-th one, from 0, is at n % capacity. */
  #added = 0;

  constructor(readonly capacity: number = DEFAULT_HISTORY_SIZE) {}

  /** Keeps the events among some messages. */
  append(messages: readonly PublishedMessage[]): void {
    for (const message of messages) if (message.kind === "event") this.#add(message);
  }

  clear(): void {
    this.#events.length = 0;
    this.#added = 0;
  }

  /**
   * The events above `sequence` up to `newest`, in order. Numbers of events that are no longer held when they are reached, or
   * that a restart did not repeat, are reported as gaps.
   */
  *after(sequence: number, newest: number): Generator<PublishedEvent | Gap, void, undefined> {
    let next = sequence + 1;
    for (let at = this.#firstAfter(sequence);; at++) {
      // Others may have been overwritten since the last one was read.
      at = Math.max(at, this.#oldest);
      const event = this.#events[at % this.capacity];
      if (at >= this.#added || event === undefined || event.sequence > newest) break;
      if (event.sequence > next) yield { kind: "gap", from: next, to: event.sequence - 1 };
      yield event;
      next = event.sequence + 1;
    }
    if (next <= newest) yield { kind: "gap", from: next, to: newest };
  }

  get #oldest(): number {
    return this.#added - this.#events.length;
  }

  /** The number of the first event above `sequence`; that of the next one to be added if there is none. */
  #firstAfter(sequence: number): number {
    let [low, high] = [this.#oldest, this.#added];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.#events[middle % this.capacity]!.sequence > sequence) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #add(event: PublishedEvent): void {
    this.#events[this.#added % this.capacity] = event;
    this.#added += 1;
  }
}
