// What waits for a review, oldest first. Cost: O(1) for each addition and removal; the space is freed once the queue is empty.

export class ReviewQueue<Item> {
  readonly #waiting: Item[] = [];
  #head = 0;

  add(item: Item): void {
    this.#waiting.push(item);
  }

  /** Removes and returns the oldest; null if nothing waits. */
  take(): Item | null {
    const first = this.#waiting[this.#head];
    if (first !== undefined) {
      this.#head += 1;
      return first;
    }
    this.#waiting.length = this.#head = 0;
    return null;
  }
}
