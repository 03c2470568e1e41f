// Events that belong together (a category, or one type about one product) by ascending sequence: those that are buffered,
// and before them the numbers of those that were evicted, so that a reader can be told how many it missed.
//
// Invariant: forgotten < evicted < live, by sequence.
// Cost: constant to push and evict; a question is a binary search.

import { Deque } from "./deque.ts";
import type { BufferedEvent } from "./event-reader.ts";

export class EventLane {
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

  /** Gives up the oldest event and keeps its number. */
  evict(): void {
    this.#evicted.push(this.#live.shift().sequence);
  }

  /** Gives up the oldest number that an evicted event left. */
  forget(): void {
    this.#lastForgotten = this.#evicted.shift();
    this.#firstForgotten = Math.min(this.#firstForgotten, this.#lastForgotten);
    this.#forgotten += 1;
  }

  holds(sequence: number): boolean {
    const index = this.firstAfter(sequence - 1);
    return index < this.length && this.at(index).sequence === sequence;
  }

  /** Index of the first buffered event after `since`; `length` where there is none. */
  firstAfter(since: number): number {
    return firstAfter(this.#live.length, (index) => this.#live.at(index).sequence, since);
  }

  /**
   * Events after `since` that were evicted. Exact while the kept numbers reach back to `since`, and for a `since` before
   * all that ever was here; between these two a lower bound of at least 1.
   */
  evictedAfter(since: number): number {
    const kept = this.#evicted.length;
    if (this.#forgotten > 0 && since < this.#firstForgotten) return this.#forgotten + kept;
    if (since < this.#lastForgotten) return kept + 1;
    return kept - firstAfter(kept, (index) => this.#evicted.at(index), since);
  }
}

/** Binary search in ascending numbers: the first index whose number is above `since`. */
function firstAfter(length: number, numberAt: (index: number) => number, since: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numberAt(middle) <= since) low = middle + 1;
    else high = middle;
  }
  return low;
}
