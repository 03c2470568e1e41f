// The market clock: market time from real time, as the engine's clock setting says.
//
// The engine holds the setting, and each change of it is a call in the journal. Where market time stood at a moment is held
// here: at the start, the market time of the engine's last call, so market time stands still while the engine is down.
//
// Invariant: market time never goes back. Market time that runs apart from real time does not make up for a standstill of the
// process: if nobody asked for it during MAX_UNSEEN_MS, only these count. So a machine that was suspended for a night does not
// move a market by years at speed 1000.

import type { ClockSetting } from "../../../protocol/index.ts";

/** Milliseconds since the epoch. */
export interface Times {
  /** Market time. */
  readonly now: number;
  /** Engine time, which is real. */
  readonly realNow: number;
}

/** The host asks at least every second (wake-ups.ts). */
const MAX_UNSEEN_MS = 10_000;

export class MarketClock {
  #setting: ClockSetting;
  /** Market time `#anchor.now` was at real time `#anchor.realNow`. */
  #anchor: Times;
  /** Real time at which somebody last asked. */
  #seenAt: number;

  /** `now`: market time so far. */
  constructor(setting: ClockSetting, now: number, realNow: number) {
    this.#setting = setting;
    this.#anchor = { now, realNow };
    this.#seenAt = realNow;
  }

  /** Market time at a real time, which never goes back from call to call. */
  at(realNow: number): number {
    const { mode, speed } = this.#setting;
    if (mode === "real") return Math.max(realNow, this.#anchor.now);
    const unseen = realNow - this.#seenAt;
    if (unseen > MAX_UNSEEN_MS) {
      const now = this.#timeAt(this.#seenAt + MAX_UNSEEN_MS, speed);
      this.#anchor = { now, realNow };
    }
    this.#seenAt = realNow;
    return this.#timeAt(realNow, speed);
  }

  /** Takes the setting after a call of the engine, and the times of the call. Returns whether anything has changed. */
  follow(setting: ClockSetting, times: Times): boolean {
    const isMoved = setting.mode === "lockstep" && times.now !== this.#anchor.now;
    if (setting === this.#setting && !isMoved) return false;
    this.#setting = setting;
    this.#anchor = times;
    this.#seenAt = times.realNow;
    return true;
  }

  /** Real milliseconds until a market time; 0 if it has passed, Infinity if time stands still. */
  waitMs(time: number, realNow: number): number {
    const left = time - this.at(realNow);
    if (left <= 0) return 0;
    return this.#setting.mode === "lockstep" ? Infinity : left / this.#setting.speed;
  }

  #timeAt(realNow: number, speed: number): number {
    const { now, realNow: since } = this.#anchor;
    return now + Math.floor((realNow - since) * speed);
  }
}
