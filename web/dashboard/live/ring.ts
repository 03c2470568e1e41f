// The newest items, each at its distance from the newest one: adding costs the same, however many are kept.

export class Ring<Item> {
  #items: Item[] = [];
  /** Items added since the last `clear`; the next one is written at this place, modulo the capacity. */
  #added = 0;

  constructor(readonly capacity: number) {}

  get length(): number {
    return this.#items.length;
  }

  /** The item that had to go for it. */
  add(item: Item): Item | undefined {
    const place = this.#added++ % this.capacity;
    const gone = this.#items[place];
    this.#items[place] = item;
    return gone;
  }

  clear(): void {
    this.#items = [];
    this.#added = 0;
  }

  at(fromNewest: number): Item | undefined {
    if (fromNewest < 0 || fromNewest >= this.#items.length) return undefined;
    return this.#items[(this.#added - 1 - fromNewest) % this.capacity];
  }

  copy(): Ring<Item> {
    const copy = new Ring<Item>(this.capacity);
    for (const item of this.oldestFirst()) copy.add(item);
    return copy;
  }

  *oldestFirst(): Generator<Item> {
    for (let index = this.length - 1; index >= 0; index--) yield this.at(index)!;
  }
}
