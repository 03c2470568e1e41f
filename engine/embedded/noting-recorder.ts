// Makes the messages and audit events of an engine, and notes beside them what traders in its process are told.

import type { EventData } from "../../protocol/index.ts";
import type { Order, Trade } from "../state/market-state.ts";
import { MessageRecorder } from "../transaction/message-recorder.ts";
import type { OrderEvent, OtherEvent } from "../transaction/recorder.ts";
import type { FactRecorder } from "./fact-recorder.ts";

export class NotingRecorder extends MessageRecorder {
  constructor(private readonly facts: FactRecorder) {
    super();
  }

  override tradeEvent(trade: Trade, buy: Order, sell: Order): void {
    super.tradeEvent(trade, buy, sell);
    this.facts.tradeEvent(trade, buy, sell);
  }

  override orderEvent(type: OrderEvent, order: Order): void {
    super.orderEvent(type, order);
    this.facts.orderEvent(type, order);
  }

  override event<Type extends OtherEvent>(type: Type, data: EventData<Type>): void {
    super.event(type, data);
    this.facts.event(type, data as Readonly<Record<string, unknown>>);
  }
}
