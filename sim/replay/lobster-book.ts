// The engine's own book, as far as recorded messages and rows tell what is in it.
//
// An order whose submission was seen rests under the id of its message. What was in a level before anyone saw who, rests
// as one anonymous order at the head of the level. Anonymous orders have ids below those of all messages.
//
// Invariant: a level has at most one anonymous order, and it is the first.

import { sweep } from "../market/matching.ts";
import { NO_SLOT, opposite, type OrderBook, type Side, slotsOf } from "../market/order-book.ts";
import { PriceTimeBook } from "../market/price-time-book.ts";
import { isWorse, type Level } from "./lobster-files.ts";

const ANONYMOUS = 0;
const NAMED = 1;

/**
 * Which order the book picks for an execution: the named one (`head`), an anonymous one while the named one is unknown, or
 * else another one or none (`elsewhere`).
 */
export type Pick = "head" | "anonymous" | "elsewhere";

export class LobsterBook {
  readonly #book: OrderBook = new PriceTimeBook();
  #nextAnonymousId = Number.MIN_SAFE_INTEGER;
  #priority = 0;
  /** By price, of each side; of orders that are gone too. */
  readonly #anonymousIds = [new Map<number, number>(), new Map<number, number>()] as const;

  has(orderId: number): boolean {
    return this.#book.slotOf(orderId) !== NO_SLOT;
  }

  rest(orderId: number, side: Side, price: number, size: number): void {
    this.#book.add(orderId, side, price, size, NAMED, this.#priority++);
  }

  /** Takes `size` from the order that is meant, or all there is of it. */
  reduce(orderId: number, side: Side, price: number, size: number): void {
    const slot = this.#slotMeant(orderId, side, price);
    if (slot !== NO_SLOT) this.#book.reduceAt(slot, Math.min(size, this.#book.quantityOf(slot)));
  }

  /** Removes an order that is known by its name; `size` of an anonymous one, of which it is a part. */
  cancel(orderId: number, side: Side, price: number, size: number): void {
    if (!this.#book.remove(orderId)) this.reduce(orderId, side, price, size);
  }

  /**
   * Sends an aggressor of that size and price against the resting orders of `side`; what does not trade is dropped. If
   * the named order rests at that price and the book would pick another one, the named order trades before it.
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

  /** Adds a level that was not known as one anonymous order. */
  adopt(side: Side, { price, size }: Level): void {
    const id = this.#nextAnonymousId++;
    this.#book.add(id, side, price, size, ANONYMOUS, this.#priority++);
    this.#anonymousIds[side].set(price, id);
  }

  /** Forgets every level that is worse than `outermost`. */
  forgetBeyond(side: Side, outermost: number): void {
    const worst = this.#book.depth(side, Infinity).at(-1);
    if (worst === undefined || !isWorse(side, worst.price, outermost)) return;
    const beyond: number[] = [];
    for (const slot of slotsOf(this.#book, side)) {
      if (isWorse(side, this.#book.priceOf(slot), outermost)) beyond.push(this.#book.idOf(slot));
    }
    for (const id of beyond) this.#book.remove(id);
  }

  /** The order itself, or the anonymous one of its level; NO_SLOT where there is neither. */
  #slotMeant(orderId: number, side: Side, price: number): number {
    const slot = this.#book.slotOf(orderId);
    if (slot !== NO_SLOT) return slot;
    const anonymousId = this.#anonymousIds[side].get(price);
    return anonymousId === undefined ? NO_SLOT : this.#book.slotOf(anonymousId);
  }
}
