// Writes the time of a market whose clock runs apart from real time to the journal every second, so a restart after a kill goes
// on from there. Without it such a market would fall back to its last call, which may be hours of market time ago. Without a
// journal the host only asks for the time then, because a clock that nobody asks counts as standing still (market-clock.ts).

import { SYSTEM_TIMERS, type Timers } from "../../../common/timers.ts";
import type { ClockMode } from "../../../protocol/index.ts";

const SAVE_INTERVAL_MS = 1000;

export class ClockSaver {
  #cancel: (() => void) | null = null;

  constructor(private readonly save: () => void, private readonly timers: Timers = SYSTEM_TIMERS) {}

  /** Begins or ends saving, as the clock's mode requires. */
  follow(mode: ClockMode): void {
    if (mode !== "fast") this.stop();
    else if (this.#cancel === null) this.#scheduleSave();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #scheduleSave(): void {
    this.#cancel = this.timers.after(SAVE_INTERVAL_MS, () => {
      this.#scheduleSave();
      this.save();
    });
  }
}
