// Engine time: the clock, but never going back.
//
// If the clock is set back, engine time stands still until the clock has caught up. Sessions, deliveries and listings wait;
// requests are executed at the time that stands. The log has one line when this begins, and one when it ends.

import type { Logger } from "../../../common/logger.ts";

/** A time service corrects the clock by less than this. */
const MAX_SILENT_STEP_MS = 1000;

export class EngineClock {
  #latest = 0;
  #isBehind = false;

  /** `now`: milliseconds since the epoch. */
  constructor(private readonly now: () => number, private readonly log: Logger) {}

  time(): number {
    const now = this.now();
    if (now >= this.#latest) {
      if (this.#isBehind) this.log.info("the clock has caught up; engine time goes on");
      this.#isBehind = false;
      this.#latest = now;
    } else if (!this.#isBehind && this.#latest - now > MAX_SILENT_STEP_MS) {
      this.#isBehind = true;
      this.log.warn(
        "the clock was set back by {seconds} s; engine time, sessions, deliveries and listings stand still until {until}",
        { seconds: Math.round((this.#latest - now) / 1000), until: new Date(this.#latest).toISOString() },
      );
    }
    return this.#latest;
  }
}
