// Forecast of a standard normal autoregression: the known value decays to mean 0, and the variance grows to 1.

export class NormalForecast {
  readonly #memory: number;
  mean: number;
  variance: number;

  /** `value`: the value now; null if unknown. `memory`: autocorrelation of one step. */
  constructor(value: number | null, memory: number) {
    this.#memory = memory;
    this.mean = value ?? 0;
    this.variance = value === null ? 1 : 0;
  }

  /** Advances by one step. */
  step(): void {
    this.mean *= this.#memory;
    this.variance = 1 - (1 - this.variance) * this.#memory ** 2;
  }

  /** The mean of e^(log + sd x), where x is the value. */
  meanOfExponential(log: number, sd: number): number {
    return Math.exp(log + sd * this.mean + sd * sd * this.variance / 2);
  }
}
