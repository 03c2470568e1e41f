// When requests are due: at a fixed rate from the start, whatever the target does (an open loop). A latency counts from when
// its request was due, so a target that stalls makes every request that was due meanwhile late. A generator that waits for
// answers before it sends again would leave out just these (coordinated omission).

export class Schedule {
  /** All requests of the run. */
  readonly total: number;

  constructor(private readonly ratePerSecond: number, seconds: number) {
    this.total = Math.round(ratePerSecond * seconds);
  }

  /** Milliseconds after the start at which request `number`, counted from 0, is due. */
  dueMs(number: number): number {
    return number * 1000 / this.ratePerSecond;
  }

  /** How many requests are due by then. */
  dueBy(elapsedMs: number): number {
    if (elapsedMs < 0) return 0;
    return Math.min(this.total, Math.floor(elapsedMs * this.ratePerSecond / 1000) + 1);
  }
}
