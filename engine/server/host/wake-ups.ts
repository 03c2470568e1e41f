// Calls of the engine that no request asks for: when something is scheduled (deadline-timer.ts), and to save market time
// (clock-saver.ts).

import type { Timers } from "../../../common/timers.ts";
import type { MarketEngine } from "../../api/market-engine.ts";
import { ClockSaver } from "./clock-saver.ts";
import { DeadlineTimer } from "./deadline-timer.ts";
import type { EngineCalls } from "./engine-calls.ts";

interface WakeUpsOptions {
  readonly engine: MarketEngine;
  readonly calls: EngineCalls;
  /** Something is due. */
  readonly onDeadline: () => void;
  /** Saves market time. */
  readonly saveTime: () => void;
  /** Default: the runtime's timers. */
  readonly timers?: Timers | undefined;
}

export class WakeUps {
  readonly #deadline: DeadlineTimer;
  readonly #saver: ClockSaver;
  #hasEnded = false;

  constructor(private readonly options: WakeUpsOptions) {
    const { engine, calls, onDeadline, saveTime, timers } = options;
    this.#deadline = new DeadlineTimer((deadline) => calls.waitMs(deadline), onDeadline, timers);
    this.#saver = new ClockSaver(saveTime, timers);
    this.#saver.follow(engine.clock.mode);
    this.follow();
  }

  /** Follows the engine's schedule and clock after a call. */
  follow(): void {
    const { engine, calls } = this.options;
    const hasChanged = calls.followClock();
    if (this.#hasEnded) return;
    this.#deadline.set(engine.nextDeadline());
    if (!hasChanged) return;
    this.#deadline.clockChanged();
    this.#saver.follow(engine.clock.mode);
  }

  end(): void {
    this.#hasEnded = true;
    this.#deadline.set(null);
    this.#saver.stop();
  }
}
