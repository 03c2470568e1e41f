// The audit store that the backend itself keeps, over HTTP (MKT_AUDIT_STORE=backend).

import { BackendHttp, type BackendHttpOptions } from "../backend/backend-http.ts";
import { type AuditPage, type AuditQuery, auditResponse, type OrderEventsQuery, PATHS } from "../protocol/index.ts";
import type { AuditReader } from "./audit-store.ts";

export class BackendAuditStore implements AuditReader {
  readonly #http: BackendHttp;

  constructor(options: BackendHttpOptions) {
    this.#http = new BackendHttp(options);
  }

  query(query: AuditQuery): Promise<AuditPage> {
    return this.#http.get(PATHS.audit, auditResponse, { query });
  }

  orderEvents(orderId: string, query: OrderEventsQuery): Promise<AuditPage> {
    return this.#http.get(PATHS.orderEvents(orderId), auditResponse, { query });
  }
}
