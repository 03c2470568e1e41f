// Makes the messages and audit events of transactions, as texts that are written once. The text of an order in its event also
// serves the response.
//
// One object serves all transactions of an engine, one after the other.

import type { ModuleType } from "../../protocol/modules/registry.ts";
import type { AuditEventName, EventData, EventType } from "../../protocol/index.ts";
import type { Execution } from "../api/market-engine.ts";
import { type Audience, EVERYONE, PublishedEvent, type PublishedMessage, PublishedState } from "../api/messages.ts";
import { audienceOfEvent, audienceOfTrade } from "../api/visibility.ts";
import { writeBookChange } from "../modules/book-text.ts";
import { orderText, writeOrder } from "../modules/order-text.ts";
import { writeFill, writeTrade } from "../modules/trade-text.ts";
import { type ContractState, NO_TEXT, type Order, type Trade } from "../state/market-state.ts";
import { required } from "../state/required.ts";
import { jsonOf, TextWriter } from "../text/text-writer.ts";
import { AuditWriter } from "./audit-writer.ts";
import type { Changes } from "./changes.ts";
import { EventHeads } from "./event-heads.ts";
import { GrowingText } from "./growing-text.ts";
import type {
  AuditSubject,
  Call,
  OrderAuditEvent,
  OrderDetails,
  OrderEvent,
  OtherEvent,
  Recorder,
  RemovedType,
} from "./recorder.ts";
import { StateWriter } from "./state-writer.ts";

export class MessageRecorder implements Recorder {
  #call: Call | null = null;
  /** Has the events of the call, and then its removals, after those of the calls before. */
  readonly #writer = new TextWriter();
  #shared = new GrowingText(this.#writer);
  /** Where the message that is being written begins. */
  #start = 0;
  readonly #heads = new EventHeads();
  readonly #states = new StateWriter();
  #events: PublishedMessage[] = [];
  readonly #audit = new AuditWriter();
  readonly #removals: { readonly type: RemovedType; readonly id: string }[] = [];

  begin(call: Call): void {
    this.#call = call;
    this.#shared = this.#shared.next();
    this.#events = [];
  }

  orderEvent(type: OrderEvent, order: Order): void {
    const writer = this.#beginEvent(type);
    const start = writer.length;
    writeOrder(writer, order);
    order.textStart = start;
    order.textEnd = writer.length;
    this.#publish(order.entity.audiences[type]);
  }

  orderText(order: Order): string | undefined {
    const { textStart, textEnd } = order;
    return textStart === NO_TEXT ? orderText(order) : this.#writer.between(textStart, textEnd);
  }

  tradeEvent(trade: Trade, _buy: Order, _sell: Order): void {
    writeTrade(this.#beginEvent("new.trade"), trade);
    this.#publish(audienceOfTrade(trade.buyer.definition.id, trade.seller.definition.id));
  }

  fillEvent(trade: Trade, order: Order): void {
    writeFill(this.#beginEvent("new.fill"), trade, order);
    this.#publish(order.entity.audiences["new.fill"]);
  }

  bookEvent(contract: ContractState): void {
    writeBookChange(this.#beginEvent("change.book"), contract);
    this.#publish(EVERYONE);
  }

  event<Type extends OtherEvent>(type: Type, data: EventData<Type>): void {
    this.#beginEvent(type).text(jsonOf(data));
    this.#publish(audienceOfEvent(type, data));
  }

  orderAudit(event: OrderAuditEvent, order: Order, details: OrderDetails): void {
    this.#audit.addOfOrder(this.#currentCall, event, order, details);
  }

  fillAudit(trade: Trade, order: Order): void {
    this.#audit.addOfFill(this.#currentCall, trade, order);
  }

  audit(
    event: AuditEventName,
    moduleType: ModuleType | "SYSTEM",
    moduleId: string,
    details: Readonly<Record<string, unknown>>,
    subject: AuditSubject,
  ): void {
    this.#audit.add(this.#currentCall, event, moduleType, moduleId, details, subject);
  }

  removal(type: RemovedType, id: string): void {
    this.#removals.push({ type, id });
  }

  end(changes: Changes): Pick<Execution, "messages" | "audit"> {
    const states = this.#states.write(this.#currentCall, changes);
    const messages: PublishedMessage[] = states.length === 0 ? this.#events : [...states, ...this.#events];
    for (const { type, id } of this.#removals) messages.push(this.#writeRemoval(type, id));
    this.#removals.length = 0;
    return { messages, audit: this.takeAudit() };
  }

  /** The audit events of the call. */
  protected takeAudit(): string {
    return this.#audit.take();
  }

  #writeRemoval(type: RemovedType, id: string): PublishedState {
    const writer = this.#begin();
    writer.text('{"statePath":"/');
    writer.text(type);
    writer.text("/");
    // Only ids of contracts are not made by the engine.
    writer.text(type === "CONTRACT" || type === "ENGINE" || type === "QUEUE" ? jsonOf(id).slice(1, -1) : id);
    writer.text('","state":null}');
    return new PublishedState(type, id, "removed", EVERYONE, this.#shared, this.#start, writer.length);
  }

  get #currentCall(): Call {
    return required(this.#call ?? undefined, "call");
  }

  get #state() {
    return this.#currentCall.state;
  }

  #begin(): TextWriter {
    this.#start = this.#shared.begin();
    return this.#writer;
  }

  /** Writes an event up to its data. */
  #beginEvent(type: EventType): TextWriter {
    const { state, now, time } = this.#currentCall;
    const writer = this.#begin();
    this.#heads.write(writer, type, state.sequence, now, time);
    return writer;
  }

  /** Ends the event that is written up to the end of its data. */
  #publish(audience: Audience): void {
    const writer = this.#writer;
    writer.text("}");
    this.#events.push(new PublishedEvent(this.#state.sequence, audience, this.#shared, this.#start, writer.length));
  }
}
