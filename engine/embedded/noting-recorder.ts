// Makes the audit events of an engine, and what somebody reads of its messages and answers, and notes beside them what
// traders in its process are told.

import type { EventData } from "../../protocol/index.ts";
import type { Execution } from "../api/market-engine.ts";
import type { ContractState, Order, Trade } from "../state/market-state.ts";
import type { Changes } from "../transaction/changes.ts";
import { MessageRecorder } from "../transaction/message-recorder.ts";
import type { OrderEvent, OtherEvent, RemovedType } from "../transaction/recorder.ts";
import type { FactRecorder } from "./fact-recorder.ts";

export class NotingRecorder extends MessageRecorder {
  /** Whether somebody reads messages. It is changed between calls, and so is the next one. */
  areMessagesRead = false;
  /** Whether somebody reads more of an answer than whether the request was carried out. */
  areAnswersRead = true;

  constructor(private readonly facts: FactRecorder) {
    super();
  }

  override tradeEvent(trade: Trade, buy: Order, sell: Order): void {
    if (this.areMessagesRead) super.tradeEvent(trade, buy, sell);
    this.facts.tradeEvent(trade, buy, sell);
  }

  override orderEvent(type: OrderEvent, order: Order): void {
    if (this.areMessagesRead) super.orderEvent(type, order);
    this.facts.orderEvent(type, order);
  }

  override event<Type extends OtherEvent>(type: Type, data: EventData<Type>): void {
    if (this.areMessagesRead) super.event(type, data);
    this.facts.event(type, data as Readonly<Record<string, unknown>>);
  }

  override fillEvent(trade: Trade, order: Order): void {
    if (this.areMessagesRead) super.fillEvent(trade, order);
  }

  override bookEvent(contract: ContractState): void {
    if (this.areMessagesRead) super.bookEvent(contract);
  }

  override removal(type: RemovedType, id: string): void {
    if (this.areMessagesRead) super.removal(type, id);
  }

  override orderText(order: Order): string | undefined {
    return this.areAnswersRead ? super.orderText(order) : undefined;
  }

  override end(changes: Changes): Pick<Execution, "messages" | "audit"> {
    return this.areMessagesRead ? super.end(changes) : { messages: [], audit: this.takeAudit() };
  }
}
