// A figure of the state that is standard normal and forgets, as it is expected in steps to come: what is known of it now
// fades, and its variance goes to 1.

export class FadingNormal {
  readonly #memory: number;
  mean: number;
  variance: number;

  /** `value` is the figure now; null where nothing is known of it. */
  constructor(value: number | null, memory: number) {
    this.#memory = memory;
    this.mean = value ?? 0;
    this.variance = value === null ? 1 : 0;
  }

  /** Goes on by one step. */
  step(): void {
    this.mean *= this.#memory;
    this.variance = 1 - (1 - this.variance) * this.#memory ** 2;
  }

  /** The mean of e^(log + sd x), x being the figure. */
  meanOfExponential(log: number, sd: number): number {
    return Math.exp(log + sd * this.mean + sd * sd * this.variance / 2);
  }
}
