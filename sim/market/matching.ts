// Price-time matching with a say in who may trade with whom (design section 8).
//
// An order that arrives walks the other side in priority, as far as its limit allows. With each resting order it trades
// as much as both have and as the two parties have room for, down to a multiple of the lot, at the resting order's
// price; where that is nothing it goes on to the next.
//
// Orders that rest crossed because they might not trade are matched again after a change of credit or documents: each,
// oldest first, takes the part of an arriving order against those older than itself. One such pass is enough: a pair
// that could trade had its turn when the younger of the two did, and trades only use room up.
//
// Cost: O(orders walked over), skipped ones included. Nothing is allocated.

import { BUY, crosses, NO_SLOT, opposite, type OrderBook, SELL, type Side, slotsOf } from "./order-book.ts";

/** kW that two parties may trade with each other at a price; 0 where they may not trade. */
export type Room = (restingParty: number, aggressorParty: number, price: number) => number;

export type OnTrade = (restingId: number, restingParty: number, price: number, quantity: number) => void;

/**
 * Matches an aggressor against the older orders of the other side and takes what is traded out of them. `onTrade` is
 * told of each trade after the book has changed and before `room` is asked again. Where `room` is null everyone may
 * trade with everyone, and the aggressor is younger than all that rests. Returns the aggressor's remaining kW.
 */
export function matchAggressor(
  book: OrderBook,
  side: Side,
  limitPrice: number,
  quantity: number,
  party: number,
  priority: number,
  lot: number,
  room: Room | null,
  onTrade: OnTrade,
): number {
  if (room === null) return sweep(book, side, limitPrice, quantity, onTrade);
  let remaining = quantity;
  let slot = book.first(opposite(side));
  while (slot !== NO_SLOT && remaining > 0) {
    const price = book.priceOf(slot);
    if (!crosses(side, limitPrice, price)) break;
    const following = book.next(slot);
    if (book.priorityOf(slot) <= priority) {
      const restingParty = book.partyOf(slot);
      const possible = Math.min(remaining, book.quantityOf(slot), room(restingParty, party, price));
      const traded = possible - possible % lot;
      if (traded > 0) {
        const restingId = book.idOf(slot);
        remaining -= traded;
        book.reduceAt(slot, traded);
        onTrade(restingId, restingParty, price, traded);
      }
    }
    slot = following;
  }
  return remaining;
}

/** `matchAggressor` without a say: every order that it meets trades. */
function sweep(book: OrderBook, side: Side, limitPrice: number, quantity: number, onTrade: OnTrade): number {
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

/** The ids of a crossed book's orders that meet the other side's best price, oldest first; none where it is not crossed. */
export function crossedOrders(book: OrderBook): number[] {
  const bestBid = book.bestPrice(BUY);
  const bestAsk = book.bestPrice(SELL);
  if (bestBid === null || bestAsk === null || bestBid < bestAsk) return [];
  return [...reaching(book, BUY, bestAsk), ...reaching(book, SELL, bestBid)]
    .sort((a, b) => book.priorityOf(a) - book.priorityOf(b))
    .map((slot) => book.idOf(slot));
}

function reaching(book: OrderBook, side: Side, price: number): number[] {
  const slots: number[] = [];
  for (const slot of slotsOf(book, side)) {
    if (!crosses(side, book.priceOf(slot), price)) break;
    slots.push(slot);
  }
  return slots;
}
