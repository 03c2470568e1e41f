// A queue with random access, in a ring buffer. push and shift take constant time: the ring doubles when it is full and
// halves when it is less than a quarter full.

const SMALLEST = 4;

export class Deque<Item> {
  #ring: (Item | undefined)[] = [];
  #head = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(item: Item): void {
    if (this.#length === this.#ring.length) this.#resize(Math.max(SMALLEST, this.#length * 2));
    this.#ring[(this.#head + this.#length) & (this.#ring.length - 1)] = item;
    this.#length += 1;
  }

  /** Removes the front item. Throws if the queue is empty. */
  shift(): Item {
    const item = this.at(0);
    this.#ring[this.#head] = undefined;
    this.#head = (this.#head + 1) & (this.#ring.length - 1);
    this.#length -= 1;
    if (this.#ring.length > SMALLEST && this.#length * 4 < this.#ring.length) this.#resize(this.#ring.length / 2);
    return item;
  }

  /** Position 0 is the front. Throws outside of 0 to length - 1. */
  at(position: number): Item {
    if (position < 0 || position >= this.#length) throw new RangeError(`position ${position} of ${this.#length}`);
    return this.#ring[(this.#head + position) & (this.#ring.length - 1)] as Item;
  }

  #resize(size: number): void {
    const ring = new Array<Item | undefined>(size);
    for (let position = 0; position < this.#length; position += 1) ring[position] = this.at(position);
    this.#ring = ring;
    this.#head = 0;
  }
}
