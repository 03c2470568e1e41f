import type { Timers } from "../../../../common/timers.ts";

/** Timers of a process whose time passes as the test says, whatever the clock does. */
export class SteppedTimers implements Timers {
  processTime = 0;
  readonly #waits = new Set<{ readonly due: number; readonly task: () => void }>();

  /** Tasks that were not carried out or cancelled. */
  get pending(): number {
    return this.#waits.size;
  }

  after(waitMs: number, task: () => void): () => void {
    const wait = { due: this.processTime + waitMs, task };
    this.#waits.add(wait);
    return () => void this.#waits.delete(wait);
  }

  pass(milliseconds: number): void {
    const until = this.processTime + milliseconds;
    for (;;) {
      const [next] = [...this.#waits].filter(({ due }) => due <= until).sort((a, b) => a.due - b.due);
      if (next === undefined) break;
      this.#waits.delete(next);
      this.processTime = next.due;
      next.task();
    }
    this.processTime = until;
  }
}
