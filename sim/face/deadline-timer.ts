// Calls back once a deadline has come, however far off it is.

/** The longest wait that a timer takes, in milliseconds; a longer one would fire at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

export class DeadlineTimer {
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** `wake` may come early, where the deadline is weeks away; it sets the timer anew. */
  constructor(readonly now: () => number, readonly wake: () => void) {}

  /** Waits for `deadline` (milliseconds since the epoch) instead of what it waited for; null: for nothing. */
  set(deadline: number | null): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (deadline === null) return;
    this.#timer = setTimeout(this.wake, Math.min(Math.max(deadline - this.now(), 0), LONGEST_WAIT_MS));
    this.#timer.unref();
  }
}
