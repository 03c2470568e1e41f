// Calls back once a deadline has come, however far off it is.

import { SYSTEM_TIMERS, type Timers } from "./timers.ts";

/** The longest wait that a timer takes, in milliseconds; a longer one would fire at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

export class DeadlineTimer {
  readonly #now: () => number;
  readonly #wake: () => void;
  readonly #timers: Timers;
  #endWait: (() => void) | null = null;
  #deadline: number | null = null;

  /** `wake` may come early, where the deadline is weeks away; it then sets the timer anew. */
  constructor(now: () => number, wake: () => void, timers: Timers = SYSTEM_TIMERS) {
    this.#now = now;
    this.#wake = wake;
    this.#timers = timers;
  }

  /** Waits for `deadline` (milliseconds since the epoch) instead of what it waited for; null: for nothing. */
  set(deadline: number | null): void {
    if (deadline === this.#deadline) return;
    this.#endWait?.();
    this.#endWait = null;
    this.#deadline = deadline;
    if (deadline === null) return;
    const waitMs = Math.min(Math.max(deadline - this.#now(), 0), LONGEST_WAIT_MS);
    this.#endWait = this.#timers.after(waitMs, () => this.#fire());
  }

  #fire(): void {
    this.#endWait = null;
    this.#deadline = null;
    this.#wake();
  }
}
