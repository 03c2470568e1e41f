// The simulated time of a run. It begins at the clock's time and passes `speed` times as fast.

export class SimulatedClock {
  /** The clock's time when the run began. */
  readonly startedAt: number;

  /** `now`: milliseconds since the epoch. */
  constructor(readonly speed: number, private readonly now: () => number) {
    this.startedAt = now();
  }

  /** Simulated milliseconds since the epoch. */
  time(): number {
    return Math.round(this.startedAt + (this.now() - this.startedAt) * this.speed);
  }

  /** Milliseconds of the clock for so many simulated milliseconds; at least 1. */
  waitMs(simulatedMs: number): number {
    return Math.max(1, simulatedMs / this.speed);
  }
}
