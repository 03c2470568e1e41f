// A histogram of durations in a plain array. An observation only adds to numbers, and takes some nanoseconds: prom-client would
// make a text of the labels for each one. prom-client gets the numbers when the metrics are requested (collected-metrics.ts).

export class Durations {
  /** By bucket, without those of the buckets before it; the last one is beyond all bounds. */
  readonly counts: number[];
  /** In seconds. */
  sum = 0;

  /** `bounds`: greatest seconds of each bucket, ascending. */
  constructor(readonly bounds: readonly number[]) {
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(seconds: number): void {
    const { bounds, counts } = this;
    let at = 0;
    while (at < bounds.length && seconds > bounds[at]!) at += 1;
    counts[at]! += 1;
    this.sum += seconds;
  }
}
