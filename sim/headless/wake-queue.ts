// The next wake-up of each persona: a binary heap by time. Personas with equal times are woken in the order in which
// they were added, so a run depends on nothing but its seed. Each persona is in the queue at most once.
//
// Cost: O(log length) to add or take. No allocation.

export class WakeQueue {
  readonly #heap: Int32Array;
  readonly #times: Float64Array;
  readonly #sequenceNumbers: Float64Array;
  #length = 0;
  #lastSequence = 0;

  /** For persona indices from 0 to `count` - 1. */
  constructor(count: number) {
    this.#heap = new Int32Array(count);
    this.#times = new Float64Array(count);
    this.#sequenceNumbers = new Float64Array(count);
  }

  /** Time of the first wake-up; Infinity if the queue is empty. */
  get nextTime(): number {
    return this.#length === 0 ? Infinity : this.#timeOf(this.#at(0));
  }

  /** The persona must not be in the queue already. */
  add(index: number, time: number): void {
    this.#times[index] = time;
    this.#sequenceNumbers[index] = this.#lastSequence++;
    this.#rise(this.#length++, index);
  }

  /** Removes and returns the persona with the first wake-up. Throws RangeError if the queue is empty. */
  take(): number {
    if (this.#length === 0) throw new RangeError("the queue is empty");
    const first = this.#at(0);
    const last = this.#at(--this.#length);
    if (this.#length > 0) this.#sink(last);
    return first;
  }

  #rise(from: number, index: number): void {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = this.#at(parent);
      if (!this.#isBefore(index, above)) break;
      this.#heap[place] = above;
      place = parent;
    }
    this.#heap[place] = index;
  }

  #sink(index: number): void {
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.#length) break;
      if (child + 1 < this.#length && this.#isBefore(this.#at(child + 1), this.#at(child))) child += 1;
      if (!this.#isBefore(this.#at(child), index)) break;
      this.#heap[place] = this.#at(child);
      place = child;
    }
    this.#heap[place] = index;
  }

  #isBefore(one: number, other: number): boolean {
    const difference = this.#timeOf(one) - this.#timeOf(other);
    return difference < 0 ||
      (difference === 0 && (this.#sequenceNumbers[one] ?? 0) < (this.#sequenceNumbers[other] ?? 0));
  }

  #at(place: number): number {
    return this.#heap[place] ?? 0;
  }

  #timeOf(index: number): number {
    return this.#times[index] ?? Infinity;
  }
}
