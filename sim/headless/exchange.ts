// The exchange of a headless simulation: the engine's state, books, matching, credit and sessions, without its protocol.
// It keeps no order that has ended. A test checks that it trades exactly as the engine does on the same commands.
//
// Two differences from the engine: every order is good until cancelled, and an order is refused, not held, while its
// market is not open. Nothing halts a market.
//
// Quantities are kW, prices cents/MWh. Times are milliseconds since the epoch and never go back.

import type { MarketDefinition } from "../definition/market-definition.ts";
import { listDue, removeContract } from "../engine/state/contract-list.ts";
import { type EngineState, nextDeadline } from "../engine/state/engine-state.ts";
import { createState } from "../engine/state/initial-state.ts";
import { type ContractState, isMatching, type MarketState, scheduledStatusOf } from "../engine/state/market-state.ts";
import { required } from "../engine/state/required.ts";
import type { Side } from "../market/order-book.ts";
import { sessionAt } from "../market/session-schedule.ts";
import {
  type Acceptance,
  type ContractChange,
  type DeadlineOutcome,
  type ExchangeOrder,
  type ExchangeTrade,
  refusalOf,
} from "./exchange-order.ts";
import { OpenOrders } from "./open-orders.ts";

export class Exchange<Owner> {
  readonly #state: EngineState;
  readonly #orders: OpenOrders<Owner>;

  constructor(definition: MarketDefinition, now: number) {
    this.#state = createState(definition, { engineId: "headless", epoch: 0, now });
    this.#orders = new OpenOrders(this.#state.ledger);
  }

  /** In the order of listing. */
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

  /** Whether a party's credit limits exclude trades with every counterparty. */
  isCreditExhausted(party: number): boolean {
    return this.#state.ledger.creditStatus(party) === "exhausted";
  }

  /** Undefined if the order is not open. */
  order(key: number): ExchangeOrder<Owner> | undefined {
    return this.#orders.get(key);
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
    const order = this.#orders.create(owner, contract, party, side, price, quantity);
    return { accepted: true, order, trades: this.#orders.enter(order) };
  }

  /** As in the engine: a smaller quantity at the same price keeps time priority; any other change loses it. */
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
    return { accepted: true, order, trades: this.#orders.enter(order) };
  }

  /** Does nothing if the order is not open. */
  cancel(key: number): void {
    const order = this.#orders.get(key);
    if (order !== undefined) this.#orders.close(order);
  }

  /** The next time at which a session or delivery begins or ends, or a contract is listed or removed; Infinity if none. */
  get nextDeadline(): number {
    return nextDeadline(this.#state) ?? Infinity;
  }

  /**
   * Applies one change that is due at the next deadline. Deliveries come first, so orders in a contract that goes to
   * delivery don't trade at the same deadline. Call it before any other command once the deadline has been reached.
   */
  processDeadline(): DeadlineOutcome<Owner> {
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
      if (freed.length > 0) this.#orders.matchCrossed(this.contracts, new Set(freed), trades);
    } else {
      contract.expired = true;
      for (const order of this.#orders.of(contract)) {
        this.#orders.close(order);
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
    if (scheduledStatusOf(market) === "open") this.#orders.matchCrossed(market.contracts, null, trades);
  }
}
