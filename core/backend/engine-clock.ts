// The engine's clock, estimated from what it says: engine time = local time + offset.
//
// Each word of the engine bounds the offset: on arrival it is some unknown part of the round trip old, so engine time is at
// least what it says, and at most that plus the round trip. The estimate is the greatest lower bound known, hence never
// ahead of the engine by more than the local clock's own drift: an order's `validUntil` made from it has passed at the
// engine, too, when its submitter is told that nobody knows. A word whose upper bound is below the estimate shows that one
// of the clocks was set anew; it replaces the estimate.

export class EngineClock {
  #offsetMs: number | null = null;

  /** `now`: local milliseconds since the epoch. */
  constructor(private readonly now: () => number) {}

  /** Takes an ISO time that the engine sent at most `roundTripMs` ago. */
  learn(engineTime: string, roundTripMs: number): void {
    const least = Date.parse(engineTime) - this.now();
    const known = this.#offsetMs;
    if (known === null || least > known || least + roundTripMs < known) this.#offsetMs = least;
  }

  /** Milliseconds of engine time; local time until the engine has told its own. */
  time(): number {
    return Math.round(this.now() + (this.#offsetMs ?? 0));
  }

  isoTime(): string {
    return new Date(this.time()).toISOString();
  }
}
