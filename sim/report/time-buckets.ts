// What happened over time, summed up in buckets of equal width. When there would be too many, two neighbours become one, so the
// memory is bounded for a run of any length, and a picture has about as many points as it has pixels.
//
// Invariant: the width is the first one times a power of two. So the same values at the same times give the same buckets,
// whatever the order in which they come, as far as `merge` does not depend on it.

export interface TimeBucket<Value> {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly value: Value;
}

export class TimeBuckets<Value> {
  #width: number;
  /** By place after the start; undefined: nothing happened. */
  #values: (Value | undefined)[] = [];

  /** `merge`: adds what is later to what is earlier, and returns it. */
  constructor(
    private readonly start: number,
    firstWidth: number,
    private readonly most: number,
    private readonly merge: (earlier: Value, later: Value) => Value,
  ) {
    this.#width = firstWidth;
  }

  /** Of the time, which is not before the start; `first` makes a new one. */
  at(time: number, first: () => Value): Value {
    let place = Math.floor((time - this.start) / this.#width);
    while (place >= this.most) {
      this.#halve();
      place = Math.floor((time - this.start) / this.#width);
    }
    return this.#values[place] ??= first();
  }

  /** How many are kept. */
  get size(): number {
    return this.#values.filter((value) => value !== undefined).length;
  }

  /** In the order of time, without empty ones, as wide as if something had happened at `end`. */
  upTo(end: number): TimeBucket<Value>[] {
    this.widen(end);
    return this.#values.flatMap((value, place) => {
      const from = this.start + place * this.#width;
      return value === undefined ? [] : [{ from, to: from + this.#width, value }];
    });
  }

  /** Makes the buckets as wide as if something had happened at `end`. */
  widen(end: number): void {
    while (Math.floor((end - this.start) / this.#width) > this.most) this.#halve();
  }

  #halve(): void {
    this.#width *= 2;
    this.#values = Array.from({ length: Math.ceil(this.#values.length / 2) }, (_, place) => {
      const [earlier, later] = [this.#values[2 * place], this.#values[2 * place + 1]];
      return earlier === undefined || later === undefined ? earlier ?? later : this.merge(earlier, later);
    });
  }
}
