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
// Cost: O(orders walked over), skipped ones included.

import { type BookOrder, BUY, crosses, opposite, type OrderBook, SELL } from "./order-book.ts";

/** kW that two parties may trade with each other at a price; 0 where they may not trade. */
export type Room = (restingParty: number, aggressorParty: number, price: number) => number;

export type OnTrade = (restingOrder: BookOrder, quantity: number) => void;

/**
 * Matches an aggressor against the older orders of the other side and takes what is traded out of them. `onTrade` is
 * told of each trade after the book has changed and before `room` is asked again. Returns the aggressor's remaining kW.
 */
export function matchAggressor(
  book: OrderBook,
  aggressorOrder: BookOrder,
  lot: number,
  room: Room,
  onTrade: OnTrade,
): number {
  let remaining = aggressorOrder.quantity;
  for (const restingOrder of book.orders(opposite(aggressorOrder.side))) {
    if (remaining === 0 || !crosses(aggressorOrder.side, aggressorOrder.price, restingOrder.price)) break;
    if (restingOrder.priority > aggressorOrder.priority) continue;
    const allowed = room(restingOrder.party, aggressorOrder.party, restingOrder.price);
    const possible = Math.min(remaining, restingOrder.quantity, allowed);
    const quantity = possible - possible % lot;
    if (quantity === 0) continue;
    remaining -= quantity;
    book.reduce(restingOrder.id, quantity);
    onTrade(restingOrder, quantity);
  }
  return remaining;
}

/** The orders of a crossed book that meet the other side's best price, oldest first; none where it is not crossed. */
export function crossedOrders(book: OrderBook): BookOrder[] {
  const bestBid = book.bestPrice(BUY);
  const bestAsk = book.bestPrice(SELL);
  if (bestBid === null || bestAsk === null || bestBid < bestAsk) return [];
  return [...reaching(book, BUY, bestAsk), ...reaching(book, SELL, bestBid)].sort((a, b) => a.priority - b.priority);
}

function reaching(book: OrderBook, side: BookOrder["side"], price: number): BookOrder[] {
  const orders: BookOrder[] = [];
  for (const order of book.orders(side)) {
    if (!crosses(side, order.price, price)) break;
    orders.push({ ...order });
  }
  return orders;
}
