// Makes the messages and audit events of transactions, as JSON texts that are written once. The same text of an order serves
// its events, its state, its audit events and the response.
//
// One object serves all transactions of an engine, one after the other.

import type { ModuleType } from "../../../protocol/modules/registry.ts";
import { type AuditEventName, type EventData, EVENTS, type EventType } from "../../../protocol/index.ts";
import type { Execution } from "../api/market-engine.ts";
import {
  type Audience,
  EVERYONE,
  type PublishedEvent,
  type PublishedMessage,
  type PublishedState,
} from "../api/messages.ts";
import { audienceOfEvent, audienceOfTrade } from "../api/visibility.ts";
import { writeBookChange, writeEngineState } from "../modules/book-text.ts";
import { entityModule, userModule } from "../modules/credit-modules.ts";
import { pairTextsOf, writeCreditState } from "../modules/credit-text.ts";
import { marketModule, queueModule } from "../modules/market-modules.ts";
import { writeOrder } from "../modules/order-text.ts";
import { publishedRemoval, publishedState } from "../modules/snapshot.ts";
import { writeFill, writeTrade } from "../modules/trade-text.ts";
import { pairState } from "../state/engine-state.ts";
import type { ContractState, Order, Trade } from "../state/market-state.ts";
import { required } from "../state/required.ts";
import { jsonOf, TextWriter } from "../text/text-writer.ts";
import { AuditWriter } from "./audit-writer.ts";
import type { Changes } from "./changes.ts";
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

/** An event from its sequence number to its time. */
const TYPE_TEXTS = Object.fromEntries(
  Object.keys(EVENTS).map((type) => [type, `,"type":"${type}","time":"`]),
) as Readonly<Record<EventType, string>>;

export class MessageRecorder implements Recorder {
  #call: Call | null = null;
  readonly #writer = new TextWriter();
  #events: PublishedEvent[] = [];
  readonly #audit = new AuditWriter();
  readonly #removals: PublishedState[] = [];

  begin(call: Call): void {
    this.#call = call;
    this.#events = [];
  }

  orderEvent(type: OrderEvent, order: Order): void {
    const writer = this.#beginEvent(type);
    const start = writer.length;
    writeOrder(writer, order);
    const end = writer.length;
    const text = this.#publish(order.entity.audiences[type]);
    if (order.text === "") order.text = text.slice(start, end);
  }

  tradeEvent(trade: Trade): void {
    writeTrade(this.#beginEvent("new.trade"), trade);
    const { buyer, seller } = trade;
    const pair = pairState(this.#state, buyer, seller);
    const audiences = pair.tradeAudience ??= audienceOfTrade(buyer.definition.id, seller.definition.id);
    this.#publish(audiences["new.trade"]);
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
    this.#removals.push(publishedRemoval(type, id));
  }

  end(changes: Changes): Pick<Execution, "messages" | "audit"> {
    const messages: PublishedMessage[] = [];
    this.#addStates(messages, changes);
    for (const event of this.#events) messages.push(event);
    for (const removal of this.#removals) messages.push(removal);
    this.#removals.length = 0;
    return { messages, audit: this.#audit.take() };
  }

  /** The states of the changed modules of which no event tells, parents before children. */
  #addStates(messages: PublishedMessage[], changes: Changes): void {
    const { now } = this.#currentCall;
    const writer = this.#writer;
    for (const market of changes.markets) messages.push(publishedState("MARKET", marketModule(market, now)));
    for (const entity of changes.entities) messages.push(publishedState("ENTITY", entityModule(entity)));
    for (const user of changes.users) messages.push(publishedState("USER", userModule(user)));
    for (const pair of changes.pairs) {
      writeCreditState(writer, this.#state, pair);
      const { CREDIT: audience } = pair.entity.audiences;
      messages.push(stateOf("CREDIT", pairTextsOf(pair).id, writer.take(), audience));
    }
    for (const contract of changes.queues) {
      if (changes.isToldByBook(contract)) continue;
      writeEngineState(writer, contract);
      messages.push(stateOf("ENGINE", contract.engineId, writer.take(), EVERYONE));
    }
    for (const contract of changes.queues) messages.push(publishedState("QUEUE", queueModule(contract)));
  }

  get #currentCall(): Call {
    return required(this.#call ?? undefined, "call");
  }

  get #state() {
    return this.#currentCall.state;
  }

  /** Writes an event up to its data. */
  #beginEvent(type: EventType): TextWriter {
    const { state, time } = this.#currentCall;
    const writer = this.#writer;
    writer.text('{"kind":"event","sequence":');
    writer.number(state.sequence);
    writer.text(TYPE_TEXTS[type]);
    writer.text(time);
    writer.text('","data":');
    return writer;
  }

  /** Ends the event that is written up to the end of its data. Returns its text. */
  #publish(audience: Audience): string {
    this.#writer.text("}");
    const text = this.#writer.take();
    this.#events.push({ kind: "event", sequence: this.#state.sequence, text, audience });
    return text;
  }
}

function stateOf(type: ModuleType, id: string, text: string, audience: Audience): PublishedState {
  return { kind: "state", type, id, isRemoved: false, text, audience };
}
