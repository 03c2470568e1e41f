// When each persona is woken next: a binary heap by time, and among equal times by who was put in first, so that a run
// depends on nothing but its seed. Everyone is in it at most once.
//
// Cost: O(log waiting) to add and to take. Nothing is allocated.

export class WakeQueue {
  readonly #heap: Int32Array;
  readonly #times: Float64Array;
  readonly #turns: Float64Array;
  #length = 0;
  #turn = 0;

  /** For sleepers numbered from 0. */
  constructor(sleepers: number) {
    this.#heap = new Int32Array(sleepers);
    this.#times = new Float64Array(sleepers);
    this.#turns = new Float64Array(sleepers);
  }

  get length(): number {
    return this.#length;
  }

  /** When the first is to be woken; Infinity where nobody waits. */
  get nextTime(): number {
    return this.#length === 0 ? Infinity : this.#timeOf(this.#at(0));
  }

  /** `sleeper` must not wait already. */
  add(sleeper: number, time: number): void {
    this.#times[sleeper] = time;
    this.#turns[sleeper] = this.#turn++;
    this.#rise(this.#length++, sleeper);
  }

  /** Takes out who is first. Throws where nobody waits. */
  take(): number {
    if (this.#length === 0) throw new RangeError("nobody waits");
    const first = this.#at(0);
    const last = this.#at(--this.#length);
    if (this.#length > 0) this.#sink(last);
    return first;
  }

  #rise(from: number, sleeper: number): void {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = this.#at(parent);
      if (!this.#isBefore(sleeper, above)) break;
      this.#heap[place] = above;
      place = parent;
    }
    this.#heap[place] = sleeper;
  }

  #sink(sleeper: number): void {
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.#length) break;
      if (child + 1 < this.#length && this.#isBefore(this.#at(child + 1), this.#at(child))) child += 1;
      if (!this.#isBefore(this.#at(child), sleeper)) break;
      this.#heap[place] = this.#at(child);
      place = child;
    }
    this.#heap[place] = sleeper;
  }

  #isBefore(one: number, other: number): boolean {
    const difference = this.#timeOf(one) - this.#timeOf(other);
    return difference < 0 || (difference === 0 && (this.#turns[one] ?? 0) < (this.#turns[other] ?? 0));
  }

  #at(place: number): number {
    return this.#heap[place] ?? 0;
  }

  #timeOf(sleeper: number): number {
    return this.#times[sleeper] ?? Infinity;
  }
}
