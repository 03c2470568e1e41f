// The time in a run: it begins at the clock's and passes `speed` times as fast.

export class SimulatedClock {
  readonly #startedAt: number;

  /** `now`: milliseconds since the epoch. */
  constructor(readonly speed: number, private readonly now: () => number) {
    this.#startedAt = now();
  }

  /** When the run began, by the clock. */
  get startedAt(): number {
    return this.#startedAt;
  }

  /** Simulated milliseconds since the epoch. */
  time(): number {
    return Math.round(this.#startedAt + (this.now() - this.#startedAt) * this.speed);
  }

  /** The wait by the clock that simulated milliseconds take; at least one. */
  waitMs(simulatedMs: number): number {
    return Math.max(1, simulatedMs / this.speed);
  }
}
