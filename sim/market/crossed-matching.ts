// Matches orders that rest crossed because they might not trade, after a change of credit or documents lets them.
//
// Treats each of them as if it had just arrived, oldest first: it is matched against those older than itself. One such
// pass is enough: two orders that may trade do so when the younger of them is matched, and trades only use room up.
//
// The older ones are kept in a book of their own, which grows as the pass goes on, so no order ever meets a younger one.
//
// Cost: O(n log n + n x parties + trades x parties) for the n orders of the parties concerned that rest crossed among
// themselves.

import { BUY, crosses, opposite, SELL, type Side, slotsOf } from "./order-book.ts";
import type { AvailableCredit } from "./matching.ts";
import type { PriceTimeBook } from "./price-time-book.ts";
import { PartyIndexedBook } from "./party-indexed-book.ts";

/**
 * Matches an order against `older`, which takes out what it trades of those that rest there, takes the same out of the
 * whole book, for the order and for those that it trades with, and returns what remains of the order.
 */
export type MatchOne = (id: number, older: PartyIndexedBook) => number;

interface CrossedOrder {
  readonly id: number;
  readonly side: Side;
  readonly price: number;
  readonly party: number;
  readonly priority: number;
}

/**
 * `parties`: those between which anything has changed, so that no other two orders of the book may trade; null: any may.
 */
export function matchCrossed(
  book: PartyIndexedBook,
  parties: ReadonlySet<number> | null,
  lot: number,
  availableCredit: AvailableCredit,
  match: MatchOne,
): void {
  if (!isCrossed(book) || (parties !== null && !mayAnyTrade(parties, lot, availableCredit))) return;
  const older = new PartyIndexedBook();
  for (const { id, side, price, party, priority } of crossedOrders(book, parties)) {
    const remaining = match(id, older);
    if (remaining > 0) older.add(id, side, price, remaining, party, priority);
  }
}

/** The orders of these parties that meet the best price of the other side among them, oldest first. */
export function crossedOrders(book: PartyIndexedBook, parties: ReadonlySet<number> | null): CrossedOrder[] {
  if (!isCrossed(book)) return [];
  const books = [...book.byParty()].filter(([party]) => parties === null || parties.has(party))
    .map(([, orders]) => orders);
  const crossed = ([BUY, SELL] as const).flatMap((side) => {
    const met = bestOf(books, opposite(side));
    return met === null ? [] : books.flatMap((orders) => reaching(orders, side, met));
  });
  return crossed.sort((a, b) => a.priority - b.priority);
}

function isCrossed(book: PartyIndexedBook): boolean {
  const bestBid = book.bestPrice(BUY);
  const bestAsk = book.bestPrice(SELL);
  return bestBid !== null && bestAsk !== null && bestBid >= bestAsk;
}

/** Whether any two parties may trade a lot at a price of 0, at which they have the most available credit. */
function mayAnyTrade(parties: ReadonlySet<number>, lot: number, availableCredit: AvailableCredit): boolean {
  for (const party of parties) {
    for (const other of parties) if (party < other && availableCredit(party, other, 0) >= lot) return true;
  }
  return false;
}

function bestOf(books: readonly PriceTimeBook[], side: Side): number | null {
  const prices = books.map((orders) => orders.bestPrice(side)).filter((price) => price !== null);
  if (prices.length === 0) return null;
  return prices.reduce((best, price) => crosses(side, best, price) ? best : price);
}

function reaching(orders: PriceTimeBook, side: Side, met: number): CrossedOrder[] {
  const reached: CrossedOrder[] = [];
  for (const slot of slotsOf(orders, side)) {
    const price = orders.priceOf(slot);
    if (!crosses(side, price, met)) break;
    reached.push({
      id: orders.idOf(slot),
      side,
      price,
      party: orders.partyOf(slot),
      priority: orders.priorityOf(slot),
    });
  }
  return reached;
}
