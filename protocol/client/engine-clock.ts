// The engine's clock, estimated from what it says: engine time = local time + offset.
//
// Each word of the engine bounds the offset: on arrival it is some unknown part of the round trip old, so engine time is at
// least what it says, and at most that plus the round trip. The estimate is the greatest lower bound known, less what the
// two clocks may have drifted apart since (DRIFT). So it is never ahead of the engine: a request's `validUntil` made from
// it has passed at the engine, too, when its sender is told `timeout`. A word whose upper bound is below the estimate shows
// that one of the clocks was set anew; it replaces the estimate.

/** More than clocks differ in speed, also while they are being adjusted (500 ppm each). */
const DRIFT = 1 / 1000;

export class EngineClock {
  #known: { readonly offsetMs: number; readonly at: number } | null = null;

  /** `now`: local milliseconds since the epoch, of a clock that is not set while the process runs. */
  constructor(private readonly now: () => number) {}

  /** Takes an ISO time that the engine sent at most `roundTripMs` ago. */
  learn(engineTime: string, roundTripMs: number): void {
    const at = this.now();
    const offsetMs = Date.parse(engineTime) - at;
    const known = this.#offsetAt(at);
    if (known === null || offsetMs > known || offsetMs + roundTripMs < known) this.#known = { offsetMs, at };
  }

  /** Milliseconds of engine time; local time until the engine has told its own. */
  time(): number {
    const now = this.now();
    return Math.floor(now + (this.#offsetAt(now) ?? 0));
  }

  isoTime(): string {
    return new Date(this.time()).toISOString();
  }

  #offsetAt(now: number): number | null {
    return this.#known === null ? null : this.#known.offsetMs - (now - this.#known.at) * DRIFT;
  }
}
