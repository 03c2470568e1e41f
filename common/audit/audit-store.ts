// The audit trail: where it is read from and where it is written to.
//
// Stores are the engine's own (sim/audit) and table storage (azure/); both pass one contract suite. The backend's own
// store, over HTTP, is read only (backend-audit-store.ts). Newest first means by id, which grows with time.

import type { AuditEvent, AuditPage, AuditQuery, OrderEventsQuery } from "../../protocol/index.ts";

export interface AuditReader {
  /**
   * The audit events of whole UTC days, newest first. `visible` leaves out what the asking user may not see, before
   * anything is counted; a backend does that itself. A page may hold fewer events than `limit` and still have a cursor:
   * then the search has not come to the end of its days. Throws AuditFailure.
   */
  query(query: AuditQuery, visible?: (event: AuditEvent) => boolean): Promise<AuditPage>;
  /** The history of one order, newest first. Throws AuditFailure; an order without history is an empty page. */
  orderEvents(orderId: string, query: OrderEventsQuery): Promise<AuditPage>;
}

export interface AuditStore extends AuditReader {
  /**
   * Adds events, oldest first, whose ids follow those added before and whose days never go back. An event that is there
   * already is not added again. Once it has returned, or its promise is fulfilled, they can be read. Without any it only
   * makes sure that there is something to write to. Throws AuditFailure.
   */
  append(events: readonly AuditEvent[]): void | Promise<void>;
}
