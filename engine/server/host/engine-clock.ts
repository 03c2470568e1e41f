// Engine time: the machine's clock as long as it is to be trusted, and never going back, also across a restart.
//
// Each look at the clock compares it with the monotonic clock of the operating system. A step up to the limit is followed: it
// is a time service that corrects the clock, or a leap second. A larger one is a jump, which is not followed: engine time goes
// on with the monotonic clock, and trading stops (clock-jump.ts), until the clock is right again or an operator accepts it. So
// a clock that is wrong for a moment expires no order and delivers no contract. A start follows the clock, however much time
// has passed.
//
// If a step back is followed, engine time stops until the clock has caught up. Meanwhile requests are executed at the stopped
// time, and no session, delivery or listing is due.
//
// The engine looks at each call, and twice a second if anything is scheduled (deadline-timer.ts). Limits: steps below the limit
// may add up. The monotonic clock of Linux and macOS stands still while the machine is suspended, so a suspension is a jump.

import { lengthText } from "../../../common/length-text.ts";
import type { Logger } from "../../../common/logger.ts";
import { TO_ACCEPT } from "./clock-jump.ts";

/** A time service corrects the clock by less than this. */
const MAX_SILENT_STEP_MS = 1000;

interface EngineClockOptions {
  /** The machine's clock: milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds that pass evenly, whatever the clock does; absent: every step of the clock counts as time that passed. */
  readonly steadyNow?: (() => number) | undefined;
  /** The largest step of the clock that is followed; absent: any is. */
  readonly maxJumpMs?: number | undefined;
  readonly log: Logger;
  /** Engine time so far. */
  readonly latest?: number;
}

export class EngineClock {
  readonly #now: () => number;
  readonly #steadyNow: () => number;
  readonly #maxJumpMs: number;
  readonly #log: Logger;
  #latest: number;
  #isBehind = false;
  #jumpMs = 0;
  /** Both clocks at the last look. */
  #wall: number;
  #steady: number;
  /** Both clocks when the clock was last followed. */
  #followedWall: number;
  #followedSteady: number;

  constructor({ now, steadyNow = now, maxJumpMs = Infinity, log, latest = 0 }: EngineClockOptions) {
    this.#now = now;
    this.#steadyNow = steadyNow;
    this.#maxJumpMs = maxJumpMs;
    this.#log = log;
    this.#latest = latest;
    this.#wall = this.#followedWall = now();
    this.#steady = this.#followedSteady = steadyNow();
  }

  /** By how much the clock is ahead of what it should be, while it is not followed; negative: behind; 0: it is followed. */
  get jumpMs(): number {
    return Math.round(this.#jumpMs);
  }

  /** Milliseconds since the epoch. */
  time(): number {
    let stepMs = this.#look();
    // A process that stood still between its looks at the two clocks sees a step. The next look is right.
    if (Math.abs(stepMs) > MAX_SILENT_STEP_MS) stepMs = this.#look();
    if (Math.abs(stepMs) > this.#maxJumpMs) return this.#timeWithoutClock(stepMs);
    if (this.#jumpMs !== 0) this.#log.warn("the clock is right again; engine time follows it, and trading goes on");
    else if (stepMs > MAX_SILENT_STEP_MS) {
      this.#log.warn("the clock was set forward by {length}, or the machine was suspended; engine time follows it", {
        length: lengthText(stepMs),
      });
    }
    return this.#follow();
  }

  /** Follows the clock as it is now. Returns by how much it was ahead or behind; 0 if it was followed already. */
  accept(): number {
    this.time();
    const { jumpMs } = this;
    if (jumpMs !== 0) this.#follow();
    return jumpMs;
  }

  /** Reads both clocks. Returns the step of the clock since it was last followed. */
  #look(): number {
    this.#wall = this.#now();
    this.#steady = this.#steadyNow();
    return this.#wall - this.#followedWall - (this.#steady - this.#followedSteady);
  }

  #timeWithoutClock(jumpMs: number): number {
    if (this.#jumpMs === 0) {
      const clock = `the clock has jumped ${jumpMs > 0 ? "ahead" : "back"} by {length}, to {clock}`;
      this.#log.error(
        `${clock}; engine time does not follow it, and trading stops until it is right again. ${TO_ACCEPT}`,
        {
          length: lengthText(jumpMs),
          clock: new Date(this.#wall).toISOString(),
        },
      );
    }
    this.#jumpMs = jumpMs;
    return this.#latest = Math.max(this.#latest, Math.floor(this.#wall - jumpMs));
  }

  #follow(): number {
    this.#jumpMs = 0;
    this.#followedSteady = this.#steady;
    return this.#notBefore(this.#followedWall = this.#wall);
  }

  #notBefore(now: number): number {
    if (now >= this.#latest) {
      if (this.#isBehind) this.#log.info("the clock has caught up; engine time continues");
      this.#isBehind = false;
      this.#latest = now;
    } else if (!this.#isBehind && this.#latest - now > MAX_SILENT_STEP_MS) {
      this.#isBehind = true;
      this.#log.warn(
        "the clock was set back by {seconds} s; engine time, sessions, deliveries and listings wait until {until}",
        { seconds: Math.round((this.#latest - now) / 1000), until: new Date(this.#latest).toISOString() },
      );
    }
    return this.#latest;
  }
}
