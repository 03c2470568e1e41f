// A plain ladder of typed arrays: the least that a book of price levels can do, as a peer of the book. It has an array element
// for every price of a fixed range, one for every id, and no credit, so its speed is a limit for a book in this language.
//
// Limits: prices from 0 to `prices` - 1, ids from 1 to `ids`.

import { type BookDepthLevel, BUY, type Side } from "../engine/market/order-book.ts";

export class Ladder {
  /** By side and price: side x prices + price. */
  readonly #heads: Int32Array;
  readonly #tails: Int32Array;
  readonly #counts: Int32Array;
  readonly #volumes: Float64Array;
  /** By id; 0 kW: not in the book. */
  readonly #nexts: Int32Array;
  readonly #previous: Int32Array;
  readonly #levels: Int32Array;
  readonly #quantities: Float64Array;
  readonly #best: [bid: number, ask: number];
  orderCount = 0;

  constructor(readonly prices: number, ids: number) {
    this.#heads = new Int32Array(prices * 2);
    this.#tails = new Int32Array(prices * 2);
    this.#counts = new Int32Array(prices * 2);
    this.#volumes = new Float64Array(prices * 2);
    this.#nexts = new Int32Array(ids + 1);
    this.#previous = new Int32Array(ids + 1);
    this.#levels = new Int32Array(ids + 1);
    this.#quantities = new Float64Array(ids + 1);
    this.#best = [-1, prices];
  }

  add(id: number, side: Side, price: number, quantity: number): void {
    const level = side * this.prices + price;
    const last = this.#tails[level]!;
    if (last === 0) this.#heads[level] = id;
    else this.#nexts[last] = id;
    this.#tails[level] = id;
    this.#nexts[id] = 0;
    this.#previous[id] = last;
    this.#levels[id] = level;
    this.#quantities[id] = quantity;
    this.#counts[level]! += 1;
    this.#volumes[level]! += quantity;
    this.orderCount += 1;
    if (side === BUY ? price > this.#best[0] : price < this.#best[1]) this.#best[side] = price;
  }

  remove(id: number): boolean {
    if (this.#quantities[id] === 0) return false;
    const level = this.#levels[id]!;
    const [next, previous] = [this.#nexts[id]!, this.#previous[id]!];
    if (previous === 0) this.#heads[level] = next;
    else this.#nexts[previous] = next;
    if (next === 0) this.#tails[level] = previous;
    else this.#previous[next] = previous;
    this.#volumes[level]! -= this.#quantities[id]!;
    this.#quantities[id] = 0;
    this.#counts[level]! -= 1;
    this.orderCount -= 1;
    if (this.#heads[level] === 0) this.#leaveBest(level);
    return true;
  }

  /** Trades up to `quantity` with the other side, up to a limit price. Returns what remains. */
  sweep(
    side: Side,
    limitPrice: number,
    quantity: number,
    onTrade: (restingId: number, price: number, quantity: number) => void,
  ): number {
    const other = 1 - side;
    let remaining = quantity;
    while (remaining > 0) {
      const price = this.#best[other]!;
      const crosses = side === BUY ? price <= limitPrice && price < this.prices : price >= limitPrice && price >= 0;
      if (!crosses) break;
      const id = this.#heads[other * this.prices + price]!;
      const traded = Math.min(remaining, this.#quantities[id]!);
      remaining -= traded;
      if (traded === this.#quantities[id]!) this.remove(id);
      else {
        this.#quantities[id]! -= traded;
        this.#volumes[other * this.prices + price]! -= traded;
      }
      onTrade(id, price, traded);
    }
    return remaining;
  }

  depth(side: Side, levelCount: number): BookDepthLevel[] {
    const depth: BookDepthLevel[] = [];
    const step = side === BUY ? -1 : 1;
    for (let price = this.#best[side]; price >= 0 && price < this.prices && depth.length < levelCount; price += step) {
      const level = side * this.prices + price;
      if (this.#heads[level] === 0) continue;
      depth.push({ price, volume: this.#volumes[level]!, orderCount: this.#counts[level]! });
    }
    return depth;
  }

  /** Finds the best price of a side again, if its best level has become empty. */
  #leaveBest(level: number): void {
    const side: Side = level < this.prices ? 0 : 1;
    let price = level - side * this.prices;
    if (price !== this.#best[side]) return;
    const step = side === BUY ? -1 : 1;
    while (price >= 0 && price < this.prices && this.#heads[side * this.prices + price] === 0) price += step;
    this.#best[side] = price;
  }
}
