// The audit trail that an engine writes: one record for each thing that a command or the schedule has done.
//
// Ids sort by age, also across restarts of an engine that keeps nothing. `userId` is who caused it: for a fill the user
// whose command made the trade, null for the schedule.

import { auditId } from "../../../common/audit/audit-id.ts";
import type { AuditEvent, AuditEventName } from "../../../protocol/index.ts";
import { megawattsOf } from "../../market/units.ts";
import type { EngineState, Order } from "../state/engine-state.ts";
import type { OperationName, RefusalTrace } from "../api/market-engine.ts";
import { isoTime } from "../modules/snapshot.ts";
import { countRefusal, refusedOrderId } from "../commands/refused-orders.ts";
import type { Transaction } from "./transaction.ts";

export interface AuditEntry {
  readonly event: AuditEventName;
  readonly moduleType: string;
  readonly moduleId: string;
  readonly entityId?: string | null;
  readonly orderId?: string;
  readonly details: Record<string, unknown>;
}

export function auditEvent(state: EngineState, userId: string | null, entry: AuditEntry): AuditEvent {
  state.counters.audit += 1;
  return {
    id: auditId(state.epoch, state.counters.audit),
    time: isoTime(state.now),
    event: entry.event,
    moduleType: entry.moduleType,
    moduleId: entry.moduleId,
    userId,
    entityId: entry.entityId ?? null,
    orderId: entry.orderId ?? null,
    details: entry.details,
  };
}

/**
 * Records a refusal from before a restart again. It is written only if the first record was lost with the process, and
 * then without what the request asked for, which no journal keeps: neither terms nor a clientOrderId of its own.
 */
export function recordRecalledRefusal(
  transaction: Transaction,
  operation: OperationName,
  { code, message }: RefusalTrace,
): void {
  const { userId, operationId, action } = operation;
  countRefusal(transaction, userId);
  transaction.record({
    event: "orderRejected",
    moduleType: "USER",
    moduleId: userId,
    entityId: transaction.state.users.get(userId)?.entityId ?? null,
    orderId: refusedOrderId(userId, operationId),
    details: { action, operationId, code, message },
  });
}

/** Records in the audit trail what became of an order. */
export function recordOrder(
  transaction: Transaction,
  event: `order${"Queued" | "Modified" | "Cancelled" | "Filled" | "Expired" | "Held" | "Released"}`,
  order: Order,
  details: Record<string, unknown>,
): void {
  transaction.record({
    event,
    moduleType: "ORDER",
    moduleId: order.id,
    entityId: order.entity.definition.id,
    orderId: order.id,
    details: {
      contractId: order.contract.id,
      side: order.side,
      price: order.price,
      quantity: megawattsOf(order.quantity),
      filledQuantity: megawattsOf(order.filledQuantity),
      status: order.status,
      ...details,
    },
  });
}
