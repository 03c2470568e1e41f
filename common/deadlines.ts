// Deadlines that are all equally long, for many short waits at once. They share one timer, because setting and clearing a
// timer takes a microsecond, which is much for a request.
//
// Invariant: waits are kept in the order in which they began, which is the order of their deadlines. The timer is set for the
// oldest one, and stays set if that wait ends; it does not keep the process running.

interface Wait {
  /** Milliseconds, as of performance.now(). */
  readonly until: number;
  readonly expire: () => void;
}

export class Deadlines {
  readonly #waits = new Set<Wait>();
  #isTimerSet = false;

  constructor(readonly milliseconds: number) {}

  /** Calls `expire` at the deadline, unless the wait ends before. */
  begin(expire: () => void): Wait {
    const wait = { until: performance.now() + this.milliseconds, expire };
    this.#waits.add(wait);
    if (!this.#isTimerSet) this.#setTimer(this.milliseconds);
    return wait;
  }

  end(wait: Wait): void {
    this.#waits.delete(wait);
  }

  #setTimer(milliseconds: number): void {
    this.#isTimerSet = true;
    setTimeout(() => this.#expire(), milliseconds).unref();
  }

  #expire(): void {
    this.#isTimerSet = false;
    const now = performance.now();
    for (const wait of this.#waits) {
      // A timer may come a little early.
      if (wait.until > now + 1) return this.#setTimer(wait.until - now);
      this.#waits.delete(wait);
      wait.expire();
    }
  }
}
