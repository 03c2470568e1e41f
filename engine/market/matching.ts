// Price-time matching with credit between parties.
//
// The aggressor goes through the other side in priority, up to its limit price. With each resting order it trades as much
// as both orders have left and the credit of the two parties allows, rounded down to the lot, at the resting order's price.
// If that is 0, it tries the next order.
//
// Credit may block many of the orders that the aggressor crosses. After MAX_SKIPPED blocked orders the search continues by
// party: it finds the first order of each party that credit allows, and trades with the best of these. Both searches give
// the same trades.
//
// Cost: O(MAX_SKIPPED + trades x parties), whatever the number of orders in the book.

import { BUY, crosses, NO_SLOT, opposite, type OrderBook, type Side } from "./order-book.ts";
import type { PriceTimeBook } from "./price-time-book.ts";
import type { PartyIndexedBook } from "./party-indexed-book.ts";

/**
 * kW that two parties may trade with each other at a price; 0 if they may not trade. It depends on |price|, whatever the
 * sign, and a greater |price| never gives more. A trade reduces it by at least the traded quantity, and only for this pair.
 */
export type AvailableCredit = (restingParty: number, aggressorParty: number, price: number) => number;

export type OnTrade = (restingId: number, restingParty: number, price: number, quantity: number) => void;

export const MAX_SKIPPED = 32;

/**
 * Matches an aggressor against the orders of the other side, all older than itself, and reduces them. Each trade calls
 * `onTrade` after the book has changed and before the next call of `availableCredit`. All quantities are multiples of the
 * lot. Returns the aggressor's remaining kW.
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
      book.reduceAt(slot, traded);
      onTrade(restingId, restingParty, price, traded);
    } else if (++skipped > MAX_SKIPPED) {
      return new PartySearch(book, side, limitPrice, party, lot, availableCredit).match(remaining, onTrade);
    }
    slot = next;
  }
  return remaining;
}

/** `matchAggressor` without credit: every order that it reaches trades. */
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

/** A party's next order that the aggressor may trade with. */
interface Candidate {
  readonly party: number;
  readonly orders: PriceTimeBook;
  slot: number;
}

/** Matches an aggressor against the other side party by party, without visiting the orders that credit blocks. */
class PartySearch {
  readonly #candidates: Candidate[] = [];

  constructor(
    readonly book: PartyIndexedBook,
    readonly side: Side,
    readonly limitPrice: number,
    readonly party: number,
    readonly lot: number,
    readonly availableCredit: AvailableCredit,
  ) {
    for (const [restingParty, orders] of book.byParty()) {
      const slot = this.#firstTradable(restingParty, orders, orders.first(opposite(side)));
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
      this.book.reduce(restingId, traded);
      onTrade(restingId, restingParty, price, traded);
      candidate.slot = this.#firstTradable(restingParty, orders, next);
      if (candidate.slot === NO_SLOT) this.#candidates.splice(at, 1);
    }
    return remaining;
  }

  /** The index of the candidate that is first in priority. */
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

  /** From `slot` on, the first order of a party that the limit price reaches and credit allows. */
  #firstTradable(restingParty: number, orders: PriceTimeBook, slot: number): number {
    if (slot === NO_SLOT) return NO_SLOT;
    const price = orders.priceOf(slot);
    if (!crosses(this.side, this.limitPrice, price)) return NO_SLOT;
    if (this.#hasCredit(restingParty, price)) return slot;
    // Worse prices use less credit only until they reach 0.
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

  /** The greatest |price| up to `most` at which credit allows a lot; null if there is none. */
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
