// The mean of the last so many values of a series. O(1) a value, and nothing is allocated but at the start.

export class MovingAverage {
  private readonly values: Float64Array;
  private count = 0;
  private sum = 0;

  /** `length`: how many values it takes in. */
  constructor(length: number) {
    this.values = new Float64Array(length);
  }

  /** Whether as many values came as it takes in. */
  get isFull(): boolean {
    return this.count >= this.values.length;
  }

  /** Of what came so far, where it is less than the length; NaN before the first. */
  get mean(): number {
    return this.sum / Math.min(this.count, this.values.length);
  }

  /** Integers stay exact, however many come. */
  add(value: number): void {
    const place = this.count % this.values.length;
    this.sum += value - this.values[place]!;
    this.values[place] = value;
    this.count += 1;
  }
}
