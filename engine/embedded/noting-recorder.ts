// Makes the messages and audit events of an engine, and notes beside them what traders in its process are told.

import type { EventData } from "../../protocol/index.ts";
import type { Order, Trade } from "../state/market-state.ts";
import { MessageRecorder } from "../transaction/message-recorder.ts";
import type { OrderEvent, OtherEvent } from "../transaction/recorder.ts";
import { FactRecorder, type MarketFacts } from "./fact-recorder.ts";
import type { ReadonlyOrder } from "./read-only.ts";

/** What has happened, each list in its order. */
export interface EngineFacts extends MarketFacts {
  /** Orders that were accepted, changed, or released to their book. Some may have traded and be filled. */
  readonly placed: readonly ReadonlyOrder[];
  /** Orders that ended unfilled before their delivery. */
  readonly cancelled: readonly ReadonlyOrder[];
}

const PLACING: ReadonlySet<OrderEvent> = new Set(["new.order", "change.order", "release.order"]);

export class NotingRecorder extends MessageRecorder {
  readonly #facts = new FactRecorder();
  #placed: ReadonlyOrder[] = [];
  #cancelled: ReadonlyOrder[] = [];

  /** What was noted since the last call. */
  take(): EngineFacts {
    const facts = { ...this.#facts.take(), placed: this.#placed, cancelled: this.#cancelled };
    if (this.#placed.length > 0) this.#placed = [];
    if (this.#cancelled.length > 0) this.#cancelled = [];
    return facts;
  }

  override tradeEvent(trade: Trade, buy: Order, sell: Order): void {
    super.tradeEvent(trade, buy, sell);
    this.#facts.tradeEvent(trade, buy, sell);
  }

  override orderEvent(type: OrderEvent, order: Order): void {
    super.orderEvent(type, order);
    this.#facts.orderEvent(type, order);
    if (PLACING.has(type)) this.#placed.push(order);
    if (type === "cancel.order") this.#cancelled.push(order);
  }

  override event<Type extends OtherEvent>(type: Type, data: EventData<Type>): void {
    super.event(type, data);
    this.#facts.event(type, data as Readonly<Record<string, unknown>>);
  }
}
