// What waits in all send queues together, so that many slow consumers can't take what one may not.

interface SendQueue {
  readonly length: number;
}

export class SendQueues {
  readonly #waiting = new Set<SendQueue>();
  #total = 0;

  /** `limit`: characters that may wait in all. */
  constructor(readonly limit: number) {}

  /** Characters that wait in all. */
  get total(): number {
    return this.#total;
  }

  /** `length` has been added to what waits in an queue, or taken from it. */
  count(queue: SendQueue, length: number): void {
    this.#total += length;
    if (queue.length > 0) this.#waiting.add(queue);
    else this.#waiting.delete(queue);
  }

  remove(queue: SendQueue): void {
    this.#waiting.delete(queue);
  }

  /** Whether too much waits in all, and the most of it in this queue. */
  isLargestAboveLimit(queue: SendQueue): boolean {
    if (this.#total <= this.limit) return false;
    for (const other of this.#waiting) if (other.length > queue.length) return false;
    return true;
  }
}
