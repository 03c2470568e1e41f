// The open orders of the headless exchange, and their matching.
//
// Invariant: an order is in the map exactly as long as it is open; its open quantity rests in its contract's book once
// `enter` has returned.

import { type ContractState, isMatching } from "../engine/state/market-state.ts";
import { required } from "../engine/state/required.ts";
import type { CreditLedger } from "../market/credit-ledger.ts";
import { matchCrossed } from "../market/crossed-matching.ts";
import { type AvailableCredit, matchAggressor } from "../market/matching.ts";
import { BUY, SELL, type Side, slotsOf } from "../market/order-book.ts";
import type { PartyIndexedBook } from "../market/party-indexed-book.ts";
import type { ExchangeOrder, ExchangeTrade } from "./exchange-order.ts";

export class OpenOrders<Owner> {
  readonly #byKey = new Map<number, ExchangeOrder<Owner>>();
  #lastKey = 0;
  #lastPriority = 0;

  constructor(private readonly ledger: CreditLedger) {}

  get size(): number {
    return this.#byKey.size;
  }

  get(key: number): ExchangeOrder<Owner> | undefined {
    return this.#byKey.get(key);
  }

  /** In the order of submission. */
  of({ book }: ContractState): ExchangeOrder<Owner>[] {
    return [...slotsOf(book, BUY), ...slotsOf(book, SELL)]
      .map((slot) => required(this.#byKey.get(book.idOf(slot)), "resting order"))
      .sort((a, b) => a.key - b.key);
  }

  /** The new order is not in the book before `enter`. */
  create(
    owner: Owner,
    contract: ContractState,
    party: number,
    side: Side,
    price: number,
    quantity: number,
  ): ExchangeOrder<Owner> {
    const key = ++this.#lastKey;
    const order = { key, owner, contract, party, side, price, quantity, filledQuantity: 0, priority: 0 };
    this.#byKey.set(key, order);
    return order;
  }

  /** Matches an order with a new time priority, and rests what is left. */
  enter(order: ExchangeOrder<Owner>): ExchangeTrade<Owner>[] {
    const { key, contract, side, party } = order;
    const trades: ExchangeTrade<Owner>[] = [];
    order.priority = ++this.#lastPriority;
    const remaining = this.#match(order, contract.book, trades);
    if (remaining > 0) contract.book.add(key, side, order.price, remaining, party, order.priority);
    return trades;
  }

  close(order: ExchangeOrder<Owner>): void {
    order.contract.book.remove(order.key);
    this.#byKey.delete(order.key);
  }

  /** Matches resting orders that cross and may trade now, and adds to `trades`. `parties` null: all parties. */
  matchCrossed(
    contracts: Iterable<ContractState>,
    parties: ReadonlySet<number> | null,
    trades: ExchangeTrade<Owner>[],
  ): void {
    for (const contract of contracts) {
      if (!isMatching(contract)) continue;
      const { book, lot } = contract;
      matchCrossed(book, parties, lot, this.#availableCreditIn(contract), (key, older) => {
        const order = required(this.#byKey.get(key), "crossed order");
        const first = trades.length;
        const remaining = this.#match(order, older, trades);
        for (const { resting, quantity } of trades.slice(first)) {
          book.reduce(resting.key, quantity);
          book.reduce(key, quantity);
        }
        return remaining;
      });
    }
  }

  #match(order: ExchangeOrder<Owner>, book: PartyIndexedBook, trades: ExchangeTrade<Owner>[]): number {
    const { contract, side, party } = order;
    return matchAggressor(
      book,
      side,
      order.price,
      order.quantity - order.filledQuantity,
      party,
      contract.lot,
      this.#availableCreditIn(contract),
      (restingKey, restingParty, price, quantity) => {
        const resting = required(this.#byKey.get(restingKey), "resting order");
        this.#fill(resting, quantity);
        this.#fill(order, quantity);
        contract.lastPrice = price;
        this.ledger.addTrade(restingParty, party, contract, price, quantity);
        trades.push({ resting, aggressor: order, price, quantity });
      },
    );
  }

  #availableCreditIn(contract: ContractState): AvailableCredit {
    return (restingParty, aggressorParty, price) =>
      this.ledger.availableCredit(restingParty, aggressorParty, contract, price);
  }

  #fill(order: ExchangeOrder<Owner>, quantity: number): void {
    order.filledQuantity += quantity;
    if (order.filledQuantity === order.quantity) this.#byKey.delete(order.key);
  }
}
