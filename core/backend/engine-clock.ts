// The engine's clock, estimated from what it says: engine time = local time + offset. The latest word wins, so a local
// clock that is set anew is mended by the next pong.

export class EngineClock {
  #offsetMs = 0;

  /** `now`: local milliseconds since the epoch. */
  constructor(private readonly now: () => number) {}

  /** Takes an ISO time that the engine sent; half of the round trip is how old it is on arrival. */
  learn(engineTime: string, roundTripMs = 0): void {
    this.#offsetMs = Date.parse(engineTime) + roundTripMs / 2 - this.now();
  }

  /** Milliseconds of engine time; local time until the engine has told its own. */
  time(): number {
    return Math.round(this.now() + this.#offsetMs);
  }

  isoTime(): string {
    return new Date(this.time()).toISOString();
  }
}
