// The open orders of all personas of one entity in one contract, so a persona can keep its quotes behind the opposite
// quotes of its entity. An entity never trades with itself, so its own orders could lock or cross the book for good.
//
// Orders count from their submission to their end, at the worst price that the market may have for them: while a change is
// unanswered, at the more aggressive of both prices. So the rule holds whatever the market answers.
//
// Cost: O(1) for each look. A change of an order costs O(log n) of the entity's prices on that side, and moves the better
// ones in memory.

import { BUY, crosses, opposite, SELL, type Side } from "../../engine/market/order-book.ts";

/** The parts of a working order that matter here. */
export interface EntityOrder {
  readonly side: Side;
  readonly price: number;
  /** Price after an unanswered change; otherwise any earlier or the present price. */
  readonly nextPrice: number;
  readonly pending: "submit" | "modify" | "cancel" | null;
}

/** One side of an entity's orders in a contract, by price. */
class EntitySide {
  /** The price at which each order is counted. */
  readonly #countedAt = new Map<EntityOrder, number>();
  /** The prices with orders from the worst to the best, and the number of orders at each. */
  readonly #prices: number[] = [];
  readonly #counts: number[] = [];

  constructor(private readonly side: Side) {}

  /** An order is new, or its price has changed or may change. */
  changed(order: EntityOrder): void {
    const price = worstPrice(order);
    const counted = this.#countedAt.get(order);
    if (counted === price) return;
    if (counted !== undefined) this.#uncount(counted);
    this.#countedAt.set(order, price);
    this.#count(price);
  }

  remove(order: EntityOrder): void {
    const counted = this.#countedAt.get(order);
    if (counted === undefined) return;
    this.#countedAt.delete(order);
    this.#uncount(counted);
  }

  /** The best price; null without orders. */
  get best(): number | null {
    return this.#prices.at(-1) ?? null;
  }

  /** The best price without one order; null if there is no other. */
  bestWithout(own: EntityOrder | null): number | null {
    const { best } = this;
    if (best === null || own === null || this.#countedAt.get(own) !== best) return best;
    return (this.#counts.at(-1) ?? 0) > 1 ? best : this.#prices.at(-2) ?? null;
  }

  #count(price: number): void {
    const place = this.#placeOf(price);
    if (this.#prices[place] === price) this.#counts[place] = (this.#counts[place] ?? 0) + 1;
    else {
      this.#prices.splice(place, 0, price);
      this.#counts.splice(place, 0, 1);
    }
  }

  #uncount(price: number): void {
    const place = this.#placeOf(price);
    const left = (this.#counts[place] ?? 0) - 1;
    this.#counts[place] = left;
    if (left > 0) return;
    this.#prices.splice(place, 1);
    this.#counts.splice(place, 1);
  }

  /** The place of a price, or of the first better one. */
  #placeOf(price: number): number {
    const prices = this.#prices;
    let [from, until] = [0, prices.length];
    while (from < until) {
      const middle = (from + until) >> 1;
      if (isBetter(this.side, price, prices[middle] ?? price)) from = middle + 1;
      else until = middle;
    }
    return from;
  }
}

/** The orders of an entity in one contract. */
export class EntityBook {
  readonly #sides = [new EntitySide(BUY), new EntitySide(SELL)] as const;

  /** An order is new, or its price has changed or may change. */
  changed(order: EntityOrder): void {
    this.#sides[order.side].changed(order);
  }

  /** The order has ended. */
  remove(order: EntityOrder): void {
    this.#sides[order.side].remove(order);
  }

  /** The best price of a side without the order `own`; null if there is no other. */
  bestWithout(side: Side, own: EntityOrder | null): number | null {
    return this.#sides[side].bestWithout(own);
  }

  /**
   * The price to use for an order wanted at `price`: one tick behind the entity's best opposite order if it would lock or
   * cross that one. `own`, an opposite order of the same persona, does not count.
   */
  behind(side: Side, price: number, tick: number, own: EntityOrder | null): number {
    const { best } = this.#sides[opposite(side)];
    if (best === null || !crosses(side, price, best)) return price;
    const facing = this.bestWithout(opposite(side), own);
    if (facing === null || !crosses(side, price, facing)) return price;
    return side === BUY ? facing - tick : facing + tick;
  }
}

/** The orders of an entity in all contracts. */
export class EntityOrders {
  /** By the contract's index. */
  readonly #books = new Map<number, EntityBook>();

  of({ index }: { readonly index: number }): EntityBook {
    let book = this.#books.get(index);
    if (book === undefined) this.#books.set(index, book = new EntityBook());
    return book;
  }

  /** The contract is no longer traded. */
  forget({ index }: { readonly index: number }): void {
    this.#books.delete(index);
  }
}

/** The most aggressive price that the market may have for an order. */
function worstPrice({ side, price, nextPrice, pending }: EntityOrder): number {
  return pending === "modify" && isBetter(side, nextPrice, price) ? nextPrice : price;
}

function isBetter(side: Side, price: number, than: number): boolean {
  return side === BUY ? price > than : price < than;
}
