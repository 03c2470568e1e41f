// A recorder that is slow and plain: it makes each message of a module object, its JSON text and a rule of visibility. The
// engine's own recorder must give the same, byte for byte.

import type { AnyModuleData, ModuleType } from "../../../protocol/modules/registry.ts";
import type { EventType } from "../../../protocol/index.ts";
import { megawattsOf } from "../../../engine/market/units.ts";
import { auditLine } from "../../../engine/api/audit-lines.ts";
import type { Execution } from "../../../engine/api/market-engine.ts";
import { EVERYONE, PublishedEvent, PublishedState } from "../../../engine/api/messages.ts";
import { audienceOfEvent, audienceOfModule } from "../../../engine/api/visibility.ts";
import { creditModule, entityModule, userModule } from "../../../engine/modules/credit-modules.ts";
import { engineModule, marketModule, queueModule } from "../../../engine/modules/market-modules.ts";
import { fillModule, orderModule, tradeModule } from "../../../engine/modules/order-modules.ts";
import { jsonOf } from "../../../engine/text/text-writer.ts";
import type { ContractState, Order } from "../../../engine/state/market-state.ts";
import { required } from "../../../engine/state/required.ts";
import type { Changes } from "../../../engine/transaction/changes.ts";
import type { AuditSubject, Call, Recorder } from "../../../engine/transaction/recorder.ts";
import { changesOf, type Sides } from "./book-changes.ts";

export class PlainRecorder implements Recorder {
  #call: Call | null = null;
  #events: PublishedEvent[] = [];
  #audit = "";
  #removals: PublishedState[] = [];
  /** As last published. */
  readonly #books = new Map<ContractState, Sides>();

  begin(call: Call): void {
    this.#call = call;
    this.#events = [];
    this.#audit = "";
    this.#removals = [];
  }

  readonly orderText = (order: Order): string => jsonOf(orderModule(order));

  readonly orderEvent: Recorder["orderEvent"] = (type, order) => this.#publish(type, orderModule(order));

  readonly tradeEvent: Recorder["tradeEvent"] = (trade) => this.#publish("new.trade", tradeModule(trade));

  readonly fillEvent: Recorder["fillEvent"] = (trade, order) => this.#publish("new.fill", fillModule(trade, order));

  readonly bookEvent: Recorder["bookEvent"] = (contract) => {
    const { id: engineId, contractId, productCode, marketId: _, lastUpdate: _time, ...book } = engineModule(contract);
    const changes = changesOf(this.#books.get(contract) ?? { bids: [], asks: [] }, book);
    this.#books.set(contract, book);
    this.#publish("change.book", { contractId, productCode, engineId, ...book, ...changes });
  };

  readonly event: Recorder["event"] = (type, data) => this.#publish(type, data);

  readonly orderAudit: Recorder["orderAudit"] = (event, order, details) => this.#orderAudit(event, order, details);

  readonly fillAudit: Recorder["fillAudit"] = (trade, order) => {
    const { id, tradeId, price, quantity, counterpartyId } = fillModule(trade, order);
    const details = { fillId: id, tradeId, fillPrice: price, fillQuantity: quantity, counterpartyId };
    this.#orderAudit("orderFilled", order, details);
  };

  #orderAudit(event: string, order: Order, details: object): void {
    const { id, contract, entity, side, price, status } = order;
    const [quantity, filledQuantity] = [megawattsOf(order.quantity), megawattsOf(order.filledQuantity)];
    const terms = { contractId: contract.id, side, price, quantity, filledQuantity, status };
    this.audit(event, "ORDER", id, { ...terms, ...details }, { entityId: entity.definition.id, orderId: id });
  }

  audit(event: string, moduleType: string, moduleId: string, details: object, subject: AuditSubject): void {
    const { state, now: time, actor: userId } = this.#currentCall;
    const { entityId = null, orderId = null } = subject;
    const id = { epoch: state.epoch, position: state.counters.audit };
    const about = { moduleType, moduleId, userId, entityId, orderId };
    this.#audit += auditLine({ ...id, time, event, ...about, details: jsonOf(details) });
  }

  readonly removal: Recorder["removal"] = (type, id) => {
    const text = jsonOf({ statePath: `/${type}/${id}`, state: null });
    this.#removals.push(new PublishedState(type, id, "removed", EVERYONE, { text }));
  };

  end(changes: Changes): Pick<Execution, "messages" | "audit"> {
    const { state, now } = this.#currentCall;
    const states = [
      ...[...changes.markets].map((market) => stateOf("MARKET", marketModule(market, now))),
      ...changes.entities.map((entity) => stateOf("ENTITY", entityModule(entity))),
      ...[...changes.users].map((user) => stateOf("USER", userModule(user))),
      ...changes.pairs.map((pair) => stateOf("CREDIT", creditModule(state, pair.entity, pair.counterparty))),
      ...changes.queues.filter((contract) => changes.listed.has(contract) || !changes.books.includes(contract))
        .map((contract) => stateOf("ENGINE", engineModule(contract))),
      ...changes.queues.map((contract) => stateOf("QUEUE", queueModule(contract))),
    ];
    return { messages: [...states, ...this.#events, ...this.#removals], audit: this.#audit };
  }

  #publish(type: EventType, data: object): void {
    const { state: { sequence }, time } = this.#currentCall;
    const text = jsonOf({ kind: "event", sequence, type, time, data });
    this.#events.push(new PublishedEvent(sequence, audienceOfEvent(type, data), { text }));
  }

  get #currentCall(): Call {
    return required(this.#call ?? undefined, "call");
  }
}

function stateOf(type: ModuleType, state: AnyModuleData): PublishedState {
  const { id } = state;
  const text = jsonOf({ statePath: `/${type}/${id}`, state });
  return new PublishedState(type, id, "set", audienceOfModule(type, state), { text });
}
