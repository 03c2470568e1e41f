// The market of a headless simulation: the engine's own, with its commands for orders and its schedule, but without its
// protocol. Nobody listens to messages and audit events, so none are made; a recorder only notes what personas are told. No
// order that has ended and no trade is kept.
//
// One rule is the exchange's own: an order is refused, not held, while its market is not open. Every order is good until
// cancelled, and nothing halts a market.
//
// Quantities are kW, prices cents/MWh. Times are milliseconds since the epoch and never go back.

import type { MarketDefinition } from "../../engine/definition/market-definition.ts";
import type { Rejection } from "../../engine/api/outcome.ts";
import { UNLIMITED } from "../../engine/commands/open-order-limits.ts";
import { changeOrder, placeOrder } from "../../engine/commands/order-commands.ts";
import type { ClosedOrderRefusal } from "../../engine/operations/closed-order-refusal.ts";
import { nextDeadline } from "../../engine/state/engine-state.ts";
import { createState } from "../../engine/state/initial-state.ts";
import { type ContractState, isMatching, type Order } from "../../engine/state/market-state.ts";
import type { UserState } from "../../engine/state/party-state.ts";
import { required } from "../../engine/state/required.ts";
import { closeOrder } from "../../engine/trading/order-lifecycle.ts";
import type { Transaction } from "../../engine/transaction/transaction.ts";
import { Transactions } from "../../engine/transactions.ts";
import type { Side } from "../../engine/market/order-book.ts";
import { megawattsOf } from "../../engine/market/units.ts";
import { type MarketFacts, MarketFactsRecorder, type ObservedTrade } from "./market-facts-recorder.ts";

export type Acceptance =
  | { readonly accepted: true; readonly order: Order; readonly trades: readonly ObservedTrade[] }
  /** A rejection code of the engine, or `not_open`. */
  | { readonly accepted: false; readonly code: Rejection["code"] | "not_open" };

const NOTHING_KEPT = { closedOrders: 0, trades: 0 };
const NOT_OPEN: Acceptance = { accepted: false, code: "not_open" };

export class Exchange {
  readonly #transactions: Transactions;
  readonly #recorder = new MarketFactsRecorder();
  #commands = 0;

  constructor(definition: MarketDefinition, now: number) {
    const state = createState(definition, { engineId: "headless", epoch: 0, now, retention: NOTHING_KEPT });
    this.#transactions = new Transactions(state, this.#recorder);
  }

  /** In the order of listing. */
  get contracts(): Iterable<ContractState> {
    return this.#state.contracts.values();
  }

  /** Throws if the contract is not in the market. */
  contract(id: string): ContractState {
    return required(this.#state.contracts.get(id), `contract ${id}`);
  }

  /** Commands that were carried out or rejected, without those that came while a market was not open. */
  get commands(): number {
    return this.#commands;
  }

  get openOrders(): number {
    return this.#state.openOrders.size;
  }

  /** Throws if there is no such user. */
  user(id: string): UserState {
    return required(this.#state.users.get(id), `user ${id}`);
  }

  /** The number of the user's entity in the credit ledger. */
  partyOf({ entityId }: UserState): number {
    return required(this.#state.entities.get(entityId ?? ""), `entity ${entityId}`).party;
  }

  isOpen(contract: ContractState): boolean {
    return isMatching(contract);
  }

  /** Whether a party's credit limits exclude trades with every counterparty. */
  isCreditExhausted(party: number): boolean {
    return this.#state.ledger.creditStatus(party) === "exhausted";
  }

  /** Undefined if the order is not open. */
  order(key: number): Order | undefined {
    return this.#state.openOrders.get(key);
  }

  submit(user: UserState, contract: ContractState, side: Side, price: number, quantity: number): Acceptance {
    if (!contract.expired && !isMatching(contract)) return NOT_OPEN;
    const terms = {
      contractId: contract.id,
      side,
      price,
      quantity: megawattsOf(quantity),
      timeInForce: "gtc" as const,
    };
    return this.#call((transaction) => placeOrder(transaction, terms, { user, operationId: "", limits: UNLIMITED }));
  }

  modify(user: UserState, order: Order, price: number, quantity: number): Acceptance {
    if (!isMatching(order.contract)) return NOT_OPEN;
    const terms = { orderId: order.id, price, quantity: megawattsOf(quantity) };
    return this.#call((transaction) => changeOrder(transaction, terms, user));
  }

  /** The order must be open. */
  cancel(order: Order): void {
    this.#commands += 1;
    const transaction = this.#transactions.begin(this.#state.now);
    closeOrder(transaction, order, "cancelled");
    this.#transactions.end(transaction);
    this.#recorder.take();
  }

  /** The next time at which a session or delivery begins or ends, or a contract is listed or removed; Infinity if none. */
  get nextDeadline(): number {
    return nextDeadline(this.#state) ?? Infinity;
  }

  /** Carries out what is due at the next deadline. Call it before any other command once the deadline has been reached. */
  processDeadline(): MarketFacts {
    this.#transactions.end(this.#transactions.begin(this.nextDeadline));
    return this.#recorder.take();
  }

  get #state() {
    return this.#transactions.state;
  }

  #call(command: (transaction: Transaction) => Order | Rejection | ClosedOrderRefusal): Acceptance {
    this.#commands += 1;
    const transaction = this.#transactions.begin(this.#state.now);
    const order = command(transaction);
    this.#transactions.end(transaction);
    const { trades } = this.#recorder.take();
    return "code" in order ? { accepted: false, code: order.code } : { accepted: true, order, trades };
  }
}
