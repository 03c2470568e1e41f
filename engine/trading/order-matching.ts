// Matches orders against the older ones of the other side, as prices, credit and documents allow.

import { matchAggressor, type OnTrade } from "../market/matching.ts";
import { crosses, opposite } from "../market/order-book.ts";
import type { PartyIndexedBook } from "../market/party-indexed-book.ts";
import { type Order, remainingOf } from "../state/market-state.ts";
import { required } from "../state/required.ts";
import type { Transaction } from "../transaction/transaction.ts";
import { bookTrade } from "./trade-booking.ts";

/** Matches an arriving order against its contract's book; returns the kW that remain. */
export function matchOrder(transaction: Transaction, order: Order): number {
  const best = order.contract.book.bestPrice(opposite(order.side));
  if (best === null || !crosses(order.side, order.price, best)) return remainingOf(order);
  return matchIn(order.contract.book, transaction, order, null);
}

/** Matches an order against `book`, and books the trades; `onTrade` is called before each is booked. */
export function matchIn(
  book: PartyIndexedBook,
  transaction: Transaction,
  order: Order,
  onTrade: ((restingId: number, quantity: number) => void) | null,
): number {
  const { contract, side, price, entity } = order;
  const before = remainingOf(order);
  const remaining = matchAggressor(
    book,
    side,
    price,
    before,
    entity.party,
    contract.lot,
    transaction.state.ledger.availableCreditIn(contract),
    BOOKING.begin(transaction, order, onTrade),
  );
  if (remaining < before) transaction.publishOrder("change.order", order);
  return remaining;
}

/** Books the trades of one match after the other. It is one object, so a match makes no function. */
class Booking {
  #transaction: Transaction | null = null;
  #aggressor: Order | null = null;
  #onTrade: ((restingId: number, quantity: number) => void) | null = null;

  begin(
    transaction: Transaction,
    aggressor: Order,
    onTrade: ((restingId: number, quantity: number) => void) | null,
  ): OnTrade {
    this.#transaction = transaction;
    this.#aggressor = aggressor;
    this.#onTrade = onTrade;
    return this.#book;
  }

  readonly #book: OnTrade = (restingId, _party, _price, quantity) => {
    this.#onTrade?.(restingId, quantity);
    const transaction = required(this.#transaction ?? undefined, "transaction");
    const restingOrder = required(transaction.state.openOrders.get(restingId), "resting order");
    bookTrade(transaction, restingOrder, required(this.#aggressor ?? undefined, "aggressor"), quantity);
  };
}

const BOOKING = new Booking();
