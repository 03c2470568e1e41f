// Calls of the engine that no request asks for: when something is scheduled (deadline-timer.ts), and to save market time.
//
// The time of a market whose clock runs apart from real time is written to the journal every second, so a restart after a kill
// goes on from there. Without it such a market would fall back to its last call, which may be hours of market time ago. Without
// a journal the host only asks for the time then, because a clock that nobody asks counts as standing still (market-clock.ts).

import { SYSTEM_TIMERS, type Timers } from "../../../common/timers.ts";
import type { MarketEngine } from "../../api/market-engine.ts";
import { DeadlineTimer } from "./deadline-timer.ts";
import type { EngineCalls } from "./engine-calls.ts";

const SAVE_INTERVAL_MS = 1000;

interface WakeUpsOptions {
  readonly engine: MarketEngine;
  readonly calls: EngineCalls;
  /** Something is due. */
  readonly onDeadline: () => void;
  /** Saves market time. */
  readonly saveTime: () => void;
  /** Default: the runtime's timers. */
  readonly timers?: Timers | undefined;
}

export class WakeUps {
  readonly #deadline: DeadlineTimer;
  #cancelSave: (() => void) | null = null;
  #hasEnded = false;

  constructor(private readonly options: WakeUpsOptions) {
    const { calls, onDeadline, timers } = options;
    this.#deadline = new DeadlineTimer((deadline) => calls.waitMs(deadline), onDeadline, timers);
    this.#followMode();
    this.follow();
  }

  /** Follows the engine's schedule and clock after a call. */
  follow(): void {
    const { engine, calls } = this.options;
    const hasChanged = calls.followClock();
    if (this.#hasEnded) return;
    this.#deadline.set(engine.nextDeadline());
    if (!hasChanged) return;
    this.#deadline.clockChanged();
    this.#followMode();
  }

  end(): void {
    this.#hasEnded = true;
    this.#deadline.set(null);
    this.#endSaving();
  }

  /** Begins or ends saving, as the clock's mode requires. */
  #followMode(): void {
    if (this.options.engine.clock.mode !== "fast") this.#endSaving();
    else if (this.#cancelSave === null) this.#scheduleSave();
  }

  #endSaving(): void {
    this.#cancelSave?.();
    this.#cancelSave = null;
  }

  #scheduleSave(): void {
    const { saveTime, timers = SYSTEM_TIMERS } = this.options;
    this.#cancelSave = timers.after(SAVE_INTERVAL_MS, () => {
      this.#scheduleSave();
      saveTime();
    });
  }
}
