// How long to wait after refusals: 10 s of simulated time after the first, twice as long after each further one in a row, up
// to a quarter of an hour.

const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 15 * 60_000;

export class Backoff {
  #refusals = 0;
  #until = -Infinity;

  /** Times in milliseconds since the epoch. */
  isWaitingAt(time: number): boolean {
    return time < this.#until;
  }

  refusedAt(time: number): void {
    this.#until = time + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(this.#refusals, 10));
    this.#refusals += 1;
  }

  accepted(): void {
    this.#refusals = 0;
  }
}
