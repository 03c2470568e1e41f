// Price-time matching with a say in who may trade with whom (design section 8).
//
// An order that arrives walks the other side in priority, as far as its limit allows. With each resting order it trades
// as much as both have and as the two parties have room for, down to a multiple of the lot, at the resting order's
// price; if that is nothing it goes on to the next.
//
// Many orders may rest that an arriving order crosses and may not trade with. So it passes over MAX_SKIPPED of them at
// most. Then it looks at the other side party by party: of each party the first order that the two have room for, and of
// these the first in priority. Both ways give the same trades.
//
// Cost: O(MAX_SKIPPED + trades x parties), whatever the number of orders in the book.

import { BUY, crosses, NO_SLOT, opposite, type OrderBook, type Side } from "./order-book.ts";
import type { PriceTimeBook } from "./price-time-book.ts";
import type { PartyIndexedBook } from "./party-indexed-book.ts";

/**
 * kW that two parties may trade with each other at a price; 0 if they may not trade. It depends on the price's distance
 * from 0 and never grows with it. A trade takes at least its own quantity from it, and nothing from any other pair's.
 */
export type AvailableCredit = (restingParty: number, aggressorParty: number, price: number) => number;

export type OnTrade = (restingId: number, restingParty: number, price: number, quantity: number) => void;

export const MAX_SKIPPED = 32;

/**
 * Matches an aggressor against the orders of the other side, all older than itself, and takes what is traded out of
 * them. `onTrade` is told of each trade after the book has changed and before `availableCredit` is asked again. All quantities are
 * multiples of the lot. Returns the aggressor's remaining kW.
 *
 * With `planned`, an empty set, it only tells what would be traded: the book stays as it is, and `planned` collects the
 * ids of the orders that would trade. `onTrade` must still let `availableCredit` shrink by the trade.
 */
export function matchAggressor(
  book: PartyIndexedBook,
  side: Side,
  limitPrice: number,
  quantity: number,
  party: number,
  lot: number,
  availableCredit: AvailableCredit,
  onTrade: OnTrade,
  planned: Set<number> | null = null,
): number {
  let remaining = quantity;
  let skipped = 0;
  let slot = book.first(opposite(side));
  while (slot !== NO_SLOT && remaining > 0) {
    const price = book.priceOf(slot);
    if (!crosses(side, limitPrice, price)) break;
    const next = book.next(slot);
    const restingParty = book.partyOf(slot);
    const possible = Math.min(remaining, book.quantityOf(slot), availableCredit(restingParty, party, price));
    const traded = possible - possible % lot;
    if (traded > 0) {
      const restingId = book.idOf(slot);
      remaining -= traded;
      if (planned === null) book.reduceAt(slot, traded);
      else planned.add(restingId);
      onTrade(restingId, restingParty, price, traded);
    } else if (++skipped > MAX_SKIPPED) {
      return new PartySearch(book, side, limitPrice, party, lot, availableCredit, planned).match(remaining, onTrade);
    }
    slot = next;
  }
  return remaining;
}

/** `matchAggressor` without a say: every order that it meets trades. */
export function sweep(
  book: OrderBook,
  side: Side,
  limitPrice: number,
  quantity: number,
  onTrade: OnTrade,
): number {
  const otherSide = opposite(side);
  let remaining = quantity;
  while (remaining > 0) {
    const slot = book.first(otherSide);
    if (slot === NO_SLOT) break;
    const price = book.priceOf(slot);
    if (!crosses(side, limitPrice, price)) break;
    const traded = Math.min(remaining, book.quantityOf(slot));
    const restingId = book.idOf(slot);
    const restingParty = book.partyOf(slot);
    remaining -= traded;
    book.reduceAt(slot, traded);
    onTrade(restingId, restingParty, price, traded);
  }
  return remaining;
}

/** The next order of a party that the aggressor may trade with. */
interface Candidate {
  readonly party: number;
  readonly orders: PriceTimeBook;
  slot: number;
}

/** The other side as an aggressor meets it, without the orders that it may not trade with. */
class PartySearch {
  readonly #candidates: Candidate[] = [];

  constructor(
    readonly book: PartyIndexedBook,
    readonly side: Side,
    readonly limitPrice: number,
    readonly party: number,
    readonly lot: number,
    readonly availableCredit: AvailableCredit,
    readonly planned: Set<number> | null,
  ) {
    for (const [restingParty, orders] of book.byParty()) {
      let slot = this.#firstTradable(restingParty, orders, orders.first(opposite(side)));
      // A planned trade has left its order in the book, and the order has nothing more to give.
      while (slot !== NO_SLOT && planned?.has(orders.idOf(slot))) {
        slot = this.#firstTradable(restingParty, orders, orders.next(slot));
      }
      if (slot !== NO_SLOT) this.#candidates.push({ party: restingParty, orders, slot });
    }
  }

  match(quantity: number, onTrade: OnTrade): number {
    let remaining = quantity;
    while (remaining > 0) {
      const at = this.#best();
      const candidate = this.#candidates[at];
      if (candidate === undefined) break;
      const { party: restingParty, orders, slot } = candidate;
      const price = orders.priceOf(slot);
      const possible = Math.min(
        remaining,
        orders.quantityOf(slot),
        this.availableCredit(restingParty, this.party, price),
      );
      const traded = possible - possible % this.lot;
      const restingId = orders.idOf(slot);
      if (!(traded > 0)) throw new Error(`order ${restingId} can't trade a lot of ${this.lot} kW: ${possible} kW`);
      const next = orders.next(slot);
      remaining -= traded;
      if (this.planned === null) this.book.reduce(restingId, traded);
      onTrade(restingId, restingParty, price, traded);
      candidate.slot = this.#firstTradable(restingParty, orders, next);
      if (candidate.slot === NO_SLOT) this.#candidates.splice(at, 1);
    }
    return remaining;
  }

  /** Of the candidates the first in priority. */
  #best(): number {
    let best = 0;
    for (let at = 1; at < this.#candidates.length; at++) {
      if (this.#isBefore(this.#candidates[at]!, this.#candidates[best]!)) best = at;
    }
    return best;
  }

  #isBefore(one: Candidate, other: Candidate): boolean {
    const [price, otherPrice] = [one.orders.priceOf(one.slot), other.orders.priceOf(other.slot)];
    if (price !== otherPrice) return this.side === BUY ? price < otherPrice : price > otherPrice;
    return one.orders.priorityOf(one.slot) < other.orders.priorityOf(other.slot);
  }

  /** From `slot` on, the first order of a party that the limit reaches and that there is room for. */
  #firstTradable(restingParty: number, orders: PriceTimeBook, slot: number): number {
    if (slot === NO_SLOT) return NO_SLOT;
    const price = orders.priceOf(slot);
    if (!crosses(this.side, this.limitPrice, price)) return NO_SLOT;
    if (this.#hasCredit(restingParty, price)) return slot;
    // Worse prices take less credit until they pass 0.
    const sign = this.side === BUY ? -1 : 1;
    if (price * sign <= 0) return NO_SLOT;
    const farthest = this.#farthestWithCredit(restingParty, Math.abs(price) - 1);
    if (farthest === null) return NO_SLOT;
    const reached = orders.firstFrom(opposite(this.side), farthest * sign);
    if (reached === NO_SLOT) return NO_SLOT;
    const reachedPrice = orders.priceOf(reached);
    const isReached = crosses(this.side, this.limitPrice, reachedPrice) && Math.abs(reachedPrice) <= farthest;
    return isReached ? reached : NO_SLOT;
  }

  /** The greatest distance from 0, up to `most`, of a price at which a lot may trade; null if there is none. */
  #farthestWithCredit(restingParty: number, most: number): number | null {
    if (!this.#hasCredit(restingParty, 0)) return null;
    let low = 0;
    let high = most;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#hasCredit(restingParty, middle)) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #hasCredit(restingParty: number, price: number): boolean {
    return this.availableCredit(restingParty, this.party, price) >= this.lot;
  }
}
