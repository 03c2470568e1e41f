// The engine's order book as reconstructed from recorded messages and rows.
//
// An order whose submission was recorded rests under its message's id. Quantity that was in a level before its orders
// were recorded rests as one anonymous order at the head of the level. Anonymous ids are below all message ids.
//
// Invariant: a level has at most one anonymous order, and it is the first.

import { sweep } from "../market/matching.ts";
import { NO_SLOT, opposite, type OrderBook, type Side, slotsOf } from "../market/order-book.ts";
import { PriceTimeBook } from "../market/price-time-book.ts";
import { isWorse, type Level } from "./lobster-files.ts";

const ANONYMOUS = 0;
const NAMED = 1;

/**
 * The order that the book picks for an execution: the named one (`head`), an anonymous one while the named one is
 * unknown (`anonymous`), or another one or none (`elsewhere`).
 */
export type Pick = "head" | "anonymous" | "elsewhere";

export class LobsterBook {
  readonly #book: OrderBook = new PriceTimeBook();
  #nextAnonymousId = Number.MIN_SAFE_INTEGER;
  #priority = 0;
  /** Ids of anonymous orders by price, for each side, including orders that are gone. */
  readonly #anonymousIds = [new Map<number, number>(), new Map<number, number>()] as const;

  has(orderId: number): boolean {
    return this.#book.slotOf(orderId) !== NO_SLOT;
  }

  rest(orderId: number, side: Side, price: number, size: number): void {
    this.#book.add(orderId, side, price, size, NAMED, this.#priority++);
  }

  /** Takes up to `size` from the named order, or from the anonymous order of its level. */
  reduce(orderId: number, side: Side, price: number, size: number): void {
    const slot = this.#slotMeant(orderId, side, price);
    if (slot !== NO_SLOT) this.#book.reduceAt(slot, Math.min(size, this.#book.quantityOf(slot)));
  }

  /** Removes the named order. If it is unknown, takes `size` from the anonymous order of its level. */
  cancel(orderId: number, side: Side, price: number, size: number): void {
    if (!this.#book.remove(orderId)) this.reduce(orderId, side, price, size);
  }

  /**
   * Sends an aggressor with this size and price against the resting orders of `side`, and drops what doesn't trade. If
   * the named order rests at that price but the book would pick another one, the named order trades first.
   */
  execute(orderId: number, side: Side, price: number, size: number): Pick {
    const first = this.#book.first(side);
    const named = this.#book.slotOf(orderId);
    const isNamedThere = named !== NO_SLOT && this.#book.sideOf(named) === side && this.#book.priceOf(named) === price;
    if (isNamedThere && named !== first) {
      const taken = Math.min(size, this.#book.quantityOf(named));
      this.#book.reduceAt(named, taken);
      this.#sendAggressor(side, price, size - taken);
      return "elsewhere";
    }
    const isReached = first !== NO_SLOT && !isWorse(side, this.#book.priceOf(first), price);
    const isAnonymous = isReached && this.#book.partyOf(first) === ANONYMOUS;
    this.#sendAggressor(side, price, size);
    return isAnonymous ? "anonymous" : isReached && named === first ? "head" : "elsewhere";
  }

  #sendAggressor(side: Side, price: number, size: number): void {
    if (size > 0) sweep(this.#book, opposite(side), price, size, () => {});
  }

  /** The best levels of a side. */
  levels(side: Side, count: number): Level[] {
    return this.#book.depth(side, count).map(({ price, volume }) => ({ price, size: volume }));
  }

  /** Adds an unknown level as one anonymous order. */
  adopt(side: Side, { price, size }: Level): void {
    const id = this.#nextAnonymousId++;
    this.#book.add(id, side, price, size, ANONYMOUS, this.#priority++);
    this.#anonymousIds[side].set(price, id);
  }

  /** Removes every level that is worse than `outermost`. */
  dropBeyond(side: Side, outermost: number): void {
    const worst = this.#book.depth(side, Infinity).at(-1);
    if (worst === undefined || !isWorse(side, worst.price, outermost)) return;
    const beyond: number[] = [];
    for (const slot of slotsOf(this.#book, side)) {
      if (isWorse(side, this.#book.priceOf(slot), outermost)) beyond.push(this.#book.idOf(slot));
    }
    for (const id of beyond) this.#book.remove(id);
  }

  /** The named order, or the anonymous one of its level; NO_SLOT if there is neither. */
  #slotMeant(orderId: number, side: Side, price: number): number {
    const slot = this.#book.slotOf(orderId);
    if (slot !== NO_SLOT) return slot;
    const anonymousId = this.#anonymousIds[side].get(price);
    return anonymousId === undefined ? NO_SLOT : this.#book.slotOf(anonymousId);
  }
}
