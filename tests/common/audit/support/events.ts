// Audit events as an engine writes them: with ascending ids and days.

import { auditId } from "../../../../common/audit/audit-id.ts";
import { type AuditEvent, type AuditQuery, auditRequest, orderEventsRequest } from "../../../../protocol/index.ts";

export const NOW = Date.parse("2026-01-14T18:00:00Z");
export const DAY_MS = 86_400_000;
export const EPOCH = NOW * 1000;

/** Creates events of one epoch, numbered from 1. */
export class EventMaker {
  #count = 0;

  next(fields: Partial<Omit<AuditEvent, "id">> = {}): AuditEvent {
    this.#count += 1;
    const occurrence = { id: auditId(EPOCH, this.#count), time: new Date(NOW).toISOString(), event: "orderQueued" };
    const about = { moduleType: "ORDER", moduleId: "ORD-1", orderId: "ORD-1", details: {} };
    return { ...occurrence, ...about, userId: "user", entityId: "entity", ...fields };
  }

  many(count: number, fields: (index: number) => Partial<Omit<AuditEvent, "id">> = () => ({})): AuditEvent[] {
    return Array.from({ length: count }, (_, index) => this.next(fields(index)));
  }
}

export function query(fields: Partial<AuditQuery> = {}): AuditQuery {
  return { ...auditRequest.parse({ from: "2026-01-01", to: "2026-12-31" }), ...fields };
}

export function orderQuery(fields: { date?: string; limit?: number; cursor?: string } = {}) {
  return orderEventsRequest.parse(fields);
}

export function ids(events: readonly (AuditEvent | undefined)[]): (string | undefined)[] {
  return events.map((event) => event?.id);
}

/** Days after NOW's, YYYY-MM-DD. */
export function dayName(offset: number): string {
  return new Date(NOW + offset * DAY_MS).toISOString().slice(0, 10);
}
