// A clock that only moves when a test moves it.

import type { Schedule } from "../../../core/subscriptions/change-watch.ts";

export class ArtificialClock {
  now = 0;
  #timers: { readonly at: number; readonly run: () => void }[] = [];

  readonly schedule: Schedule = (run, delayMs) => {
    const timer = { at: this.now + delayMs, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };

  /** How many runs are due in the future. */
  get pending(): number {
    return this.#timers.length;
  }

  advance(byMs: number): void {
    const end = this.now + byMs;
    for (;;) {
      const [next] = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.now = next.at;
      next.run();
    }
    this.now = end;
  }
}
