// The price levels of one side of a book, best first: a skip list over prices with an index by price.
//
// Cost: the best level and a level's follower O(1), a level by price O(1), inserting and removing one O(log levels)
// expected. Tower heights come from a fixed generator, so that the same calls always give the same structure. A level
// that was removed still knows its follower: whoever walks over it can go on.

const MAXIMUM_HEIGHT = 16;
const GENERATOR_SEED = 0x9e3779b9;

/** An order's place in the queue of its level. */
export interface QueueNode<Value> {
  readonly value: Value;
  readonly level: PriceLevel<Value>;
  previous: QueueNode<Value> | null;
  next: QueueNode<Value> | null;
}

export class PriceLevel<Value> {
  volume = 0;
  orderCount = 0;
  head: QueueNode<Value> | null = null;
  tail: QueueNode<Value> | null = null;
  /** The following level at each height of the skip list. */
  readonly followers: (PriceLevel<Value> | null)[] = [];

  /** `rank` ascends from the best price to the worst. */
  constructor(readonly price: number, readonly rank: number) {}

  /** The next worse level. */
  get next(): PriceLevel<Value> | null {
    return this.followers[0] ?? null;
  }

  append(value: Value): QueueNode<Value> {
    const node: QueueNode<Value> = { value, level: this, previous: this.tail, next: null };
    if (this.tail === null) this.head = node;
    else this.tail.next = node;
    this.tail = node;
    this.orderCount += 1;
    return node;
  }

  unlink(node: QueueNode<Value>): void {
    if (node.previous === null) this.head = node.next;
    else node.previous.next = node.next;
    if (node.next === null) this.tail = node.previous;
    else node.next.previous = node.previous;
    this.orderCount -= 1;
  }
}

export class PriceLevels<Value> {
  readonly #entrance = new PriceLevel<Value>(NaN, -Infinity);
  readonly #byPrice = new Map<number, PriceLevel<Value>>();
  #generator = GENERATOR_SEED;

  /** `descending`: the highest price is the best. */
  constructor(private readonly descending: boolean) {}

  get best(): PriceLevel<Value> | null {
    return this.#entrance.next;
  }

  /** The level of a price, made where there is none. */
  at(price: number): PriceLevel<Value> {
    return this.#byPrice.get(price) ?? this.#insert(price);
  }

  remove(level: PriceLevel<Value>): void {
    this.#byPrice.delete(level.price);
    const before = this.#predecessors(level.rank);
    level.followers.forEach((follower, height) => {
      const predecessor = before[height] ?? this.#entrance;
      predecessor.followers[height] = follower;
    });
  }

  #insert(price: number): PriceLevel<Value> {
    const level = new PriceLevel<Value>(price, this.descending ? -price : price);
    const before = this.#predecessors(level.rank);
    const height = this.#nextHeight();
    for (let at = 0; at < height; at++) {
      const predecessor = before[at] ?? this.#entrance;
      level.followers[at] = predecessor.followers[at] ?? null;
      predecessor.followers[at] = level;
    }
    this.#byPrice.set(price, level);
    return level;
  }

  /** At each height, the last level that ranks before `rank`. */
  #predecessors(rank: number): PriceLevel<Value>[] {
    const before: PriceLevel<Value>[] = [];
    let level = this.#entrance;
    for (let height = this.#entrance.followers.length - 1; height >= 0; height--) {
      for (;;) {
        const follower = level.followers[height] ?? null;
        if (follower === null || follower.rank >= rank) break;
        level = follower;
      }
      before[height] = level;
    }
    return before;
  }

  /** 1 with a chance of 3/4, 2 with 3/16, and so on (xorshift32, Marsaglia 2003). */
  #nextHeight(): number {
    let bits = this.#generator;
    bits ^= bits << 13;
    bits ^= bits >>> 17;
    bits ^= bits << 5;
    this.#generator = bits;
    return Math.min(MAXIMUM_HEIGHT, 1 + (Math.clz32(bits) >> 1));
  }
}
