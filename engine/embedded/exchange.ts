// An engine in this process that tells its caller what happened, for simulations at full speed: the engine's own market, with
// its commands for orders and its schedule, but without its protocol. Nobody listens to messages and audit events, so none are
// made; a recorder notes the facts. No order that has ended and no trade is kept.
//
// Nothing halts a market.

import type { Rejection } from "../api/outcome.ts";
import { UNLIMITED } from "../commands/open-order-limits.ts";
import { changeOrder, placeOrder } from "../commands/order-commands.ts";
import type { MarketDefinition } from "../definition/market-definition.ts";
import type { Side } from "../market/order-book.ts";
import { megawattsOf } from "../market/units.ts";
import type { ClosedOrderRefusal } from "../operations/operation-outcome.ts";
import { nextDeadline } from "../state/engine-state.ts";
import { createState } from "../state/initial-state.ts";
import { isMatching, type Order } from "../state/market-state.ts";
import { required } from "../state/required.ts";
import { closeOrder } from "../trading/order-lifecycle.ts";
import type { Transaction } from "../transaction/transaction.ts";
import { Transactions } from "../transactions.ts";
import { FactRecorder, type MarketFacts } from "./fact-recorder.ts";
import type { ReadonlyContract, ReadonlyOrder } from "./read-only.ts";
import { type Acceptance, NOT_OPEN, type Venue } from "./venue.ts";

const NOTHING_KEPT = { closedOrders: 0, trades: 0 };

export class Exchange implements Venue {
  readonly #transactions: Transactions;
  readonly #recorder = new FactRecorder();
  #commands = 0;

  constructor(definition: MarketDefinition, now: number) {
    const state = createState(definition, { engineId: "headless", epoch: 0, now, retention: NOTHING_KEPT });
    this.#transactions = new Transactions(state, this.#recorder);
  }

  get contracts(): Iterable<ReadonlyContract> {
    return this.#state.contracts.values();
  }

  contract(id: string): ReadonlyContract {
    return required(this.#state.contracts.get(id), `contract ${id}`);
  }

  get commands(): number {
    return this.#commands;
  }

  get openOrders(): number {
    return this.#state.openOrders.size;
  }

  isOpen(contract: ReadonlyContract): boolean {
    return isMatching(contract);
  }

  isCreditExhausted(entityId: string): boolean {
    const { party } = required(this.#state.entities.get(entityId), `entity ${entityId}`);
    return this.#state.ledger.creditStatus(party) === "exhausted";
  }

  order(key: number): ReadonlyOrder | undefined {
    return this.#state.openOrders.get(key);
  }

  submit(userId: string, contract: ReadonlyContract, side: Side, price: number, quantity: number): Acceptance {
    if (!contract.expired && !isMatching(contract)) return NOT_OPEN;
    const user = required(this.#state.users.get(userId), `user ${userId}`);
    const terms = {
      contractId: contract.id,
      side,
      price,
      quantity: megawattsOf(quantity),
      timeInForce: "gtc" as const,
    };
    return this.#call((transaction) => placeOrder(transaction, terms, { user, operationId: "", limits: UNLIMITED }));
  }

  modify({ key }: ReadonlyOrder, price: number, quantity: number): Acceptance {
    const { id, user, contract } = this.#openOrder(key);
    if (!isMatching(contract)) return NOT_OPEN;
    const terms = { orderId: id, price, quantity: megawattsOf(quantity) };
    return this.#call((transaction) => changeOrder(transaction, terms, user));
  }

  cancel({ key }: ReadonlyOrder): void {
    this.#commands += 1;
    const transaction = this.#transactions.begin(this.#state.now);
    closeOrder(transaction, this.#openOrder(key), "cancelled");
    this.#transactions.end(transaction);
    this.#recorder.take();
  }

  get nextDeadline(): number {
    return nextDeadline(this.#state) ?? Infinity;
  }

  processDeadline(): MarketFacts {
    this.#transactions.end(this.#transactions.begin(this.nextDeadline));
    return this.#recorder.take();
  }

  /** Nothing that it tells has a time. */
  moveTo(): void {}

  get #state() {
    return this.#transactions.state;
  }

  #openOrder(key: number): Order {
    return required(this.#state.openOrders.get(key), `open order ${key}`);
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
