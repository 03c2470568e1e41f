// The interface of audit stores: the engine's own in SQLite (engine/audit), table storage (azure/), and the backend's over
// HTTP, which is read-only (backend-audit-store.ts). The first two pass one contract suite. "Newest first" is by id.

import type { AuditEvent, AuditPage, AuditQuery, OrderEventsQuery } from "../../protocol/index.ts";
import type { AuditViewer } from "./audit-visibility.ts";

export interface AuditReader {
  /**
   * The audit events of whole UTC days, newest first. With `viewer`, the events that the viewer may not read are
   * left out before anything is counted; a backend applies its own rule instead. A page with fewer events than `limit` may
   * still have a cursor: the search has not reached the end of its days. Throws AuditFailure, and the reason of `signal` if
   * that aborts first. A local store may ignore `signal`.
   */
  query(query: AuditQuery, viewer?: AuditViewer, signal?: AbortSignal): Promise<AuditPage>;
  /** The history of one order, newest first. Throws as `query` does; an order without history is an empty page. */
  orderEvents(orderId: string, query: OrderEventsQuery, signal?: AbortSignal): Promise<AuditPage>;
}

export interface AuditStore extends AuditReader {
  /**
   * Appends events, oldest first. Their ids must be above all earlier ids, and their days must not go back. Skips events
   * that are already stored. The events can be read once the call has returned or its promise is fulfilled. An empty list
   * only creates the storage. Throws AuditFailure.
   */
  append(events: readonly AuditEvent[]): void | Promise<void>;
}
