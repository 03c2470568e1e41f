// One call of the engine. Everything that the call publishes and records goes through its transaction: changed modules,
// events, and audit events. One object serves all calls of an engine, one after the other.
//
// Handlers change the engine's state and name the modules that changed. The modules are read at the end, so each is sent at
// most once, with its final value. Events are numbered in the order in which they are published. The end adds a change.book
// for each book that changed, and the entities whose credit status changed.
//
// What is sent and recorded is made by a recorder, if there is one. The numbers of events and audit events don't depend on it.

import type { ModuleType } from "../../protocol/modules/registry.ts";
import type { AuditEventName, EventData } from "../../protocol/index.ts";
import type { Execution, RequestTrace } from "../api/market-engine.ts";
import { isoTime } from "../../common/iso-time.ts";
import { type EngineState, type PairState, pairState } from "../state/engine-state.ts";
import { fillKeyOf } from "../state/fills.ts";
import { fillIdOf, tradeIdOf } from "../state/ids.ts";
import { type ContractState, type MarketState, NO_TEXT, type Order, type Trade } from "../state/market-state.ts";
import type { EntityState, UserState } from "../state/party-state.ts";
import { required } from "../state/required.ts";
import type { Changes } from "./changes.ts";
import type {
  AuditSubject,
  Call,
  OrderAuditEvent,
  OrderDetails,
  OrderEvent,
  OtherEvent,
  Recorder,
} from "./recorder.ts";

const NO_ORDERS: readonly number[] = [];

export class Transaction implements Call {
  now = NaN;
  actor: string | null = null;
  #closedOrders: readonly number[] = NO_ORDERS;

  /** `changes` are empty. `recorder` null: nobody listens. */
  constructor(
    readonly state: EngineState,
    private readonly changes: Changes,
    private readonly recorder: Recorder | null,
  ) {}

  /** Begins the next call, at the time of the last one. */
  begin(): void {
    this.now = this.state.now;
    this.actor = null;
    this.#closedOrders = NO_ORDERS;
    this.changes.begin(this.state);
    this.recorder?.begin(this);
  }

  /** Moves the call and the state on to a later market time. */
  moveTo(time: number): void {
    this.state.now = time;
    this.now = time;
  }

  get time(): string {
    return isoTime(this.now);
  }

  marketChanged(market: MarketState): void {
    this.changes.markets.add(market);
  }

  /** The contract is new. */
  contractListed(contract: ContractState): void {
    this.changes.listed.add(contract);
    this.queueChanged(contract);
  }

  userChanged(user: UserState): void {
    this.changes.users.add(user);
  }

  bookChanged(contract: ContractState): void {
    contract.bookUpdatedAt = this.now;
    this.changes.addBook(contract);
  }

  /** The contract's held orders have changed. */
  queueChanged(contract: ContractState): void {
    contract.queueUpdatedAt = this.now;
    this.changes.addQueue(contract);
  }

  orderChanged(order: Order): void {
    order.updatedAt = this.now;
    order.textStart = NO_TEXT;
    this.changes.addOrder(order);
  }

  /**
   * The entity's limits or notes for the counterparty have changed in the ledger. The counterparty's module does not show
   * them, but it changes too if the two may now trade, or no longer may.
   */
  ownCreditChanged(entity: EntityState, counterparty: EntityState): void {
    const [own, other] = [pairState(this.state, entity, counterparty), pairState(this.state, counterparty, entity)];
    const isOtherChanged = this.#updateTradable(own, other);
    this.#creditModuleChanged(own);
    if (isOtherChanged) this.#creditModuleChanged(other);
  }

  /** Documentation or usage between two entities has changed in the ledger; the modules of both show it. */
  pairCreditChanged(entity: EntityState, counterparty: EntityState): void {
    const [one, other] = [pairState(this.state, entity, counterparty), pairState(this.state, counterparty, entity)];
    this.#updateTradable(one, other);
    this.#creditModuleChanged(one);
    this.#creditModuleChanged(other);
  }

  /** The ledger has another list of contracts, so other pairs may trade and other entities have credit. */
  listedContractsChanged(): void {
    const { ledger, parties } = this.state;
    for (const [party, counterparty] of ledger.unsettledPairs()) {
      const [entity, other] = [required(parties[party], "entity"), required(parties[counterparty], "entity")];
      const [one, two] = [pairState(this.state, entity, other), pairState(this.state, other, entity)];
      if (!this.#updateTradable(one, two)) continue;
      this.#creditModuleChanged(one);
      this.#creditModuleChanged(two);
    }
    for (const entity of parties) this.changes.addCredit(entity);
  }

  contractRemoved(contract: ContractState): void {
    this.changes.dropContract(contract);
    this.recorder?.removal("CONTRACT", contract.id);
    this.recorder?.removal("ENGINE", contract.bookId);
    this.recorder?.removal("QUEUE", contract.queueId);
  }

  /** An open order has been filled or cancelled. */
  orderClosed({ key }: Order): void {
    if (this.#closedOrders === NO_ORDERS) this.#closedOrders = [key];
    else (this.#closedOrders as number[]).push(key);
  }

  /**
   * An order and its fills are no longer kept. If nobody listens, they are not read: they are old, and so far from the
   * processor.
   */
  orderForgotten(order: Order): void {
    if (this.recorder === null) return;
    this.recorder.removal("ORDER", order.id);
    for (const trade of order.trades) this.fillRemoved(fillKeyOf(trade, order));
  }

  fillRemoved(key: number): void {
    this.recorder?.removal("FILL", fillIdOf(key));
  }

  tradeForgotten(trade: Trade): void {
    this.recorder?.removal("TRADE", tradeIdOf(trade.key));
  }

  /** Publishes an order as it is now. */
  publishOrder(type: OrderEvent, order: Order): void {
    this.state.sequence += 1;
    this.recorder?.orderEvent(type, order);
  }

  /** Publishes a new trade. */
  publishTrade(trade: Trade, buy: Order, sell: Order): void {
    this.state.sequence += 1;
    this.recorder?.tradeEvent(trade, buy, sell);
  }

  /** Publishes the fill that a trade is to one of its orders. */
  publishFill(trade: Trade, order: Order): void {
    this.state.sequence += 1;
    this.recorder?.fillEvent(trade, order);
  }

  publish<Type extends OtherEvent>(type: Type, data: EventData<Type>): void {
    this.state.sequence += 1;
    this.recorder?.event(type, data);
  }

  /** Adds an audit event. */
  record(
    event: AuditEventName,
    moduleType: ModuleType | "SYSTEM",
    moduleId: string,
    details: Readonly<Record<string, unknown>>,
    subject: AuditSubject = {},
  ): void {
    this.state.counters.audit += 1;
    this.recorder?.audit(event, moduleType, moduleId, details, subject);
  }

  /** Adds an audit event of an order, with the order's terms as they are now. */
  recordOrder(event: OrderAuditEvent, order: Order, details: OrderDetails): void {
    this.state.counters.audit += 1;
    this.recorder?.orderAudit(event, order, details);
  }

  /** Adds the audit event of a fill. */
  recordFill(trade: Trade, order: Order): void {
    this.state.counters.audit += 1;
    this.recorder?.fillAudit(trade, order);
  }

  /** Ends the transaction. */
  execution(response: Execution["response"], trace: RequestTrace | null): Execution {
    const { changes, recorder } = this;
    for (const entity of changes.credit) this.#updateCreditStatus(entity);
    for (const contract of changes.books) {
      // The time of the event, which may be later than the change (schedule-changes.ts).
      contract.bookUpdatedAt = this.now;
      this.state.sequence += 1;
      recorder?.bookEvent(contract);
    }
    const { messages, audit } = recorder === null ? NOTHING : recorder.end(changes);
    changes.end();
    return { messages, audit, closedOrders: this.#closedOrders, response, trace };
  }

  #creditModuleChanged(pair: PairState): void {
    pair.updatedAt = this.now;
    this.changes.addPair(pair);
    // Two that may trade both have credit, so most trades need no look at any other pair.
    if (!pair.tradable || pair.entity.creditStatus !== "ok") this.changes.addCredit(pair.entity);
  }

  /** Returns whether `tradable` of two entities has changed. */
  #updateTradable(one: PairState, other: PairState): boolean {
    const tradable = this.state.ledger.mayTrade(one.entity.party, one.counterparty.party);
    if (tradable === one.tradable) return false;
    one.tradable = tradable;
    other.tradable = tradable;
    return true;
  }

  #updateCreditStatus(entity: EntityState): void {
    const creditStatus = this.state.ledger.creditStatus(entity.party);
    if (creditStatus === entity.creditStatus) return;
    entity.creditStatus = creditStatus;
    this.changes.entities.push(entity);
  }
}

const NOTHING: Pick<Execution, "messages" | "audit"> = { messages: [], audit: "" };
