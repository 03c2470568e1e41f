// What waits in all outboxes together, so that many slow consumers can't take what one may not.

interface Outbox {
  readonly length: number;
}

export class Backlogs {
  readonly #waiting = new Set<Outbox>();
  #total = 0;

  /** `limit`: characters that may wait in all. */
  constructor(readonly limit: number) {}

  /** Characters that wait in all. */
  get total(): number {
    return this.#total;
  }

  /** `length` has been added to what waits in an outbox, or taken from it. */
  count(outbox: Outbox, length: number): void {
    this.#total += length;
    if (outbox.length > 0) this.#waiting.add(outbox);
    else this.#waiting.delete(outbox);
  }

  remove(outbox: Outbox): void {
    this.#waiting.delete(outbox);
  }

  /** Whether too much waits in all, and the most of it in this outbox. */
  mustGo(outbox: Outbox): boolean {
    if (this.#total <= this.limit) return false;
    for (const other of this.#waiting) if (other.length > outbox.length) return false;
    return true;
  }
}
