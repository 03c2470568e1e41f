// Market time in a run, as the engine has it, and waits in market time.
//
// At a multiple of real time a wait is a timer. In lockstep a wait ends when market time has been moved to its end or beyond;
// of several that end at once, the earliest comes first, and each begins once `beforeEach` has resolved for it.
//
// Invariant: time never goes back for a run, though an estimate of it may be corrected downwards.

import { SYSTEM_TIMERS, type Timers } from "../../common/timers.ts";
import type { ClockSetting } from "../../protocol/index.ts";

/** The market time of an engine. */
export interface MarketTimeSource {
  /** Milliseconds since the epoch. */
  time(): number;
  /** Null: the engine has no market clock, so its market is in real time. */
  readonly setting: ClockSetting | null;
}

interface Wait {
  /** Market time at which it ends. */
  readonly end: number;
  readonly task: () => void;
  cancelTimer: () => void;
}

/** Longer waits are checked again after it. */
const LONGEST_TIMER_MS = 2 ** 30;

export class FollowedClock {
  /** Market time when the run began. */
  readonly startedAt: number;
  readonly #waits = new Set<Wait>();
  /** In lockstep: what must be over before the next wait ends, so that the same moves give the same run. */
  beforeEach: () => Promise<void> = async () => {};
  #isEnding = false;
  #ended = 0;
  #latest: number;

  constructor(private readonly source: MarketTimeSource, private readonly timers: Timers = SYSTEM_TIMERS) {
    this.#latest = this.startedAt = source.time();
  }

  /** Market milliseconds since the epoch. */
  time(): number {
    return this.#latest = Math.max(this.#latest, this.source.time());
  }

  /** Speed of market time; 0 in lockstep. */
  get speed(): number {
    return this.source.setting?.speed ?? 1;
  }

  /** Whether waits are being ended, in lockstep. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Number of waits that have ended in lockstep. */
  get ended(): number {
    return this.#ended;
  }

  /** Calls `task` once after so many market milliseconds. The returned function cancels the wait. */
  after(marketMs: number, task: () => void): () => void {
    const wait: Wait = { end: this.time() + marketMs, task, cancelTimer: () => {} };
    this.#waits.add(wait);
    this.#setTimer(wait);
    return () => {
      wait.cancelTimer();
      this.#waits.delete(wait);
    };
  }

  /** The engine's clock has another speed, or has been moved on. */
  changed(): void {
    for (const wait of this.#waits) {
      wait.cancelTimer();
      this.#setTimer(wait);
    }
    if (this.speed === 0 && !this.#isEnding) void this.#endWaits();
  }

  async #endWaits(): Promise<void> {
    this.#isEnding = true;
    for (;;) {
      await this.beforeEach();
      const wait = this.#firstEnded();
      if (wait === null) break;
      // It has a timer if time passes by itself again meanwhile.
      wait.cancelTimer();
      this.#waits.delete(wait);
      this.#ended += 1;
      wait.task();
    }
    this.#isEnding = false;
  }

  /** Null if no wait has ended; of those that end together the one that began first. */
  #firstEnded(): Wait | null {
    const time = this.time();
    let first: Wait | null = null;
    for (const wait of this.#waits) if (wait.end <= time && wait.end < (first?.end ?? Infinity)) first = wait;
    return first;
  }

  #setTimer(wait: Wait): void {
    if (this.speed === 0) return;
    const waitMs = Math.max(1, (wait.end - this.time()) / this.speed);
    wait.cancelTimer = this.timers.after(Math.min(waitMs, LONGEST_TIMER_MS), () => {
      if (waitMs > LONGEST_TIMER_MS) return this.#setTimer(wait);
      this.#waits.delete(wait);
      wait.task();
    });
  }
}
