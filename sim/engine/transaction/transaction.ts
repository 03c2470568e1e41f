// One call of the engine. Everything that the call publishes and records goes through its transaction: changed modules,
// events, and audit events.
//
// Handlers change the engine's state and name the modules that changed. The modules are read at the end, so each is sent at
// most once, with its final value. Events are numbered in the order in which they are published. The end adds a change.book
// for each book that changed, and the entities whose credit status changed.

import type { ModuleData, ModuleType } from "../../../protocol/modules/registry.ts";
import type { AuditEventName, EventData, EventType } from "../../../protocol/index.ts";
import type { Execution, RequestTrace } from "../api/market-engine.ts";
import type { PublishedEvent, RecordedEvent } from "../api/messages.ts";
import { audienceOfEvent } from "../api/visibility.ts";
import { creditId, creditModule, entityModule, userModule } from "../modules/credit-modules.ts";
import { isoTime } from "../modules/iso-time.ts";
import { contractModule, engineModule, marketModule, queueModule } from "../modules/market-modules.ts";
import { orderModule } from "../modules/order-modules.ts";
import { type EngineState, pairState } from "../state/engine-state.ts";
import type { ContractState, EntityState, MarketState, Order, UserState } from "../state/market-state.ts";
import { ChangedModules } from "./changed-modules.ts";

/** The entity and the order that an audit event is about, if any. */
interface AuditSubject {
  readonly entityId?: string | null;
  readonly orderId?: string;
}

export class Transaction {
  readonly now: number;
  /** `now` in ISO format. */
  readonly time: string;
  /** The user whose request it is; null if the schedule or a connection causes the call. */
  actor: string | null = null;
  readonly #modules = new ChangedModules();
  readonly #changedBooks = new Set<ContractState>();
  /** Entities whose credit status may have changed. */
  readonly #changedCredit = new Set<EntityState>();
  readonly #events: PublishedEvent[] = [];
  readonly #audit: RecordedEvent[] = [];
  readonly #closedOrders: string[] = [];

  constructor(readonly state: EngineState) {
    this.now = state.now;
    this.time = isoTime(state.now);
  }

  marketChanged(market: MarketState): void {
    this.#modules.change("MARKET", market.definition.id, () => marketModule(market, this.now));
  }

  contractChanged(contract: ContractState): void {
    this.#modules.change("CONTRACT", contract.id, () => contractModule(contract));
  }

  userChanged(user: UserState): void {
    this.#modules.change("USER", user.id, () => userModule(user));
  }

  bookChanged(contract: ContractState): void {
    contract.bookUpdatedAt = this.now;
    this.#changedBooks.add(contract);
    this.#engineChanged(contract);
  }

  /** The contract's held orders have changed. */
  queueChanged(contract: ContractState): void {
    contract.queueUpdatedAt = this.now;
    this.#modules.change("QUEUE", contract.queueId, () => queueModule(contract));
    this.#engineChanged(contract);
  }

  orderChanged(order: Order): void {
    order.updatedAt = this.now;
    this.#modules.change("ORDER", order.id, () => orderModule(order));
  }

  /**
   * The entity's limits or notes for the counterparty have changed in the ledger. The counterparty's module does not show
   * them, but it changes too if the two may now trade, or no longer may.
   */
  ownCreditChanged(entity: EntityState, counterparty: EntityState): void {
    this.#creditModuleChanged(entity, counterparty);
    if (this.#updateTradable(entity, counterparty)) this.#creditModuleChanged(counterparty, entity);
  }

  /** Documentation or usage between two entities has changed in the ledger; the modules of both show it. */
  pairCreditChanged(entity: EntityState, counterparty: EntityState): void {
    this.#creditModuleChanged(entity, counterparty);
    this.#creditModuleChanged(counterparty, entity);
    this.#updateTradable(entity, counterparty);
  }

  addTrade(trade: ModuleData<"TRADE">): void {
    this.state.trades.push(trade);
    this.#modules.change("TRADE", trade.id, () => trade);
  }

  addFill(order: Order, fill: ModuleData<"FILL">): void {
    order.fillIds.push(fill.id);
    this.state.fills.set(fill.id, fill);
    this.#modules.change("FILL", fill.id, () => fill);
  }

  contractRemoved(contract: ContractState): void {
    this.#changedBooks.delete(contract);
    this.#modules.remove("QUEUE", contract.queueId);
    this.#modules.remove("ENGINE", contract.engineId);
    this.#modules.remove("CONTRACT", contract.id);
  }

  /** An open order has been filled or cancelled. */
  orderClosed({ id }: Order): void {
    this.#closedOrders.push(id);
  }

  removed(type: "ORDER" | "FILL" | "TRADE", id: string): void {
    this.#modules.remove(type, id);
  }

  publish<Type extends EventType>(type: Type, data: EventData<Type>): void {
    this.state.sequence += 1;
    const { sequence } = this.state;
    const text = JSON.stringify({ kind: "event", sequence, type, time: this.time, data });
    this.#events.push({ kind: "event", sequence, text, audience: audienceOfEvent(type, data) });
  }

  /** Adds an audit event. Ids sort by age, also across restarts of an engine that keeps nothing. */
  record(
    event: AuditEventName,
    moduleType: ModuleType | "SYSTEM",
    moduleId: string,
    details: Record<string, unknown>,
    { entityId = null, orderId }: AuditSubject = {},
  ): void {
    this.#audit.push({
      epoch: this.state.epoch,
      position: ++this.state.counters.audit,
      time: this.now,
      event,
      moduleType,
      moduleId,
      userId: this.actor,
      entityId,
      orderId: orderId ?? null,
      details: JSON.stringify(details),
    });
  }

  /** How many events it has published and how many audit events it has recorded so far. */
  get counts(): { readonly events: number; readonly audited: number } {
    return { events: this.#events.length, audited: this.#audit.length };
  }

  /** Ends the transaction. */
  execution(response: Execution["response"], trace: RequestTrace | null): Execution {
    for (const entity of this.#changedCredit) this.#updateCreditStatus(entity);
    for (const contract of this.#changedBooks) this.#publishBook(contract);
    const { states, removals } = this.#modules.published();
    const messages = [...states, ...this.#events, ...removals];
    return { messages, audit: this.#audit, closedOrders: this.#closedOrders, response, trace };
  }

  #engineChanged(contract: ContractState): void {
    this.#modules.change("ENGINE", contract.engineId, () => engineModule(contract));
  }

  #creditModuleChanged(entity: EntityState, counterparty: EntityState): void {
    pairState(this.state, entity, counterparty).updatedAt = this.now;
    const id = creditId(entity, counterparty);
    this.#modules.change("CREDIT", id, () => creditModule(this.state, entity, counterparty));
    this.#changedCredit.add(entity);
  }

  /** Returns whether `tradable` of two entities has changed. */
  #updateTradable(entity: EntityState, counterparty: EntityState): boolean {
    const pair = pairState(this.state, entity, counterparty);
    const tradable = this.state.ledger.mayTrade(entity.party, counterparty.party);
    if (tradable === pair.tradable) return false;
    pair.tradable = tradable;
    pairState(this.state, counterparty, entity).tradable = tradable;
    return true;
  }

  #updateCreditStatus(entity: EntityState): void {
    const creditStatus = this.state.ledger.creditStatus(entity.party);
    if (creditStatus === entity.creditStatus) return;
    entity.creditStatus = creditStatus;
    this.#modules.change("ENTITY", entity.definition.id, () => entityModule(entity));
  }

  #publishBook(contract: ContractState): void {
    const { id: engineId, contractId, productCode, bids, asks, lastPrice, totalWorkingOrders } = engineModule(contract);
    this.publish("change.book", { contractId, productCode, engineId, bids, asks, lastPrice, totalWorkingOrders });
  }
}
