// Calls back once a deadline has come, however far off it is.

/** The longest wait that a timer takes, in milliseconds; a longer one would fire at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

export class DeadlineTimer {
  readonly #now: () => number;
  readonly #wake: () => void;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #deadline: number | null = null;

  /** `wake` may come early, where the deadline is weeks away; it then sets the timer anew. */
  constructor(now: () => number, wake: () => void) {
    this.#now = now;
    this.#wake = wake;
  }

  /** Waits for `deadline` (milliseconds since the epoch) instead of what it waited for; null: for nothing. */
  set(deadline: number | null): void {
    if (deadline === this.#deadline) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#deadline = deadline;
    if (deadline === null) return;
    const waitMs = Math.min(Math.max(deadline - this.#now(), 0), LONGEST_WAIT_MS);
    this.#timer = setTimeout(() => this.#fire(), waitMs);
    this.#timer.unref();
  }

  #fire(): void {
    this.#timer = null;
    this.#deadline = null;
    this.#wake();
  }
}
