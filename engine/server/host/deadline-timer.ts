// Calls back when market time has reached a deadline.
//
// The runtime's timers stop while the machine is suspended, and ignore a change of the clock. So the clock is checked
// every CHECK_INTERVAL_MS. The callback comes at most that much late, also after a suspension or a step of the clock. While
// market time stands still there is no timer: `clockChanged` looks at the deadline again.

import { SYSTEM_TIMERS, type Timers } from "../../../common/timers.ts";

const CHECK_INTERVAL_MS = 500;

export class DeadlineTimer {
  #cancelCheck: (() => void) | null = null;
  #deadline: number | null = null;

  /** `waitMs`: real milliseconds until a market time; 0 if it has passed, Infinity if market time stands still. */
  constructor(
    private readonly waitMs: (deadline: number) => number,
    private readonly onDeadline: () => void,
    private readonly timers: Timers = SYSTEM_TIMERS,
  ) {}

  /** Replaces the deadline, a market time in milliseconds since the epoch; null: no deadline. */
  set(deadline: number | null): void {
    if (deadline === this.#deadline) return;
    this.#deadline = deadline;
    this.clockChanged();
  }

  /** Market time passes at another speed from now on. */
  clockChanged(): void {
    this.#cancelCheck?.();
    this.#cancelCheck = null;
    if (this.#deadline !== null) this.#scheduleCheck(this.#deadline);
  }

  #scheduleCheck(deadline: number): void {
    const waitMs = this.waitMs(deadline);
    if (waitMs === Infinity) return;
    this.#cancelCheck = this.timers.after(
      Math.min(Math.max(waitMs, 0), CHECK_INTERVAL_MS),
      () => this.#check(deadline),
    );
  }

  #check(deadline: number): void {
    if (this.waitMs(deadline) > 0) {
      this.#scheduleCheck(deadline);
      return;
    }
    this.#cancelCheck = null;
    this.#deadline = null;
    this.onDeadline();
  }
}
