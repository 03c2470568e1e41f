// Mean of the last values of a series. O(1) for each value; allocates only in the constructor.

export class MovingAverage {
  private readonly values: Float64Array;
  private count = 0;
  private sum = 0;

  /** `length`: number of values in the mean. */
  constructor(length: number) {
    this.values = new Float64Array(length);
  }

  /** Whether `length` values have been added. */
  get isFull(): boolean {
    return this.count >= this.values.length;
  }

  /** The mean of all values so far if there are fewer than `length`; NaN before the first. */
  get mean(): number {
    return this.sum / Math.min(this.count, this.values.length);
  }

  /** The sum of integers stays exact. */
  add(value: number): void {
    const place = this.count % this.values.length;
    this.sum += value - this.values[place]!;
    this.values[place] = value;
    this.count += 1;
  }
}
