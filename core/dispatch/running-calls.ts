// The calls and requests that run now: how many there may be, and how they end with the process.

import type { Timers } from "../../common/timers.ts";
import type { Configuration } from "../config/configuration.ts";
import { ToolError } from "../error.ts";
import { EventWaits } from "./event-waits.ts";

export class RunningCalls {
  readonly waits: EventWaits;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #ending = new AbortController();
  readonly #most: number;

  /** Over HTTP at most `maxRequests` run at once, besides those that wait for an event. */
  constructor({ http }: Pick<Configuration, "http">, timers?: Timers) {
    this.#most = http?.maxRequests ?? Infinity;
    this.waits = new EventWaits(timers);
  }

  /** Aborts when the process begins to end. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** The number of those that run now, with those that wait. */
  get count(): number {
    return this.#underWay.size;
  }

  /** Throws ToolError `rate_limited` if no further one may run. */
  checkCapacity(): void {
    if (this.#underWay.size - this.waits.count < this.#most) return;
    throw new ToolError(
      "rate_limited",
      `${this.#most} calls are already running; nothing was sent.`,
      "Wait a little and call again.",
    );
  }

  /** Counts `run` as running until it settles. */
  async counted<Value>(run: Promise<Value>): Promise<Value> {
    this.#underWay.add(run);
    try {
      return await run;
    } finally {
      this.#underWay.delete(run);
    }
  }

  /** The process begins to end: changes are refused, and calls that wait for an event are answered now. */
  end(): void {
    this.#ending.abort();
    this.waits.endAll();
  }

  /** Resolves when all have ended, or after `limitMs`. */
  async drain(limitMs: number): Promise<void> {
    await Promise.race([Promise.allSettled([...this.#underWay]), Bun.sleep(limitMs)]);
  }
}
