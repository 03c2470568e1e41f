// The expected ratio of base prices in future hours: e^(x + c k), where x is an hourly autoregression whose innovations
// are wider on turbulent days, and k is the day's tightness.
//
// The variance V of x is itself uncertain, because the turbulence of later days is. Its mean and deviation are moved
// forward; then the mean of e^x is e^(m + V / 2), with the second-order term of the uncertainty of V.

import { noiseOf } from "./innovations.ts";
import type { DayNews, HourNews } from "./news.ts";
import { meanOfLimitedExponential, NormalForecast } from "./normal-forecast.ts";
import type { SpotParameters } from "./spot-parameters.ts";

export class BaseForecast {
  readonly #turbulence: NormalForecast;
  /** The deviation of an innovation on a day of turbulence factor 1. */
  readonly #noise: number;
  // The factor of the day's turbulence, its square, and the deviation of its square: expected values.
  #width = 0;
  #square = 0;
  #squareSd = 0;
  // The log ratio x: mean, mean variance, and the deviation of the variance.
  #mean: number;
  #variance: number;
  #varianceSd = 0;

  /** `baseLog` and `turbulence`: the values now; null if unknown. */
  constructor(private readonly parameters: SpotParameters, baseLog: number | null, turbulence: number | null) {
    this.#turbulence = new NormalForecast(turbulence, parameters.turbulence.memory);
    this.#noise = parameters.base.sd * noiseOf(parameters.base.memory);
    this.#mean = baseLog ?? 0;
    this.#variance = 0;
    this.#setWidth();
    if (baseLog !== null) return;
    this.#variance = parameters.base.sd ** 2 * this.#square;
    this.#varianceSd = parameters.base.sd ** 2 * this.#squareSd;
  }

  beginDay(news: DayNews): void {
    this.#turbulence.step(news.turbulence, news.share);
    this.#setWidth();
  }

  /** Advances to the next hour. */
  step(news: HourNews): void {
    const { memory } = this.parameters.base;
    const noise = this.#noise ** 2 * (1 - news.share);
    this.#mean = memory * this.#mean + this.#noise * this.#width * news.base;
    this.#variance = memory ** 2 * this.#variance + noise * this.#square;
    this.#varianceSd = memory ** 2 * this.#varianceSd + noise * this.#squareSd;
  }

  /** The mean ratio, limited to `most`. */
  ratio(tightness: NormalForecast, most: number): number {
    const { price } = this.parameters.day;
    const mean = this.#mean + price * tightness.mean + this.#varianceSd ** 2 / 8;
    return meanOfLimitedExponential(mean, this.#variance + price ** 2 * tightness.variance, most);
  }

  #setWidth(): void {
    const { sd, most } = this.parameters.turbulence;
    const { mean, variance } = this.#turbulence;
    const power = (exponent: number) =>
      meanOfLimitedExponential(exponent * sd * (mean - sd), (exponent * sd) ** 2 * variance, most ** exponent);
    this.#width = power(1);
    this.#square = power(2);
    this.#squareSd = Math.sqrt(Math.max(0, power(4) - this.#square ** 2));
  }
}
