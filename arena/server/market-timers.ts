// Timers in market time. Whoever moves market time asks when the next one is due, and ends those that are.

import type { Timers } from "../../common/timers.ts";

interface Timer {
  /** Market time, in milliseconds since the epoch. */
  readonly due: number;
  readonly task: () => void;
}

export class MarketTimers implements Timers {
  readonly #timers = new Set<Timer>();

  /** `now`: market time. */
  constructor(private readonly now: () => number) {}

  /** When the next is due; Infinity if there is none. */
  get next(): number {
    return Math.min(Infinity, ...[...this.#timers].map(({ due }) => due));
  }

  get count(): number {
    return this.#timers.size;
  }

  after(waitMs: number, task: () => void): () => void {
    const timer = { due: this.now() + waitMs, task };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Runs those that are due at a time, in their order. */
  run(time: number): void {
    const due = [...this.#timers].filter((timer) => timer.due <= time).toSorted((one, other) => one.due - other.due);
    for (const timer of due) if (this.#timers.delete(timer)) timer.task();
  }
}
