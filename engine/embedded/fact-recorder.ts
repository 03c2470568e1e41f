// Notes what happens in a transaction, as far as traders are told of it: trades, orders that expire, and contracts that are
// listed, go to delivery, or are removed. Beside others' requests, also orders that come and go.

import { BUY } from "../market/order-book.ts";
import type { Order, Trade } from "../state/market-state.ts";
import type { OrderEvent, OtherEvent, Recorder } from "../transaction/recorder.ts";
import type { ReadonlyOrder } from "./read-only.ts";

export interface TradeFact {
  readonly resting: ReadonlyOrder;
  readonly aggressor: ReadonlyOrder;
  /** Cents/MWh. */
  readonly price: number;
  /** kW. */
  readonly quantity: number;
}

interface ContractChange {
  readonly kind: "listed" | "expired" | "removed";
  readonly contractId: string;
}

/** What has happened, each list in its order. */
export interface MarketFacts {
  readonly trades: readonly TradeFact[];
  /** Orders closed because their contract went to delivery. */
  readonly expired: readonly ReadonlyOrder[];
  readonly changes: readonly ContractChange[];
}

/** What has happened, each list in its order. */
export interface EngineFacts extends MarketFacts {
  /** Orders that were accepted, changed, or released to their book. Some may have traded and be filled. */
  readonly placed: readonly ReadonlyOrder[];
  /** Orders that ended unfilled before their delivery. */
  readonly cancelled: readonly ReadonlyOrder[];
}

const PLACING: ReadonlySet<OrderEvent> = new Set(["new.order", "change.order", "release.order"]);
const NO_MESSAGES = { messages: [], audit: "" };

export class FactRecorder implements Recorder {
  #trades: TradeFact[] = [];
  #expired: ReadonlyOrder[] = [];
  #changes: ContractChange[] = [];

  /** What was noted since the last call. */
  take(): MarketFacts {
    const facts = { trades: this.#trades, expired: this.#expired, changes: this.#changes };
    if (this.#trades.length > 0) this.#trades = [];
    if (this.#expired.length > 0) this.#expired = [];
    if (this.#changes.length > 0) this.#changes = [];
    return facts;
  }

  tradeEvent({ price, quantity, aggressorSide }: Trade, buy: Order, sell: Order): void {
    const [resting, aggressor] = aggressorSide === BUY ? [sell, buy] : [buy, sell];
    this.#trades.push({ resting, aggressor, price, quantity });
  }

  orderEvent(type: OrderEvent, order: Order): void {
    if (type === "expire.order") this.#expired.push(order);
  }

  event(type: OtherEvent, data: Readonly<Record<string, unknown>>): void {
    if (type === "new.contract") this.#changes.push({ kind: "listed", contractId: String(data["id"]) });
    if (type === "change.contract") this.#changes.push({ kind: "expired", contractId: String(data["id"]) });
    if (type === "remove.contract") this.#changes.push({ kind: "removed", contractId: String(data["contractId"]) });
  }

  end(): typeof NO_MESSAGES {
    return NO_MESSAGES;
  }

  begin(): void {}
  fillEvent(): void {}
  bookEvent(): void {}
  orderAudit(): void {}
  fillAudit(): void {}
  audit(): void {}
  removal(): void {}
}

export class EngineFactRecorder extends FactRecorder {
  #placed: ReadonlyOrder[] = [];
  #cancelled: ReadonlyOrder[] = [];

  /** What was noted since the last call. */
  override take(): EngineFacts {
    const facts = { ...super.take(), placed: this.#placed, cancelled: this.#cancelled };
    if (this.#placed.length > 0) this.#placed = [];
    if (this.#cancelled.length > 0) this.#cancelled = [];
    return facts;
  }

  override orderEvent(type: OrderEvent, order: Order): void {
    super.orderEvent(type, order);
    if (PLACING.has(type)) this.#placed.push(order);
    if (type === "cancel.order") this.#cancelled.push(order);
  }
}
