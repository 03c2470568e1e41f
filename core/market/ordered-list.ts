// A sorted list with cheap insertion and removal: an array of chunks of at most CHUNK_SIZE items.
//
// Invariants: no chunk is empty; items ascend within and across chunks; no two items compare equal.
// Cost: appending is constant. Other insertions and removals are two binary searches and a move within one chunk, some
// hundred nanoseconds at 1,000,000 items. Reading from a position is two binary searches. A small chunk is never merged with
// another; an empty one is dropped. The searches are written out, because every change of an order makes several, and a
// comparison callback takes a third longer.

const CHUNK_SIZE = 256;

/** Sorted by rank, then by id; shorter ids come first, so that numbered ids are in numeric order. */
export interface Ranked {
  readonly rank: number;
  readonly id: string;
}

export function compareRanked(a: Ranked, b: Ranked): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (a.id.length !== b.id.length) return a.id.length - b.id.length;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

export class OrderedList<Item extends Ranked> {
  readonly #chunks: Item[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds an item that is not in the list yet. */
  add(item: Item): void {
    this.#size += 1;
    const index = this.#chunkOf(item);
    const chunk = this.#chunks[index];
    if (chunk === undefined) return this.#append(item);
    chunk.splice(positionOf(chunk, item), 0, item);
    if (chunk.length > CHUNK_SIZE) this.#chunks.splice(index + 1, 0, chunk.splice(CHUNK_SIZE / 2));
  }

  /** Removes an item that is in the list. */
  remove(item: Item): void {
    const index = this.#chunkOf(item);
    const chunk = this.#chunks[index];
    const position = chunk === undefined ? -1 : positionOf(chunk, item);
    if (chunk === undefined || chunk[position] !== item) throw new Error(`${item.id} is not in the list`);
    this.#size -= 1;
    chunk.splice(position, 1);
    if (chunk.length === 0) this.#chunks.splice(index, 1);
  }

  first(): Item | undefined {
    return this.#chunks[0]?.[0];
  }

  /** All items, or those after `start`, which need not be in the list. */
  *ascending(start?: Ranked): Generator<Item> {
    if (start === undefined) {
      for (const chunk of this.#chunks) yield* chunk;
      return;
    }
    const first = this.#chunkOf(start);
    for (let index = first; index < this.#chunks.length; index += 1) {
      const chunk = this.#chunks[index]!;
      let position = index === first ? positionOf(chunk, start) : 0;
      if (index === first && compareRanked(chunk[position]!, start) === 0) position += 1;
      for (; position < chunk.length; position += 1) yield chunk[position] as Item;
    }
  }

  /** All items, last first, or those before `start`, which need not be in the list. */
  *descending(start?: Ranked): Generator<Item> {
    const first = start === undefined ? this.#chunks.length - 1 : this.#chunkOf(start);
    for (let index = Math.min(first, this.#chunks.length - 1); index >= 0; index -= 1) {
      const chunk = this.#chunks[index]!;
      const end = start !== undefined && index === first ? positionOf(chunk, start) : chunk.length;
      for (let position = end - 1; position >= 0; position -= 1) yield chunk[position] as Item;
    }
  }

  /** Adds an item that comes after all others. */
  append(item: Item): void {
    this.#size += 1;
    this.#append(item);
  }

  #append(item: Item): void {
    const last = this.#chunks.at(-1);
    if (last === undefined || last.length >= CHUNK_SIZE) this.#chunks.push([item]);
    else last.push(item);
  }

  /** Index of the first chunk whose last item is not before `item`; the number of chunks if there is none. */
  #chunkOf(item: Ranked): number {
    let low = 0;
    let high = this.#chunks.length;
    // Appending is frequent, so the last chunk is tested first.
    const last = this.#chunks.at(-1)?.at(-1);
    if (last === undefined || compareRanked(last, item) < 0) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareRanked(this.#chunks[middle]!.at(-1)!, item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The position of the first item that is not before `item`. */
function positionOf(chunk: readonly Ranked[], item: Ranked): number {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareRanked(chunk[middle]!, item) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
