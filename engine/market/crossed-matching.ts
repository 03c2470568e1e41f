// Matches resting orders that cross because credit blocked them, after a change of credit or documents.
//
// Treats each of these orders as if it had just arrived, oldest first: it is matched against the older ones. One pass is
// enough: two orders that may trade do so when the younger one is matched, and trades only reduce credit. Orders that have
// been treated are added to a second book, so no order meets a younger one.
//
// Cost: O(n log n + n x parties + trades x parties) for n crossed orders of the parties concerned.

import { BUY, crosses, opposite, SELL, type Side, slotsOf } from "./order-book.ts";
import type { AvailableCredit } from "./matching.ts";
import type { PriceTimeBook } from "./price-time-book.ts";
import { PartyIndexedBook } from "./party-indexed-book.ts";

/**
 * Matches an order against the book of older ones. Must reduce the traded orders both in `older` and in the whole book, and
 * the order itself only in the whole book. Returns the order's remaining kW.
 */
type MatchOne = (id: number, older: PartyIndexedBook) => number;

interface CrossedOrder {
  readonly id: number;
  readonly side: Side;
  readonly price: number;
  readonly party: number;
  readonly priority: number;
}

/**
 * Matches the crossed orders that may trade now. `parties`: the parties whose credit or documents have changed; orders of
 * other parties are left alone. null: all parties.
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

/** The orders of these parties (null: of all) that cross the best price of the other side, oldest first. */
export function crossedOrders(book: PartyIndexedBook, parties: ReadonlySet<number> | null): CrossedOrder[] {
  if (!isCrossed(book)) return [];
  const books = [...book.byParty()].filter(([party]) => parties === null || parties.has(party))
    .map(([, orders]) => orders);
  const crossed = ([BUY, SELL] as const).flatMap((side) => {
    const otherBest = bestPriceOf(books, opposite(side));
    return otherBest === null ? [] : books.flatMap((orders) => ordersCrossing(orders, side, otherBest));
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

function bestPriceOf(books: readonly PriceTimeBook[], side: Side): number | null {
  const prices = books.map((orders) => orders.bestPrice(side)).filter((price) => price !== null);
  if (prices.length === 0) return null;
  return prices.reduce((best, price) => crosses(side, best, price) ? best : price);
}

function ordersCrossing(orders: PriceTimeBook, side: Side, otherBest: number): CrossedOrder[] {
  const crossing: CrossedOrder[] = [];
  for (const slot of slotsOf(orders, side)) {
    const price = orders.priceOf(slot);
    if (!crosses(side, price, otherBest)) break;
    crossing.push({
      id: orders.idOf(slot),
      side,
      price,
      party: orders.partyOf(slot),
      priority: orders.priorityOf(slot),
    });
  }
  return crossing;
}
