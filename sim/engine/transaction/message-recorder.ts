// Makes the messages and audit events of transactions, as JSON texts that are written once. The same text of an order serves
// its events, its state, its audit events and the response.
//
// One object serves all transactions of an engine, one after the other.

import type { ModuleData, ModuleType } from "../../../protocol/modules/registry.ts";
import type { AuditEventName, EventData, EventType } from "../../../protocol/index.ts";
import { megawattsOf } from "../../market/units.ts";
import { auditLine } from "../api/audit-lines.ts";
import type { Execution } from "../api/market-engine.ts";
import {
  type Audience,
  EVERYONE,
  type PublishedEvent,
  type PublishedMessage,
  type PublishedState,
} from "../api/messages.ts";
import { audienceOfEvent, audienceOfTrade } from "../api/visibility.ts";
import { addBookChange, engineStateText } from "../modules/book-text.ts";
import { entityModule, userModule } from "../modules/credit-modules.ts";
import { creditStateText, pairTextsOf } from "../modules/credit-text.ts";
import { addProperties, type TextPart } from "../modules/json-text.ts";
import { marketModule, queueModule } from "../modules/market-modules.ts";
import { orderText } from "../modules/order-text.ts";
import { publishedRemoval, publishedState } from "../modules/snapshot.ts";
import { addFill, addTrade } from "../modules/trade-text.ts";
import { pairState } from "../state/engine-state.ts";
import { type ContractState, type Order, textsOf } from "../state/market-state.ts";
import { required } from "../state/required.ts";
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

export class MessageRecorder implements Recorder {
  #call: Call | null = null;
  /** What every event of the call has between its type and its data. */
  #eventTime = "";
  #events: PublishedEvent[] = [];
  /** Lines of the audit events so far. */
  #audit = "";
  readonly #removals: PublishedState[] = [];

  begin(call: Call): void {
    this.#call = call;
    this.#eventTime = `","time":"${call.time}","data":`;
    this.#events = [];
    this.#audit = "";
  }

  orderEvent(type: OrderEvent, order: Order): void {
    const parts = this.#eventParts(type);
    parts.push(orderText(order));
    this.#publish(parts, order.entity.audiences[type]);
  }

  tradeEvent(trade: ModuleData<"TRADE">, buy: Order, sell: Order): void {
    const parts = this.#eventParts("new.trade");
    addTrade(parts, trade, buy, sell);
    const pair = pairState(this.#state, buy.entity, sell.entity);
    const audiences = pair.tradeAudience ??= audienceOfTrade(buy.entity.definition.id, sell.entity.definition.id);
    this.#publish(parts, audiences["new.trade"]);
  }

  fillEvent(fill: ModuleData<"FILL">, order: Order, counterparty: Order): void {
    const parts = this.#eventParts("new.fill");
    addFill(parts, fill, order, counterparty);
    this.#publish(parts, order.entity.audiences["new.fill"]);
  }

  bookEvent(contract: ContractState): void {
    const parts = this.#eventParts("change.book");
    addBookChange(parts, contract);
    this.#publish(parts, EVERYONE);
  }

  event<Type extends OtherEvent>(type: Type, data: EventData<Type>): void {
    const parts = this.#eventParts(type);
    parts.push(JSON.stringify(data));
    this.#publish(parts, audienceOfEvent(type, data));
  }

  orderAudit(event: OrderAuditEvent, order: Order, details: OrderDetails): void {
    const { id, contract, entity } = order;
    const parts: TextPart[] = [
      '{"contractId":',
      textsOf(contract).id,
      ',"side":',
      order.side,
      ',"price":',
      order.price,
      ',"quantity":',
      megawattsOf(order.quantity),
      ',"filledQuantity":',
      megawattsOf(order.filledQuantity),
      ',"status":"',
      order.status,
      '"',
    ];
    addProperties(parts, details);
    parts.push("}");
    this.#record(event, "ORDER", id, entity.definition.id, id, parts.join(""));
  }

  audit(
    event: AuditEventName,
    moduleType: ModuleType | "SYSTEM",
    moduleId: string,
    details: Readonly<Record<string, unknown>>,
    { entityId = null, orderId = null }: AuditSubject,
  ): void {
    this.#record(event, moduleType, moduleId, entityId, orderId, JSON.stringify(details));
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
    return { messages, audit: this.#audit };
  }

  /** The states of the changed modules of which no event tells, parents before children. */
  #addStates(messages: PublishedMessage[], changes: Changes): void {
    const { now } = this.#currentCall;
    for (const market of changes.markets) messages.push(publishedState("MARKET", marketModule(market, now)));
    for (const entity of changes.entities) messages.push(publishedState("ENTITY", entityModule(entity)));
    for (const user of changes.users) messages.push(publishedState("USER", userModule(user)));
    for (const pair of changes.pairs) {
      const text = creditStateText(this.#state, pair);
      const { CREDIT: audience } = pair.entity.audiences;
      messages.push({
        kind: "state",
        type: "CREDIT",
        id: pairTextsOf(pair).id,
        isRemoved: false,
        text,
        audience,
      });
    }
    for (const contract of changes.queues) {
      if (changes.isToldByBook(contract)) continue;
      const text = engineStateText(contract);
      messages.push({
        kind: "state",
        type: "ENGINE",
        id: contract.engineId,
        isRemoved: false,
        text,
        audience: EVERYONE,
      });
    }
    for (const contract of changes.queues) messages.push(publishedState("QUEUE", queueModule(contract)));
  }

  get #currentCall(): Call {
    return required(this.#call ?? undefined, "call");
  }

  get #state() {
    return this.#currentCall.state;
  }

  /** An event up to its data. */
  #eventParts(type: EventType): TextPart[] {
    return [`{"kind":"event","sequence":${this.#state.sequence},"type":"`, type, this.#eventTime];
  }

  /** `parts`: an event up to the end of its data. */
  #publish(parts: TextPart[], audience: Audience): void {
    parts.push("}");
    this.#events.push({ kind: "event", sequence: this.#state.sequence, text: parts.join(""), audience });
  }

  #record(
    event: AuditEventName,
    moduleType: ModuleType | "SYSTEM",
    moduleId: string,
    entityId: string | null,
    orderId: string | null,
    details: string,
  ): void {
    const { state: { epoch, counters }, now: time, actor: userId } = this.#currentCall;
    const position = counters.audit;
    this.#audit += auditLine({
      position,
      epoch,
      time,
      userId,
      event,
      moduleType,
      moduleId,
      orderId,
      entityId,
      details,
    });
  }
}
