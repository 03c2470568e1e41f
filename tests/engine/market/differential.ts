// What the differential tests of the book have in common.

import type { AvailableCredit, OnTrade } from "../../../engine/market/matching.ts";
import { BUY, NO_SLOT, opposite, type OrderBook, SELL } from "../../../engine/market/order-book.ts";
import { type LastSteps } from "../../support/seed.ts";
import type { ReferenceBook, RestingOrder } from "./reference-book.ts";

/**
 * Runs commands on a book and on its reference. `carryOut` returns the results of both, four numbers for each trade. Returns
 * the number of trades. Throws after the first command with different results, or after which `difference` finds one.
 */
export function compareRun<Command>(
  steps: LastSteps,
  commands: number,
  next: () => Command,
  carryOut: (command: Command, number: number) => readonly [outcome: number[], expected: number[]],
  difference: () => string | null,
): number {
  let trades = 0;
  for (let number = 1; number <= commands; number++) {
    const command = next();
    steps.add(command);
    const [outcome, expected] = carryOut(command, number);
    trades += expected.length >> 2;
    const found = outcome.join() === expected.join() ? difference() : `${outcome} for ${expected}`;
    if (found !== null) throw new Error(`command ${number}: ${found}`);
  }
  return trades;
}

/** Matching in the obvious way: trades the order with each older one of the other side, in priority, as credit allows. */
export function matchOnReference(
  book: ReferenceBook,
  { side, price: limit, quantity, party, priority }: Omit<RestingOrder, "id">,
  lot: number,
  availableCredit: AvailableCredit,
  onTrade: OnTrade,
): void {
  let left = quantity;
  for (const resting of [...book.orders(opposite(side))]) {
    const { id, price } = resting;
    if (resting.priority > priority || (side === BUY ? price > limit : price < limit)) continue;
    const possible = Math.min(left, resting.quantity, availableCredit(resting.party, party, price));
    const traded = possible - possible % lot;
    if (traded <= 0) continue;
    left -= traded;
    book.reduce(id, traded);
    onTrade(id, resting.party, price, traded);
  }
}

/** The sum of the traded quantities. */
export function tradedIn(trades: readonly number[]): number {
  return trades.reduce((sum, number, at) => at % 4 === 3 ? sum + number : sum, 0);
}

/** The first difference between a book and the reference; null if there is none. */
export function difference(book: OrderBook, reference: ReferenceBook): string | null {
  if (book.orderCount !== reference.orderCount) return `${book.orderCount} orders for ${reference.orderCount}`;
  for (const side of [BUY, SELL] as const) {
    if (book.bestPrice(side) !== reference.bestPrice(side)) return `best price of side ${side}`;
    let slot = book.first(side);
    for (const { id, price, quantity, party, priority } of reference.orders(side)) {
      const same = slot !== NO_SLOT && book.idOf(slot) === id && book.sideOf(slot) === side &&
        book.priceOf(slot) === price && book.quantityOf(slot) === quantity && book.partyOf(slot) === party &&
        book.priorityOf(slot) === priority && book.slotOf(id) === slot;
      if (!same) return `order ${id} of side ${side}`;
      slot = book.next(slot);
    }
    if (slot !== NO_SLOT) return `one order too many on side ${side}`;
    const expected = reference.depth(side, Infinity);
    const depth = book.depth(side, Infinity);
    if (depth.length !== expected.length) return `${depth.length} levels for ${expected.length} on side ${side}`;
    const level = expected.findIndex(({ price, volume, orderCount }, at) =>
      depth[at]?.price !== price || depth[at].volume !== volume || depth[at].orderCount !== orderCount
    );
    if (level >= 0) return `level ${level} of side ${side}`;
  }
  return null;
}
