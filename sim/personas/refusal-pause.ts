// Waiting times of a persona after refusals, in simulated time: 10 s after the first refusal, doubled for each further
// one in a row, up to 15 minutes.

const FIRST_WAIT_MS = 10_000;
const MAX_WAIT_MS = 15 * 60_000;

export class RefusalPause {
  #refusals = 0;
  #until = -Infinity;

  /** Times in milliseconds since the epoch. */
  isWaitingAt(time: number): boolean {
    return time < this.#until;
  }

  refusedAt(time: number): void {
    this.#until = time + Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(this.#refusals, 10));
    this.#refusals += 1;
  }

  accepted(): void {
    this.#refusals = 0;
  }
}
