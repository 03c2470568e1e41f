// An estimate of the engine's clock: engine time = local time + offset.
//
// Each time that the engine sends bounds the offset. On arrival it is between 0 and one round trip old, so engine time is at
// least the sent time, and at most that plus the round trip. The estimate is the greatest lower bound so far, less the
// possible drift of the two clocks since then (DRIFT). So the estimate is never ahead of the engine. A request's `validUntil`
// is made from it, and has therefore passed at the engine as well when the sender is told `timeout`. If the upper bound of a
// new time is below the estimate, one of the clocks was set, and the new time replaces the estimate.

import { MarketTime } from "./market-time.ts";

/** More than two clocks differ in speed while both are being adjusted (500 ppm each). */
const DRIFT = 1 / 1000;

export class EngineClock {
  /** The engine's market time. */
  readonly market = new MarketTime(() => this.time());
  #known: { readonly offsetMs: number; readonly at: number } | null = null;

  #isoTime = "";
  #isoTimeOf = NaN;

  /** `now`: local milliseconds since the epoch, from a clock that is not set while the process runs. */
  constructor(private readonly now: () => number) {}

  /** Uses an ISO time that the engine sent at most `roundTripMs` ago. */
  learn(engineTime: string, roundTripMs: number): void {
    const at = this.now();
    const offsetMs = Date.parse(engineTime) - at;
    const known = this.#offsetAt(at);
    if (known === null || offsetMs > known || offsetMs + roundTripMs < known) this.#known = { offsetMs, at };
  }

  /** Milliseconds of engine time; local time until the engine has sent its own. */
  time(): number {
    const now = this.now();
    return Math.floor(now + (this.#offsetAt(now) ?? 0));
  }

  /** Market time as ISO text. Asked for with each message, so the text is kept for its millisecond. */
  marketIsoTime(): string {
    const time = this.market.time();
    if (time !== this.#isoTimeOf) {
      this.#isoTimeOf = time;
      this.#isoTime = new Date(time).toISOString();
    }
    return this.#isoTime;
  }

  #offsetAt(now: number): number | null {
    return this.#known === null ? null : this.#known.offsetMs - (now - this.#known.at) * DRIFT;
  }
}
