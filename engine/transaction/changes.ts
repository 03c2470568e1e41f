// The modules that a transaction has changed, each once, in the order of their first change. A mark on the object, the
// number of the transaction, says that it is listed already.
//
// One object serves all transactions of an engine, one after the other.

import type { EngineState, PairState } from "../state/engine-state.ts";
import { type ContractState, type MarketState, NO_TEXT, type Order } from "../state/market-state.ts";
import type { EntityState, UserState } from "../state/party-state.ts";

export class Changes {
  /** Their kept texts are dropped at the end. */
  readonly orders: Order[] = [];
  readonly pairs: PairState[] = [];
  /** Those whose book has changed. */
  readonly books: ContractState[] = [];
  /** Those whose held orders have changed. */
  readonly queues: ContractState[] = [];
  /** Those whose credit status has changed. */
  readonly entities: EntityState[] = [];
  readonly markets = new Set<MarketState>();
  /** Contracts that are new. */
  readonly listed = new Set<ContractState>();
  readonly users = new Set<UserState>();
  /** Those whose credit status may have changed. */
  readonly credit: EntityState[] = [];
  readonly #lists: readonly unknown[][] = [
    this.orders,
    this.pairs,
    this.books,
    this.queues,
    this.entities,
    this.credit,
  ];
  #transaction = 0;

  /** Begins the next transaction. */
  begin(state: EngineState): void {
    this.#transaction = ++state.transactions;
  }

  addOrder(order: Order): void {
    if (order.changedIn === this.#transaction) return;
    order.changedIn = this.#transaction;
    this.orders.push(order);
  }

  addPair(pair: PairState): void {
    if (pair.changedIn === this.#transaction) return;
    pair.changedIn = this.#transaction;
    this.pairs.push(pair);
  }

  addCredit(entity: EntityState): void {
    if (entity.creditChangedIn === this.#transaction) return;
    entity.creditChangedIn = this.#transaction;
    this.credit.push(entity);
  }

  addBook(contract: ContractState): void {
    if (contract.bookChangedIn === this.#transaction) return;
    contract.bookChangedIn = this.#transaction;
    this.books.push(contract);
  }

  addQueue(contract: ContractState): void {
    if (contract.queueChangedIn === this.#transaction) return;
    contract.queueChangedIn = this.#transaction;
    this.queues.push(contract);
  }

  /** Whether change.book tells everything about the contract's ENGINE module. Clients don't have that of a new contract yet. */
  isToldByBook(contract: ContractState): boolean {
    return contract.bookChangedIn === this.#transaction && !this.listed.has(contract);
  }

  /** The contract is no longer in the market. */
  dropContract(contract: ContractState): void {
    this.listed.delete(contract);
    for (const list of [this.books, this.queues]) {
      const at = list.indexOf(contract);
      if (at >= 0) list.splice(at, 1);
    }
  }

  /** Ends the transaction. */
  end(): void {
    for (const order of this.orders) {
      order.textStart = NO_TEXT;
      // A closed order is rarely shown again, and there are many.
      if (order.closeReason !== null) order.fixedText = "";
    }
    for (const list of this.#lists) if (list.length > 0) list.length = 0;
    if (this.markets.size > 0) this.markets.clear();
    if (this.listed.size > 0) this.listed.clear();
    if (this.users.size > 0) this.users.clear();
  }
}
