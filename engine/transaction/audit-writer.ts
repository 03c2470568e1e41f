// Writes the audit events of a call as lines (api/audit-lines.ts).

import { ORDER_STATUSES, type OrderStatus } from "../../protocol/modules/registry.ts";
import { BUY } from "../market/order-book.ts";
import type { AuditEventName } from "../../protocol/index.ts";
import { fillKeyOf } from "../state/fills.ts";
import { type Order, textsOf, type Trade } from "../state/market-state.ts";
import { jsonOf, TextWriter } from "../text/text-writer.ts";
import type { AuditSubject, Call, OrderDetails } from "./recorder.ts";

const STATUS_TEXTS = Object.fromEntries(
  ORDER_STATUSES.map((status) => [status, `,"status":"${status}"`]),
) as Readonly<Record<OrderStatus, string>>;

/** Names of properties with what stands around them. */
const names: Record<string, string> = {};

export class AuditWriter {
  readonly #writer = new TextWriter();
  /** Where an earlier line has the columns that all lines of the call with its time and its actor share. */
  #sameFrom = 0;
  #sameTo = 0;
  #actor: string | null = null;
  #now = NaN;

  /** The lines since the last `take`. */
  take(): string {
    return this.#writer.length === 0 ? "" : this.#writer.take();
  }

  /** Adds an event about an order. Its details begin with the order's terms as they are now. */
  addOfOrder(call: Call, event: AuditEventName, order: Order, details: OrderDetails): void {
    const writer = this.#beginOfOrder(call, event, order);
    for (const name in details) writeProperty(writer, name, details[name]!);
    writer.text("}\n");
  }

  /** Adds orderFilled, of one of the trade's orders. */
  addOfFill(call: Call, trade: Trade, order: Order): void {
    const writer = this.#beginOfOrder(call, "orderFilled", order);
    writer.text(',"fillId":"FIL-');
    writer.number(fillKeyOf(trade, order));
    writer.text('","tradeId":"TRD-');
    writer.number(trade.key);
    writer.text('","fillPrice":');
    writer.number(trade.price);
    writer.text(',"fillQuantity":');
    writer.decimal(trade.quantity, 3);
    writer.text(',"counterpartyId":');
    writer.text((order.side === BUY ? trade.seller : trade.buyer).idText);
    writer.text("}\n");
  }

  /** Writes an event about an order up to the order's terms as they are now. */
  #beginOfOrder(call: Call, event: AuditEventName, order: Order): TextWriter {
    const { key, contract, entity: { idText } } = order;
    const writer = this.#begin(call);
    writer.text(event);
    writer.text('"\t"ORDER"\t"ORD-');
    writer.number(key);
    writer.text('"\t"ORD-');
    writer.number(key);
    writer.text('"\t');
    writer.text(idText);
    writer.text("\t");
    writer.text(textsOf(contract).ofAudit[order.side]);
    writer.number(order.price);
    writer.text(',"quantity":');
    writer.decimal(order.quantity, 3);
    writer.text(',"filledQuantity":');
    writer.decimal(order.filledQuantity, 3);
    writer.text(STATUS_TEXTS[order.status]);
    return writer;
  }

  add(
    call: Call,
    event: AuditEventName,
    moduleType: string,
    moduleId: string,
    details: Readonly<Record<string, unknown>>,
    { entityId = null, orderId = null }: AuditSubject,
  ): void {
    const writer = this.#begin(call);
    writer.text(event);
    writer.text('"\t"');
    writer.text(moduleType);
    writer.text('"\t');
    for (const column of [moduleId, orderId, entityId, details]) {
      writer.text(jsonOf(column));
      writer.text(column === details ? "\n" : "\t");
    }
  }

  /** Writes the columns up to the event's name. */
  #begin({ state, now, actor }: Call): TextWriter {
    const writer = this.#writer;
    const isKnown = writer.length > 0 && actor === this.#actor && now === this.#now;
    writer.number(state.counters.audit);
    if (isKnown) writer.copy(this.#sameFrom, this.#sameTo);
    else {
      this.#sameFrom = writer.length;
      writer.text("\t");
      writer.number(state.epoch);
      writer.text("\t");
      writer.number(now);
      writer.text("\t");
      if (actor === null) writer.text("null");
      else writer.quoted(actor);
      writer.text('\t"');
      this.#sameTo = writer.length;
      this.#actor = actor;
      this.#now = now;
    }
    return writer;
  }
}

function writeProperty(writer: TextWriter, name: string, value: string | number | null): void {
  writer.text(names[name] ??= `,"${name}":`);
  if (value === null) writer.text("null");
  else if (typeof value === "number") writer.number(value);
  else writer.quoted(value);
}
