// A queue: values are added at its end and taken from its front. A Map is no substitute: finding its first entry is slow after
// earlier ones were deleted.
//
// Cost: `push` and `shift` O(1) amortised, `removeAll` O(size). Memory: at most twice the queue's size.

/** Below this many values that were taken, the array isn't compacted. */
const LEAST_TAKEN = 32;

export class Queue<Value> {
  /** The values from `#front` on; those before it were taken, and are undefined. */
  readonly #values: (Value | undefined)[] = [];
  #front = 0;

  get size(): number {
    return this.#values.length - this.#front;
  }

  push(value: Value): void {
    this.#values.push(value);
  }

  /** Removes the oldest value and returns it; undefined if there is none. */
  shift(): Value | undefined {
    if (this.size === 0) return undefined;
    const value = this.#values[this.#front];
    this.#values[this.#front] = undefined;
    this.#front += 1;
    if (this.#front >= LEAST_TAKEN && 2 * this.#front >= this.#values.length) this.#compact();
    return value;
  }

  /** Removes the values that fit, and returns them, oldest first. */
  removeAll(fits: (value: Value) => boolean): Value[] {
    const removed: Value[] = [];
    const kept = [...this].filter((value) => {
      if (!fits(value)) return true;
      removed.push(value);
      return false;
    });
    this.#values.length = 0;
    for (const value of kept) this.#values.push(value);
    this.#front = 0;
    return removed;
  }

  /** Oldest first. */
  *[Symbol.iterator](): Generator<Value, void, undefined> {
    for (let at = this.#front; at < this.#values.length; at++) yield this.#values[at] as Value;
  }

  #compact(): void {
    this.#values.splice(0, this.#front);
    this.#front = 0;
  }
}
