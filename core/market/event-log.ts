// The events of one category, or of one type and product, by ascending sequence. The sequence numbers of evicted events
// are kept for a while, so that a reader can be told how many events it missed.
//
// Invariant: by sequence, forgotten < evicted < live.
// Cost: push and evict are constant; each lookup is a binary search.

import { Deque } from "./deque.ts";
import type { BufferedEvent } from "./event-reader.ts";
import { lowerBound } from "./lower-bound.ts";

export class EventLog {
  readonly #live = new Deque<BufferedEvent>();
  readonly #evicted = new Deque<number>();
  #forgotten = 0;
  #firstForgotten = Infinity;
  #lastForgotten = -Infinity;

  get length(): number {
    return this.#live.length;
  }

  get evictedLength(): number {
    return this.#evicted.length;
  }

  at(index: number): BufferedEvent {
    return this.#live.at(index);
  }

  push(event: BufferedEvent): void {
    this.#live.push(event);
  }

  /** Removes the oldest event and keeps its sequence number. */
  evict(): void {
    this.#evicted.push(this.#live.shift().sequence);
  }

  /** Removes the oldest sequence number of an evicted event. */
  forget(): void {
    this.#lastForgotten = this.#evicted.shift();
    this.#firstForgotten = Math.min(this.#firstForgotten, this.#lastForgotten);
    this.#forgotten += 1;
  }

  holds(sequence: number): boolean {
    const index = this.firstAfter(sequence - 1);
    return index < this.length && this.at(index).sequence === sequence;
  }

  /** Index of the first buffered event after `since`; `length` if there is none. */
  firstAfter(since: number): number {
    return lowerBound(this.#live.length, (index) => this.#live.at(index).sequence <= since);
  }

  /**
   * The number of evicted events after `since`. Exact if the kept numbers reach back to `since`, or if `since` is before
   * every event that was ever here. Otherwise a lower bound of at least 1.
   */
  evictedAfter(since: number): number {
    const kept = this.#evicted.length;
    if (this.#forgotten > 0 && since < this.#firstForgotten) return this.#forgotten + kept;
    if (since < this.#lastForgotten) return kept + 1;
    return kept - lowerBound(kept, (index) => this.#evicted.at(index) <= since);
  }
}
