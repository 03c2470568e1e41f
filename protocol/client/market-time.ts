// An estimate of the engine's market time, from an estimate of its real time (engine-clock.ts).
//
// The engine sends both times at one moment, and the speed of its clock, in each welcome and pong and with each change of the
// clock. Market time follows from them exactly, so the estimate is ahead of the engine only as long as the news of a change is
// under way. An engine without a market clock runs in real time.

import { type ClockSetting, EVENTS, REAL_CLOCK } from "../index.ts";
import type { EngineTimes } from "../messages.ts";
import type { ReceivedMessage } from "./frame-reader.ts";

interface Known {
  readonly setting: ClockSetting;
  /** Milliseconds of engine time and of market time at one moment. */
  readonly engineTime: number;
  readonly marketTime: number;
}

export class MarketTime {
  #known: Known | null = null;

  /** `engineTime`: milliseconds of engine time. */
  constructor(private readonly engineTime: () => number) {}

  /** The engine's clock; null if the engine has none, or has not been heard. */
  get setting(): ClockSetting | null {
    return this.#known?.setting ?? null;
  }

  /** Milliseconds since the epoch. */
  time(): number {
    const time = this.engineTime();
    const { setting = REAL_CLOCK, engineTime, marketTime } = this.#known ?? { engineTime: time, marketTime: time };
    if (setting.mode === "real") return time;
    return marketTime + Math.floor(Math.max(0, time - engineTime) * setting.speed);
  }

  /** Takes what a message says about the time. A change of the clock that comes again with missed events is older. */
  learn(message: ReceivedMessage): void {
    if (!("kind" in message)) return;
    if (message.kind === "welcome") this.#known = knownFrom(message);
    else if (message.kind === "pong") this.#known = knownFrom(message);
    else if (message.kind === "event" && message.type === "change.clock") {
      const change = EVENTS["change.clock"].safeParse(message.data).data;
      if (change === undefined) return;
      const { engineTime, mode, speed } = change;
      const known = knownFrom({ time: engineTime, marketTime: message.time, clock: { mode, speed } });
      if (known !== null && known.engineTime >= (this.#known?.engineTime ?? 0)) this.#known = known;
    }
  }
}

/** Null: the engine runs in real time. */
function knownFrom({ time, marketTime, clock }: EngineTimes): Known | null {
  if (clock === undefined || marketTime === undefined) return null;
  const { mode, speed } = clock;
  return { setting: { mode, speed }, engineTime: Date.parse(time), marketTime: Date.parse(marketTime) };
}
