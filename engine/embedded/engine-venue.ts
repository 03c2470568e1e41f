// The market of an embedded engine, for traders in its process. Their commands are requests like those of any client: the
// engine checks permissions, credit and limits, and publishes and records what they do.

import type { Side } from "../market/order-book.ts";
import { megawattsOf } from "../market/units.ts";
import { isMatching } from "../state/market-state.ts";
import { required } from "../state/required.ts";
import type { Rejection } from "../api/outcome.ts";
import type { EmbeddedEngine } from "./embedded-engine.ts";
import type { MarketFacts } from "./fact-recorder.ts";
import type { ReadonlyContract, ReadonlyOrder } from "./read-only.ts";
import { type Acceptance, NOT_OPEN, type Venue } from "./venue.ts";

export class EngineVenue implements Venue {
  readonly #engine: EmbeddedEngine;
  readonly #idPrefix: string;
  #commands = 0;

  /** `idPrefix`: what the operation ids of its requests begin with, and nobody else's do. */
  constructor(engine: EmbeddedEngine, idPrefix: string) {
    this.#engine = engine;
    this.#idPrefix = idPrefix;
  }

  get contracts(): Iterable<ReadonlyContract> {
    return this.#engine.state.contracts.values();
  }

  contract(id: string): ReadonlyContract {
    return required(this.#engine.state.contracts.get(id), `contract ${id}`);
  }

  get commands(): number {
    return this.#commands;
  }

  get openOrders(): number {
    return this.#engine.state.openOrders.size;
  }

  isOpen(contract: ReadonlyContract): boolean {
    return isMatching(contract);
  }

  isCreditExhausted(entityId: string): boolean {
    const { entities, ledger } = this.#engine.state;
    return ledger.creditStatus(required(entities.get(entityId), `entity ${entityId}`).party) === "exhausted";
  }

  order(key: number): ReadonlyOrder | undefined {
    return this.#engine.state.openOrders.get(key);
  }

  submit(userId: string, contract: ReadonlyContract, side: Side, price: number, quantity: number): Acceptance {
    if (!contract.expired && !isMatching(contract)) return NOT_OPEN;
    const terms = { contractId: contract.id, side, price, quantity: megawattsOf(quantity), timeInForce: "gtc" };
    return this.#request(userId, "order.submit", terms);
  }

  modify({ id, userId, contract }: ReadonlyOrder, price: number, quantity: number): Acceptance {
    if (!isMatching(contract)) return NOT_OPEN;
    return this.#request(userId, "order.modify", { orderId: id, price, quantity: megawattsOf(quantity) });
  }

  cancel({ id, userId }: ReadonlyOrder): void {
    this.#request(userId, "order.cancel", { orderId: id });
  }

  get nextDeadline(): number {
    return this.#engine.nextDeadline;
  }

  processDeadline(): MarketFacts {
    this.#engine.advanceTo(this.nextDeadline);
    return this.#engine.takeFacts();
  }

  moveTo(time: number): void {
    this.#engine.moveTo(time);
  }

  #request(userId: string, action: string, payload: unknown): Acceptance {
    this.#commands += 1;
    const operationId = `${this.#idPrefix}${this.#commands}`;
    const { response } = this.#engine.executeUnread({ userId, operationId, action, payload });
    const { placed, cancelled, trades } = this.#engine.takeFacts();
    if (response?.status !== "ok") {
      return { accepted: false, code: (response?.code ?? "internal") as Rejection["code"] };
    }
    return { accepted: true, order: required(placed[0] ?? cancelled[0], `the order of ${operationId}`), trades };
  }
}
