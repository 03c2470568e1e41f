// What listens to transactions. It is told each fact when it happens, and makes messages and audit events of them. The
// engine's own is MessageRecorder. Without a recorder a transaction makes neither, and changes the market in the same way.
//
// Invariant: a recorder changes nothing that another transaction or the market depends on.

import type { ModuleType } from "../../protocol/modules/registry.ts";
import type { AuditEventName, EventData, EventType } from "../../protocol/index.ts";
import type { Execution } from "../api/market-engine.ts";
import type { EngineState } from "../state/engine-state.ts";
import type { ContractState, Order, Trade } from "../state/market-state.ts";
import type { Changes } from "./changes.ts";

export type OrderEvent = `${"new" | "change" | "cancel" | "expire" | "hold" | "release"}.order`;
/** The events with a method of their own are frequent. */
export type OtherEvent = Exclude<EventType, OrderEvent | "new.trade" | "new.fill" | "change.book">;
export type OrderAuditEvent = `order${
  | "Queued"
  | "Modified"
  | "Cancelled"
  | "Expired"
  | "Held"
  | "Released"}`;
/** Further details of an audit event. */
export type OrderDetails = Readonly<Record<string, string | number | null>>;
export type RemovedType = "ORDER" | "FILL" | "TRADE" | "CONTRACT" | "ENGINE" | "QUEUE";

/** The entity and the order that an audit event is about, if any. */
export interface AuditSubject {
  readonly entityId?: string | null;
  readonly orderId?: string | null;
}

/** The call that a transaction carries out. The state's `sequence` and audit counter are those of the newest fact. */
export interface Call {
  readonly state: EngineState;
  /** Market time, in milliseconds since the epoch. It may move on during a call. */
  readonly now: number;
  /** `now` in ISO format. */
  readonly time: string;
  /** The user whose request it is; null if the schedule or a connection causes the call. */
  readonly actor: string | null;
}

export interface Recorder {
  /** Must come first in a transaction. */
  begin(call: Call): void;
  orderEvent(type: OrderEvent, order: Order): void;
  tradeEvent(trade: Trade, buy: Order, sell: Order): void;
  /** `order`: one of the trade's. */
  fillEvent(trade: Trade, order: Order): void;
  bookEvent(contract: ContractState): void;
  event<Type extends OtherEvent>(type: Type, data: EventData<Type>): void;
  orderAudit(event: OrderAuditEvent, order: Order, details: OrderDetails): void;
  /** orderFilled, of one of the trade's orders. */
  fillAudit(trade: Trade, order: Order): void;
  audit(
    event: AuditEventName,
    moduleType: ModuleType | "SYSTEM",
    moduleId: string,
    details: Readonly<Record<string, unknown>>,
    subject: AuditSubject,
  ): void;
  removal(type: RemovedType, id: string): void;
  /** Ends the transaction, with the modules that it has changed. */
  end(changes: Changes): Pick<Execution, "messages" | "audit">;
  /** The order's module as it is now, as JSON text. A recorder without it writes no texts. */
  orderText?(order: Order): string | undefined;
}
