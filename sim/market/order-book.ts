// The book of one contract: the orders that rest, by price and then by time. It knows quantities and parties, nothing
// of entities, credit or status, so that another implementation can take its place.
//
// Invariants: no level without orders; a level's volume and count are those of its orders; within a level the orders
// stand in the order in which they were added. A book may be crossed: who may trade with whom is not its business.
//
// Cost of PriceTimeBook: add O(1), or O(log levels) where the price is new; remove and reduce O(1), or O(log levels)
// where they empty a level; best price O(1); depth O(levels asked for), whatever the number of orders.

import { PriceLevels, type QueueNode } from "./price-levels.ts";

/** 0 buy, 1 sell. */
export type Side = 0 | 1;
export const BUY: Side = 0;
export const SELL: Side = 1;

export function opposite(side: Side): Side {
  return side === BUY ? SELL : BUY;
}

/** Whether an order on `side` limited to `limitPrice` may trade at `price`. */
export function crosses(side: Side, limitPrice: number, price: number): boolean {
  return side === BUY ? price <= limitPrice : price >= limitPrice;
}

export interface BookOrder {
  /** Unique in the book. */
  readonly id: number;
  readonly side: Side;
  /** Cents/MWh. */
  readonly price: number;
  /** What is left of it, in kW; above 0. */
  readonly quantity: number;
  /** Whose it is. */
  readonly party: number;
  /** Grows with the time from which the order counts; unique. */
  readonly priority: number;
}

export interface BookDepthLevel {
  readonly price: number;
  /** kW. */
  readonly volume: number;
  readonly orderCount: number;
}

export interface OrderBook {
  readonly orderCount: number;
  /** Puts an order behind all others of its side and price. Throws where its id is in the book. */
  add(order: BookOrder): void;
  /** False where no such order rests. */
  remove(id: number): boolean;
  /** Takes from an order's quantity, which keeps its place; at 0 it leaves. Throws where there is less, or no order. */
  reduce(id: number, quantity: number): void;
  get(id: number): BookOrder | undefined;
  /** Null where the side is empty. */
  bestPrice(side: Side): number | null;
  /** The best levels of a side, best first. */
  depth(side: Side, levels: number): BookDepthLevel[];
  /**
   * The orders of a side by priority. While walking, the caller may remove or reduce the order it was given last, and
   * change the other side; nothing else.
   */
  orders(side: Side): Iterable<BookOrder>;
}

type RestingOrder = { -readonly [Name in keyof BookOrder]: BookOrder[Name] };

export class PriceTimeBook implements OrderBook {
  readonly #bids = new PriceLevels<RestingOrder>(true);
  readonly #asks = new PriceLevels<RestingOrder>(false);
  readonly #nodes = new Map<number, QueueNode<RestingOrder>>();

  get orderCount(): number {
    return this.#nodes.size;
  }

  add(order: BookOrder): void {
    if (this.#nodes.has(order.id)) throw new Error(`order ${order.id} is in the book already`);
    const level = this.#side(order.side).at(order.price);
    level.volume += order.quantity;
    this.#nodes.set(order.id, level.append({ ...order }));
  }

  remove(id: number): boolean {
    const node = this.#nodes.get(id);
    if (node === undefined) return false;
    this.#nodes.delete(id);
    node.level.volume -= node.value.quantity;
    node.level.unlink(node);
    if (node.level.orderCount === 0) this.#side(node.value.side).remove(node.level);
    return true;
  }

  reduce(id: number, quantity: number): void {
    const node = this.#nodes.get(id);
    if (node === undefined) throw new Error(`order ${id} is not in the book`);
    if (!(quantity > 0 && quantity <= node.value.quantity)) {
      throw new Error(`order ${id} has ${node.value.quantity} kW left, not ${quantity}`);
    }
    if (quantity === node.value.quantity) {
      this.remove(id);
      return;
    }
    node.value.quantity -= quantity;
    node.level.volume -= quantity;
  }

  get(id: number): BookOrder | undefined {
    return this.#nodes.get(id)?.value;
  }

  bestPrice(side: Side): number | null {
    return this.#side(side).best?.price ?? null;
  }

  depth(side: Side, levels: number): BookDepthLevel[] {
    const depth: BookDepthLevel[] = [];
    for (let level = this.#side(side).best; level !== null && depth.length < levels; level = level.next) {
      depth.push({ price: level.price, volume: level.volume, orderCount: level.orderCount });
    }
    return depth;
  }

  *orders(side: Side): Generator<BookOrder, void, undefined> {
    for (let level = this.#side(side).best; level !== null; level = level.next) {
      for (let node = level.head; node !== null; node = node.next) yield node.value;
    }
  }

  #side(side: Side): PriceLevels<RestingOrder> {
    return side === BUY ? this.#bids : this.#asks;
  }
}
