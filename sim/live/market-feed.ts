// The market as all personas of a process see it, from one connection of a user who may see all of it: listed contracts,
// books, open markets, exhausted credit, and market updates as they happen.
//
// While that connection is down the view is not current, and no persona acts on it.

import type { EngineListener } from "../../protocol/client/engine-client-options.ts";
import { type LinkEnd, reasonOf } from "../../protocol/client/engine-link.ts";
import type { ReceivedMessage } from "../../protocol/client/frame-reader.ts";
import type { BookOf } from "../../protocol/client/module-reduction.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import type { EventMessage, EventType, StateMessage } from "../../protocol/index.ts";
import type { ContractBook } from "../personas/persona.ts";
import type { TradedContract } from "../personas/traded-contract.ts";
import { moduleChange } from "./module-state.ts";
import { marketUpdatesIn, type SeenUpdate } from "./market-updates.ts";

interface FeedListener {
  /** A public quote or trade; `book` is from before it. */
  marketUpdate(update: SeenUpdate, book: ContractBook): void;
  /** A contract is listed. */
  listed(contract: ModuleData<"CONTRACT">): void;
  /** Delivery of a contract has begun. */
  expired(contractId: string): void;
  /** A contract has left the market. */
  removed(contractId: string): void;
  /** An order of anybody is new or has changed. */
  orderChanged(order: ModuleData<"ORDER">): void;
  /** An order is gone. */
  orderRemoved(orderId: string): void;
  /** All orders are about to be shown again. */
  ordersForgotten(): void;
  /** Market time passes at another speed, or has been moved to `time`. */
  clockChanged(time: number): void;
  /** The view is current, for the first time or again. */
  current(): void;
  /** The engine refuses the watching user for good. */
  refused(reason: string): void;
}

const CLOCK: EventType = "change.clock";
const NO_BOOK: ContractBook = { bestBid: null, bestAsk: null, lastPrice: null };

export class MarketFeed implements EngineListener {
  readonly #books = new Map<string, ModuleData<"ENGINE">>();
  /** The ids of the books, by contract id. */
  readonly #bookIds = new Map<string, string>();
  /** By market id. */
  readonly #isMarketOpen = new Map<string, boolean>();
  readonly #listedContracts = new Set<string>();
  /** Contracts in delivery. */
  readonly #expiredContracts = new Set<string>();
  /** Contracts known before a reconnect that the new snapshot has not shown yet. */
  #unseenContracts = new Set<string>();
  readonly #creditStatus = new Map<string, ModuleData<"ENTITY">["creditStatus"]>();
  /** The books that the current frame has changed, as they were before it. */
  readonly #booksBefore = new Map<string, ContractBook>();
  #isCurrent = false;
  #changes = 0;

  constructor(private readonly listener: FeedListener) {}

  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  /** Number of changes of modules that it has read. */
  get changes(): number {
    return this.#changes;
  }

  readonly bookOf: BookOf = (bookId) => this.#books.get(bookId);

  book(contractId: string): ContractBook {
    const bookId = this.#bookIds.get(contractId);
    return bookId === undefined ? NO_BOOK : this.#books.get(bookId) ?? NO_BOOK;
  }

  /** Whether an order would be matched at once. */
  isOpen({ id, marketId }: TradedContract): boolean {
    return this.#isCurrent && this.#listedContracts.has(id) && this.#isMarketOpen.get(marketId) === true;
  }

  /** Whether none of the entity's credit limits leaves available credit, so nobody may trade with it. */
  isCreditExhausted(entityId: string): boolean {
    return this.#creditStatus.get(entityId) !== "ok";
  }

  welcomed(): void {
    this.#books.clear();
    this.#bookIds.clear();
    this.#isMarketOpen.clear();
    this.#unseenContracts = new Set([...this.#unseenContracts, ...this.#listedContracts, ...this.#expiredContracts]);
    this.#creditStatus.clear();
    this.listener.ordersForgotten();
  }

  state(message: StateMessage): void {
    this.#changes += 1;
    const change = moduleChange(message);
    if (change === null) return;
    const { type, data } = change;
    if (data === null) {
      if (type === "CONTRACT") this.#contractRemoved(change.id);
      else if (type === "ENGINE") this.#books.delete(change.id);
      else if (type === "ORDER") this.listener.orderRemoved(change.id);
    } else if (type === "ENGINE") this.#bookChanged(data);
    else if (type === "MARKET") this.#isMarketOpen.set(data.id, data.status === "open");
    else if (type === "ENTITY") this.#creditStatus.set(data.id, data.creditStatus);
    else if (type === "CONTRACT") this.#contractChanged(data);
    else if (type === "ORDER") this.listener.orderChanged(data);
  }

  synchronized(): void {
    for (const id of this.#unseenContracts) this.#contractRemoved(id);
    this.#unseenContracts.clear();
    this.#booksBefore.clear();
    this.#isCurrent = true;
    this.listener.current();
  }

  frame(messages: readonly ReceivedMessage[]): void {
    for (const update of marketUpdatesIn(messages)) {
      this.listener.marketUpdate(update, this.#booksBefore.get(update.contractId) ?? this.book(update.contractId));
    }
    this.#booksBefore.clear();
    const change = messages.findLast((message) =>
      "kind" in message && message.kind === "event" && message.type === CLOCK
    );
    if (change !== undefined) this.listener.clockChanged(Date.parse((change as EventMessage).time));
  }

  ended(end: LinkEnd, willRetry: boolean): void {
    this.#isCurrent = false;
    if (!willRetry) this.listener.refused(reasonOf(end));
  }

  #contractChanged(contract: ModuleData<"CONTRACT">): void {
    const { id, status } = contract;
    this.#unseenContracts.delete(id);
    if (status === "listed") {
      if (this.#listedContracts.has(id)) return;
      this.#listedContracts.add(id);
      this.listener.listed(contract);
    } else if (!this.#expiredContracts.has(id)) {
      this.#listedContracts.delete(id);
      this.#expiredContracts.add(id);
      this.listener.expired(id);
    }
  }

  #contractRemoved(id: string): void {
    this.#bookIds.delete(id);
    this.#listedContracts.delete(id);
    this.#expiredContracts.delete(id);
    this.listener.removed(id);
  }

  #bookChanged(book: ModuleData<"ENGINE">): void {
    const { id, contractId } = book;
    if (this.#isCurrent && !this.#booksBefore.has(contractId)) this.#booksBefore.set(contractId, this.book(contractId));
    this.#books.set(id, book);
    this.#bookIds.set(contractId, id);
  }
}
