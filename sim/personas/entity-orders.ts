// The open orders of all personas of one entity in one contract, so a persona can keep its quotes behind the opposite
// quotes of its entity. An entity never trades with itself, so its own orders could lock or cross the book for good.
//
// Orders count from their submission to their end, at the worst price that the market may have for them: while a change is
// unanswered, at the more aggressive of both prices. So the rule holds whatever the market answers.
//
// Cost: O(1) for each change of an order, and for a price that is not blocked. A price that is blocked, and the first look
// after the best order has gone, cost a pass over the entity's orders on that side.

import { BUY, crosses, opposite, SELL, type Side } from "../market/order-book.ts";

/** The parts of a working order that matter here. */
export interface EntityOrder {
  readonly side: Side;
  readonly price: number;
  /** Price after an unanswered change; otherwise any earlier or the present price. */
  readonly nextPrice: number;
  readonly pending: "submit" | "modify" | "cancel" | null;
}

/** One side of an entity's orders in a contract. */
class EntitySide {
  readonly #orders = new Set<EntityOrder>();
  /** No order has a better price; null if there are no orders. */
  #bound: number | null = null;
  /** Whether `#bound` is the best price. */
  #isExact = true;

  constructor(private readonly side: Side) {}

  /** An order is new, or its price has changed or may change. */
  changed(order: EntityOrder): void {
    this.#orders.add(order);
    const price = worstPrice(order);
    this.#isExact = this.#bound === null || price === this.#bound || isBetter(this.side, price, this.#bound);
    if (this.#isExact) this.#bound = price;
  }

  remove(order: EntityOrder): void {
    this.#orders.delete(order);
    this.#isExact = false;
  }

  /** The best price without one order; null if there is no other. */
  bestWithout(own: EntityOrder | null): number | null {
    let best: number | null = null;
    for (const order of this.#orders) {
      if (order === own) continue;
      const price = worstPrice(order);
      if (best === null || isBetter(this.side, price, best)) best = price;
    }
    return best;
  }

  /** Whether an opposite order at this price would lock or cross an order of this side. May count a given order. */
  mayBlock(price: number): boolean {
    if (this.#bound === null || !crosses(opposite(this.side), price, this.#bound)) return false;
    if (this.#isExact) return true;
    this.#bound = this.bestWithout(null);
    this.#isExact = true;
    return this.#bound !== null && crosses(opposite(this.side), price, this.#bound);
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
    if (!this.#sides[opposite(side)].mayBlock(price)) return price;
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
