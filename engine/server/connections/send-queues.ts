// The total length of all send queues. It has a limit, so many slow consumers can't take much memory together.

interface SendQueue {
  readonly length: number;
}

export class SendQueues {
  readonly #nonEmpty = new Set<SendQueue>();
  #total = 0;

  /** `limit`: characters in all queues together. */
  constructor(readonly limit: number) {}

  /** Characters in all queues together. */
  get total(): number {
    return this.#total;
  }

  /** Notes that a queue has grown by `length`; negative if it has shrunk. */
  count(queue: SendQueue, length: number): void {
    this.#total += length;
    if (queue.length > 0) this.#nonEmpty.add(queue);
    else this.#nonEmpty.delete(queue);
  }

  remove(queue: SendQueue): void {
    this.#nonEmpty.delete(queue);
  }

  /** Whether the total is above the limit and this queue is the longest. */
  isLargestAboveLimit(queue: SendQueue): boolean {
    if (this.#total <= this.limit) return false;
    for (const other of this.#nonEmpty) if (other.length > queue.length) return false;
    return true;
  }
}
