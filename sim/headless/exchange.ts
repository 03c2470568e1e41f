// A market without a protocol: the books, the matching, the credit and the sessions of the engine, in the state that the
// engine begins with, and nothing of what it tells clients. So it is many times as fast, and keeps no order that has
// ended. Given the same orders at the same times it trades as the engine does (a test compares them).
//
// It takes orders that stay until cancelled, only while their market is open: where the engine would hold an order, this
// refuses it. Nobody halts it.
//
// What comes of a call is told by what it returns. Quantities are kW, prices cents/MWh, times milliseconds since the
// epoch, which never go back.

import type { MarketDefinition } from "../definition/market-definition.ts";
import { listDue, removeContract } from "../engine/state/contract-list.ts";
import {
  type ContractState,
  type EngineState,
  isMatching,
  type MarketState,
  required,
  scheduledStatusOf,
} from "../engine/state/engine-state.ts";
import { createState } from "../engine/state/initial-state.ts";
import { nextDeadline } from "../engine/trading/schedule-changes.ts";
import { matchCrossed } from "../market/crossed-matching.ts";
import { type AvailableCredit, matchAggressor } from "../market/matching.ts";
import { BUY, SELL, type Side, slotsOf } from "../market/order-book.ts";
import type { PartyIndexedBook } from "../market/party-indexed-book.ts";
import { sessionAt } from "../market/session-schedule.ts";
import {
  type Acceptance,
  type ContractChange,
  type ExchangeOrder,
  type ExchangeTrade,
  type Passage,
  refusalOf,
} from "./exchange-order.ts";

export class Exchange<Owner> {
  readonly #state: EngineState;
  readonly #orders = new Map<number, ExchangeOrder<Owner>>();
  #lastKey = 0;
  #lastPriority = 0;

  /** The market as the definition has it at `now`. */
  constructor(definition: MarketDefinition, now: number) {
    this.#state = createState(definition, { engineId: "headless", epoch: 0, now, secret: null });
  }

  /** In the order of their listing. */
  get contracts(): Iterable<ContractState> {
    return this.#state.contracts.values();
  }

  get openOrders(): number {
    return this.#orders.size;
  }

  partyOf(entityId: string): number {
    return required(this.#state.entities.get(entityId), `entity ${entityId}`).party;
  }

  isOpen(contract: ContractState): boolean {
    return isMatching(contract);
  }

  /** Whether a party's credit limits leave no credit for any counterparty. */
  isCreditExhausted(party: number): boolean {
    return this.#state.ledger.creditStatus(party) === "exhausted";
  }

  submit(
    owner: Owner,
    contract: ContractState,
    party: number,
    side: Side,
    price: number,
    quantity: number,
  ): Acceptance<Owner> {
    const code = refusalOf(contract, price, quantity);
    if (code !== null) return { accepted: false, code };
    const key = ++this.#lastKey;
    const order = { key, owner, contract, party, side, price, quantity, filledQuantity: 0, priority: 0 };
    this.#orders.set(key, order);
    return { accepted: true, order, trades: this.#enter(order) };
  }

  /** As in the engine: less quantity at the same price keeps the order's place, anything else counts as arriving now. */
  modify(key: number, price: number, quantity: number): Acceptance<Owner> {
    const order = this.#orders.get(key);
    if (order === undefined) return { accepted: false, code: "not_found" };
    const { contract } = order;
    const code = refusalOf(contract, price, quantity) ??
      (quantity <= order.filledQuantity ? "invalid_quantity" : null);
    if (code !== null) return { accepted: false, code };
    if (price === order.price && quantity <= order.quantity) {
      if (quantity < order.quantity) contract.book.reduce(key, order.quantity - quantity);
      order.quantity = quantity;
      return { accepted: true, order, trades: [] };
    }
    contract.book.remove(key);
    order.price = price;
    order.quantity = quantity;
    return { accepted: true, order, trades: this.#enter(order) };
  }

  /** An open order; undefined where none has that key. */
  order(key: number): ExchangeOrder<Owner> | undefined {
    return this.#orders.get(key);
  }

  /** Does nothing where no order of that key is open. */
  cancel(key: number): void {
    const order = this.#orders.get(key);
    if (order !== undefined) this.#close(order);
  }

  /** When a session or a delivery next begins or ends, or a contract comes or goes; Infinity if nothing does. */
  get nextDeadline(): number {
    return nextDeadline(this.#state) ?? Infinity;
  }

  /**
   * Carries out what falls on the next deadline, one thing at a time, deliveries first: so orders that it ends have not
   * traded in it. To be called before anything else once that time has come.
   */
  passDeadline(): Passage<Owner> {
    const expired: ExchangeOrder<Owner>[] = [];
    const trades: ExchangeTrade<Owner>[] = [];
    const due = this.nextDeadline;
    const changes: ContractChange[] = [];
    this.#state.now = Math.max(this.#state.now, due);
    if (this.#state.deadlines.first?.time === due) {
      const { contract } = required(this.#state.deadlines.take(), "deadline");
      this.#changeContract(contract, changes, expired, trades);
    } else if (this.#state.nextListing === due) {
      for (const contract of listDue(this.#state)) changes.push({ kind: "listed", contract });
    } else {
      for (const market of this.#state.markets.values()) {
        if (market.session?.nextChange === due) this.#changeSession(market, due, trades);
      }
    }
    return { changes, expired, trades };
  }

  #changeContract(
    contract: ContractState,
    changes: ContractChange[],
    expired: ExchangeOrder<Owner>[],
    trades: ExchangeTrade<Owner>[],
  ): void {
    const { deadlines, ledger } = this.#state;
    if (contract.delivered) {
      removeContract(this.#state, contract);
      changes.push({ kind: "removed", contract });
      return;
    }
    if (contract.expired) {
      contract.delivered = true;
      const freed = ledger.releaseContract(contract.key).flat();
      if (freed.length > 0) this.#matchResting(this.contracts, new Set(freed), trades);
    } else {
      contract.expired = true;
      for (const order of this.#ordersOf(contract)) {
        this.#close(order);
        expired.push(order);
      }
      changes.push({ kind: "expired", contract });
    }
    deadlines.add(contract);
  }

  #changeSession(market: MarketState, at: number, trades: ExchangeTrade<Owner>[]): void {
    const { schedule, timezone } = market.definition;
    if (schedule === null) return;
    market.session = sessionAt(schedule, timezone, at);
    if (scheduledStatusOf(market) === "open") this.#matchResting(market.contracts, null, trades);
  }

  /** Matches what rests crossed and may trade by now. `concerned` null: any party. */
  #matchResting(
    contracts: Iterable<ContractState>,
    concerned: ReadonlySet<number> | null,
    trades: ExchangeTrade<Owner>[],
  ): void {
    for (const contract of contracts) {
      if (!isMatching(contract)) continue;
      const { book, lot } = contract;
      matchCrossed(book, concerned, lot, this.#availableCreditIn(contract), (key, older) => {
        const order = required(this.#orders.get(key), "crossed order");
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

  #enter(order: ExchangeOrder<Owner>): ExchangeTrade<Owner>[] {
    const { key, contract, side, party } = order;
    const trades: ExchangeTrade<Owner>[] = [];
    order.priority = ++this.#lastPriority;
    const remaining = this.#match(order, contract.book, trades);
    if (remaining > 0) contract.book.add(key, side, order.price, remaining, party, order.priority);
    return trades;
  }

  #availableCreditIn(contract: ContractState): AvailableCredit {
    const { ledger } = this.#state;
    return (restingParty, aggressorParty, price) =>
      ledger.availableCredit(restingParty, aggressorParty, contract, price);
  }

  #match(order: ExchangeOrder<Owner>, book: PartyIndexedBook, trades: ExchangeTrade<Owner>[]): number {
    const { contract, side, party } = order;
    const { ledger } = this.#state;
    return matchAggressor(
      book,
      side,
      order.price,
      order.quantity - order.filledQuantity,
      party,
      contract.lot,
      this.#availableCreditIn(contract),
      (restingKey, restingParty, price, quantity) => {
        const resting = required(this.#orders.get(restingKey), "resting order");
        this.#fill(resting, quantity);
        this.#fill(order, quantity);
        contract.lastPrice = price;
        ledger.addTrade(restingParty, party, contract, price, quantity);
        trades.push({ resting, aggressor: order, price, quantity });
      },
    );
  }

  #fill(order: ExchangeOrder<Owner>, quantity: number): void {
    order.filledQuantity += quantity;
    if (order.filledQuantity === order.quantity) this.#orders.delete(order.key);
  }

  #close(order: ExchangeOrder<Owner>): void {
    order.contract.book.remove(order.key);
    this.#orders.delete(order.key);
  }

  #ordersOf({ book }: ContractState): ExchangeOrder<Owner>[] {
    return [...slotsOf(book, BUY), ...slotsOf(book, SELL)]
      .map((slot) => required(this.#orders.get(book.idOf(slot)), "resting order"))
      .sort((a, b) => a.key - b.key);
  }
}
