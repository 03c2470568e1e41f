// Engine time: the clock, but never going back.
//
// While the clock is behind, because it was set back, engine time stands still, and so do sessions, deliveries and
// listings; requests are answered as of the time at which it stands. The log says so once, and again once it goes on.

import type { Logger } from "../../../common/logger.ts";

/** Corrections of a clock that is kept by a time service are smaller. */
const LARGEST_SILENT_STEP_MS = 1000;

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
    } else if (!this.#isBehind && this.#latest - now > LARGEST_SILENT_STEP_MS) {
      this.#isBehind = true;
      this.log.warn(
        "the clock was set back by {seconds} s; engine time, sessions, deliveries and listings stand still until {until}",
        { seconds: Math.round((this.#latest - now) / 1000), until: new Date(this.#latest).toISOString() },
      );
    }
    return this.#latest;
  }
}
