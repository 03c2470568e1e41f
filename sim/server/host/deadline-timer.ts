// Calls back once a deadline has come by the clock, however far off it is, and however the clock gets there.
//
// A timer of the runtime counts time that passes for the process: it stands still while the machine is suspended, and
// knows nothing of a clock that is set. So the clock is looked at every CHECK_INTERVAL_MS: a deadline is met that much too late at
// most, also after a suspension or a step of the clock.
//
// Cost: two looks a second.

import { SYSTEM_TIMERS, type Timers } from "../../../common/timers.ts";

export const CHECK_INTERVAL_MS = 500;

export class DeadlineTimer {
  readonly #now: () => number;
  readonly #wake: () => void;
  readonly #timers: Timers;
  #endWait: (() => void) | null = null;
  #deadline: number | null = null;

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
    if (deadline !== null) this.#wait(deadline);
  }

  #wait(deadline: number): void {
    const waitMs = Math.min(Math.max(deadline - this.#now(), 0), CHECK_INTERVAL_MS);
    this.#endWait = this.#timers.after(waitMs, () => this.#look(deadline));
  }

  #look(deadline: number): void {
    if (this.#now() < deadline) {
      this.#wait(deadline);
      return;
    }
    this.#endWait = null;
    this.#deadline = null;
    this.#wake();
  }
}
