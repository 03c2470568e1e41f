// An order book that can also be read party by party, for matching that credit restricts.
//
// The books by party are built on first use and kept up to date from then on. A market in which credit blocks few resting
// orders never builds them.
//
// Invariants: those of OrderBook; once built, the books by party hold the same orders as the whole book, in the same order.
//
// Cost: `byParty` O(orders) the first time, then O(1). Everything else costs as in PriceTimeBook, and twice that once the
// books by party are built.

import { invariant } from "./invariant.ts";
import { BUY, NO_SLOT, SELL, type Side, slotsOf } from "./order-book.ts";
import { PriceTimeBook } from "./price-time-book.ts";

export class PartyIndexedBook extends PriceTimeBook {
  private books: Map<number, PriceTimeBook> | null = null;

  override add(id: number, side: Side, price: number, quantity: number, party: number, priority: number): void {
    super.add(id, side, price, quantity, party, priority);
    if (this.books !== null) bookOf(this.books, party).add(id, side, price, quantity, party, priority);
  }

  override remove(id: number): boolean {
    if (this.books !== null) {
      const slot = this.slotOf(id);
      if (slot === NO_SLOT) return false;
      const isThere = bookOf(this.books, this.partyOf(slot)).remove(id);
      invariant(isThere, "the books by party hold the orders of the whole book");
    }
    return super.remove(id);
  }

  override reduceAt(slot: number, quantity: number): void {
    if (this.books === null) return super.reduceAt(slot, quantity);
    const id = this.idOf(slot);
    const party = this.partyOf(slot);
    super.reduceAt(slot, quantity);
    bookOf(this.books, party).reduce(id, quantity);
  }

  /** The book of each party that has had an order since these books were built. Only this class may change them. */
  byParty(): ReadonlyMap<number, PriceTimeBook> {
    if (this.books !== null) return this.books;
    const books = this.books = new Map<number, PriceTimeBook>();
    for (const side of [BUY, SELL] as const) {
      for (const slot of slotsOf(this, side)) {
        const party = this.partyOf(slot);
        const book = bookOf(books, party);
        book.add(this.idOf(slot), side, this.priceOf(slot), this.quantityOf(slot), party, this.priorityOf(slot));
      }
    }
    return books;
  }
}

function bookOf(books: Map<number, PriceTimeBook>, party: number): PriceTimeBook {
  let book = books.get(party);
  if (book === undefined) books.set(party, book = new PriceTimeBook());
  return book;
}
