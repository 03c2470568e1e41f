// Where the audit trail is read from. The backend's own store is one implementation (backend-audit-store.ts); table
// storage is another. Both answer the same queries.

import type { AuditPage, AuditQuery, OrderEventsQuery } from "../protocol/index.ts";

export interface AuditStore {
  /** The audit events of whole UTC days, newest first. Throws ToolError. */
  query(query: AuditQuery): Promise<AuditPage>;
  /** The history of one order, newest first. Throws ToolError; an order without history is an empty page. */
  orderEvents(orderId: string, query: OrderEventsQuery): Promise<AuditPage>;
}
