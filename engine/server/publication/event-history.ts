// The newest events, for connections that resume. A full history overwrites its oldest event. Event numbers may have
// gaps: a restart does not repeat rejected requests, nor their events.

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
  /** Index of the oldest event, once the array is full. */
  #oldest = 0;

  constructor(readonly capacity: number = DEFAULT_HISTORY_SIZE) {}

  /** Keeps the events among some messages. */
  append(messages: readonly PublishedMessage[]): void {
    for (const message of messages) if (message.kind === "event") this.#add(message);
  }

  clear(): void {
    this.#events.length = 0;
    this.#oldest = 0;
  }

  /**
   * The events above `sequence` up to `newest`, in order, of those held when the first is read. Numbers of events that
   * are no longer held, or that a restart did not repeat, are reported as gaps.
   */
  *after(sequence: number, newest: number): Generator<PublishedEvent | Gap, void, undefined> {
    let next = sequence + 1;
    for (const event of [...this.#events.slice(this.#oldest), ...this.#events.slice(0, this.#oldest)]) {
      if (event.sequence <= sequence) continue;
      if (event.sequence > newest) break;
      if (event.sequence > next) yield { kind: "gap", from: next, to: event.sequence - 1 };
      yield event;
      next = event.sequence + 1;
    }
    if (next <= newest) yield { kind: "gap", from: next, to: newest };
  }

  #add(event: PublishedEvent): void {
    if (this.#events.length < this.capacity) this.#events.push(event);
    else {
      this.#events[this.#oldest] = event;
      this.#oldest = (this.#oldest + 1) % this.capacity;
    }
  }
}
