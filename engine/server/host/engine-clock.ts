// Engine time: the clock, but never going back, also across a restart.
//
// If the clock is set back, engine time stops until the clock has caught up. Meanwhile requests are executed at the
// stopped time, and no session, delivery or listing is due. The log has one line when engine time stops, and one when
// it continues.

import type { Logger } from "../../../common/logger.ts";

/** A time service corrects the clock by less than this. */
const MAX_SILENT_STEP_MS = 1000;

export class EngineClock {
  #latest: number;
  #isBehind = false;

  /** `now`: milliseconds since the epoch. `latest`: engine time so far. */
  constructor(private readonly now: () => number, private readonly log: Logger, latest = 0) {
    this.#latest = latest;
  }

  time(): number {
    const now = this.now();
    if (now >= this.#latest) {
      if (this.#isBehind) this.log.info("the clock has caught up; engine time continues");
      this.#isBehind = false;
      this.#latest = now;
    } else if (!this.#isBehind && this.#latest - now > MAX_SILENT_STEP_MS) {
      this.#isBehind = true;
      this.log.warn(
        "the clock was set back by {seconds} s; engine time, sessions, deliveries and listings wait until {until}",
        { seconds: Math.round((this.#latest - now) / 1000), until: new Date(this.#latest).toISOString() },
      );
    }
    return this.#latest;
  }
}
