// Latencies in a histogram of the runtime (HdrHistogram): three significant digits, from a microsecond to an hour, in constant
// memory.

import { createHistogram } from "node:perf_hooks";

const HOUR_US = 3_600_000_000;

/** Milliseconds. */
export interface LatencyFigures {
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

export class Latencies {
  readonly #histogram = createHistogram({ lowest: 1, highest: HOUR_US, figures: 3 });

  record(milliseconds: number): void {
    this.#histogram.record(Math.min(HOUR_US, Math.max(1, Math.round(milliseconds * 1000))));
  }

  /** Null before the first. */
  figures(): LatencyFigures | null {
    const histogram = this.#histogram;
    if (histogram.count === 0) return null;
    // A percentile is the upper end of its bucket, which may be above the greatest value.
    const at = (percent: number) => Math.min(histogram.percentile(percent), histogram.max) / 1000;
    return {
      count: Number(histogram.count),
      p50: at(50),
      p90: at(90),
      p99: at(99),
      p999: at(99.9),
      max: histogram.max / 1000,
    };
  }
}
