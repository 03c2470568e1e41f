// A filtered trend of a price that is seen at irregular times: the difference of two exponentially weighted averages in time,
// in units of its standard deviation for a price without a trend.
//
// For a random walk of volatility s, the difference of averages with time constants a < b has the standard deviation
// s (b - a) / sqrt(2 (a + b)). s is measured from price changes over at least SAMPLE_MS, so that the bounce between bid and
// ask counts for little, with an exponentially weighted average of its own.
//
// Cost: O(1), a few exponentials. No allocation.

/** Least time between two prices of which the change is measured. */
const SAMPLE_MS = 5 * 60_000;
/** Time constant of the volatility, in those of the long average. */
const VOLATILITY_LENGTH = 2;

interface TrendFilterOptions {
  /** Time constants of the averages, in milliseconds. */
  readonly shortMs: number;
  readonly longMs: number;
  /** Lower bound of the volatility, in price over the square root of the long time constant. */
  readonly leastVolatility: number;
}

export class TrendFilter {
  #firstTime = NaN;
  #time = NaN;
  #price = NaN;
  #short = 0;
  #long = 0;
  #sampleTime = 0;
  #samplePrice = 0;
  /** Mean squared change for each millisecond, and the weight of the samples in it so far. */
  #variance = 0;
  #weight = 0;

  constructor(private readonly options: TrendFilterOptions) {}

  /** The price at `time`, which must not go back. It has held since then until the next one. */
  add(time: number, price: number): void {
    if (Number.isNaN(this.#time)) {
      this.#firstTime = this.#sampleTime = time;
      this.#short = this.#long = this.#samplePrice = price;
    } else {
      const { shortMs, longMs } = this.options;
      const elapsed = time - this.#time;
      this.#short += (this.#price - this.#short) * -Math.expm1(-elapsed / shortMs);
      this.#long += (this.#price - this.#long) * -Math.expm1(-elapsed / longMs);
      if (time - this.#sampleTime >= SAMPLE_MS) this.#sample(time, price);
    }
    this.#time = time;
    this.#price = price;
  }

  /** Standard deviations above or below no trend; 0 until the long average has run for its time constant. */
  get trend(): number {
    const { shortMs, longMs, leastVolatility } = this.options;
    if (!(this.#time - this.#firstTime >= longMs) || this.#weight === 0) return 0;
    const volatility = Math.max(Math.sqrt(this.#variance / this.#weight), leastVolatility / Math.sqrt(longMs));
    return (this.#short - this.#long) / (volatility * (longMs - shortMs) / Math.sqrt(2 * (longMs + shortMs)));
  }

  #sample(time: number, price: number): void {
    const elapsed = time - this.#sampleTime;
    const share = -Math.expm1(-elapsed / (VOLATILITY_LENGTH * this.options.longMs));
    this.#variance += share * ((price - this.#samplePrice) ** 2 / elapsed - this.#variance);
    this.#weight += share * (1 - this.#weight);
    this.#sampleTime = time;
    this.#samplePrice = price;
  }
}
