// Calls back when the clock has reached a deadline.
//
// The runtime's timers stop while the machine is suspended, and ignore a change of the clock. So the clock is checked
// every CHECK_INTERVAL_MS. The callback comes at most that much late, also after a suspension or a step of the clock.

import { SYSTEM_TIMERS, type Timers } from "../../../common/timers.ts";

export const CHECK_INTERVAL_MS = 500;

export class DeadlineTimer {
  #cancelCheck: (() => void) | null = null;
  #deadline: number | null = null;

  constructor(
    private readonly now: () => number,
    private readonly onDeadline: () => void,
    private readonly timers: Timers = SYSTEM_TIMERS,
  ) {}

  /** Replaces the deadline, in milliseconds since the epoch; null: no deadline. */
  set(deadline: number | null): void {
    if (deadline === this.#deadline) return;
    this.#cancelCheck?.();
    this.#cancelCheck = null;
    this.#deadline = deadline;
    if (deadline !== null) this.#scheduleCheck(deadline);
  }

  #scheduleCheck(deadline: number): void {
    const waitMs = Math.min(Math.max(deadline - this.now(), 0), CHECK_INTERVAL_MS);
    this.#cancelCheck = this.timers.after(waitMs, () => this.#check(deadline));
  }

  #check(deadline: number): void {
    if (this.now() < deadline) {
      this.#scheduleCheck(deadline);
      return;
    }
    this.#cancelCheck = null;
    this.#deadline = null;
    this.onDeadline();
  }
}
