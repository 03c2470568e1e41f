// One call of the engine while it is carried out: what it changes, publishes and records.
//
// Handlers change the engine's state and say which modules changed; their data is read once, at the end, so that each
// module is sent at most once, with its final value. Events are numbered in the order in which they are published. The
// end adds, for each book that changed, one change.book, and the entities whose credit status became another.

import type { AnyModuleData, ModuleData, ModuleType } from "../../../protocol/modules/registry.ts";
import type { AuditEvent, EventData, EventMessage, EventType, StateMessage } from "../../../protocol/index.ts";
import { type AuditEntry, auditEvent } from "./order-audit.ts";
import {
  type ContractState,
  type EngineState,
  type EntityState,
  type MarketState,
  type Order,
  pairNotes,
  type UserState,
} from "../state/engine-state.ts";
import type { Execution, RequestTrace } from "../api/market-engine.ts";
import {
  contractModule,
  creditId,
  creditModule,
  engineModule,
  entityModule,
  isoTime,
  marketModule,
  orderModule,
  PUBLISHED_TYPES,
  queueModule,
  statePath,
  userModule,
} from "../modules/snapshot.ts";
import { forgetOldest } from "./retention.ts";

export class Transaction {
  readonly now: number;
  readonly time: string;
  /** The user whose command it is; null for what the clock or a connection brings about. */
  actor: string | null = null;
  readonly #changes = new Map<ModuleType, Map<string, () => AnyModuleData | null>>();
  readonly #changedBooks = new Set<ContractState>();
  readonly #changedCredit = new Set<EntityState>();
  readonly #events: EventMessage[] = [];
  readonly #audit: AuditEvent[] = [];

  constructor(readonly state: EngineState) {
    this.now = state.now;
    this.time = isoTime(state.now);
  }

  marketChanged(market: MarketState): void {
    this.#changed("MARKET", market.definition.id, () => marketModule(market, this.now));
  }

  contractChanged(contract: ContractState): void {
    this.#changed("CONTRACT", contract.id, () => contractModule(contract));
  }

  userChanged(user: UserState): void {
    this.#changed("USER", user.id, () => userModule(user));
  }

  /** The orders of a contract's book. */
  bookChanged(contract: ContractState): void {
    contract.bookUpdatedAt = this.now;
    this.#changedBooks.add(contract);
    this.#engineChanged(contract);
  }

  /** The held orders of a contract. */
  queueChanged(contract: ContractState): void {
    contract.queueUpdatedAt = this.now;
    this.#changed("QUEUE", contract.queueId, () => queueModule(contract));
    this.#engineChanged(contract);
  }

  orderChanged(order: Order): void {
    order.updatedAt = this.now;
    this.#changed("ORDER", order.id, () => orderModule(order));
  }

  /** An entity's limits or notes for a counterparty, which the counterparty's module does not show. */
  ownCreditChanged(entity: EntityState, counterparty: EntityState): void {
    this.#creditChanged(entity, counterparty);
  }

  /** Documents or usage between two entities, which the modules of both show. */
  pairCreditChanged(entity: EntityState, counterparty: EntityState): void {
    this.#creditChanged(entity, counterparty);
    this.#creditChanged(counterparty, entity);
  }

  tradeAdded(trade: ModuleData<"TRADE">): void {
    this.state.trades.set(trade.id, trade);
    this.#changed("TRADE", trade.id, () => trade);
  }

  fillAdded(fill: ModuleData<"FILL">): void {
    this.state.fills.set(fill.id, fill);
    this.#changed("FILL", fill.id, () => fill);
  }

  /** A contract that is new, with its book and its queue. */
  contractListed(contract: ContractState): void {
    this.contractChanged(contract);
    this.#engineChanged(contract);
    this.#changed("QUEUE", contract.queueId, () => queueModule(contract));
  }

  /** A contract that has left the market. */
  contractRemoved(contract: ContractState): void {
    this.#changedBooks.delete(contract);
    this.removed("QUEUE", contract.queueId);
    this.removed("ENGINE", contract.engineId);
    this.removed("CONTRACT", contract.id);
  }

  removed(type: "CONTRACT" | "ENGINE" | "QUEUE" | "ORDER" | "FILL" | "TRADE", id: string): void {
    const changes = this.#changesOf(type);
    changes.delete(id);
    changes.set(id, () => null);
  }

  publish<Type extends EventType>(type: Type, data: EventData<Type>): void {
    this.state.sequence += 1;
    this.#events.push({
      kind: "event",
      sequence: this.state.sequence,
      type,
      time: this.time,
      data: data as Record<string, unknown>,
    });
  }

  record(entry: AuditEntry): void {
    this.#audit.push(auditEvent(this.state, this.actor, entry));
  }

  /** Events published and audit events recorded so far. */
  get told(): { readonly events: number; readonly audited: number } {
    return { events: this.#events.length, audited: this.#audit.length };
  }

  /** Leaves out numbers that were given before a restart to events that can't be made again. */
  skipEvents(count: number): void {
    this.state.sequence += count;
  }

  /** Ends it. */
  execution(response: Execution["response"], trace: RequestTrace | null = null): Execution {
    this.#settleCreditStatus();
    forgetOldest(this);
    for (const contract of this.#changedBooks) this.#publishBook(contract);
    return { states: this.#states(), events: this.#events, audit: this.#audit, response, trace };
  }

  #creditChanged(entity: EntityState, counterparty: EntityState): void {
    pairNotes(this.state, entity, counterparty).updatedAt = this.now;
    this.#changed("CREDIT", creditId(entity, counterparty), () => creditModule(this.state, entity, counterparty));
    this.#changedCredit.add(entity);
  }

  #engineChanged(contract: ContractState): void {
    this.#changed("ENGINE", contract.engineId, () => engineModule(contract));
  }

  #changed(type: ModuleType, id: string, project: () => AnyModuleData): void {
    const changes = this.#changesOf(type);
    if (!changes.has(id)) changes.set(id, project);
  }

  #changesOf(type: ModuleType): Map<string, () => AnyModuleData | null> {
    let changes = this.#changes.get(type);
    if (changes === undefined) this.#changes.set(type, changes = new Map());
    return changes;
  }

  #settleCreditStatus(): void {
    for (const entity of this.#changedCredit) {
      const creditStatus = this.state.ledger.creditStatus(entity.party);
      if (creditStatus === entity.creditStatus) continue;
      entity.creditStatus = creditStatus;
      this.#changed("ENTITY", entity.definition.id, () => entityModule(entity));
    }
  }

  #publishBook(contract: ContractState): void {
    const { id: engineId, contractId, productCode, bids, asks, lastPrice, totalWorkingOrders } = engineModule(contract);
    this.publish("change.book", { contractId, productCode, engineId, bids, asks, lastPrice, totalWorkingOrders });
  }

  #states(): StateMessage[] {
    return PUBLISHED_TYPES.flatMap((type) =>
      [...this.#changes.get(type) ?? []].map(([id, project]) => ({ statePath: statePath(type, id), state: project() }))
    );
  }
}
