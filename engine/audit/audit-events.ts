// Audit events of the protocol, from what the engine has recorded, and back.

import { auditId, epochOf, numberOf } from "../../common/audit/audit-id.ts";
import type { AuditEvent } from "../../protocol/index.ts";
import type { RecordedEvent } from "../api/audit-lines.ts";

export function eventOf({ epoch, position, time, details, ...recorded }: RecordedEvent): AuditEvent {
  const { event, moduleType, moduleId, userId, entityId, orderId } = recorded;
  return {
    id: auditId(epoch, position),
    time: new Date(time).toISOString(),
    event,
    moduleType,
    moduleId,
    userId,
    entityId,
    orderId,
    details: JSON.parse(details),
  };
}

/** An event from another store, or from a test, as the engine would record it. */
export function recordedOf({ id, time, details, ...event }: AuditEvent): RecordedEvent {
  const text = JSON.stringify(details);
  return { ...event, epoch: epochOf(id), position: numberOf(id), time: Date.parse(time), details: text };
}
