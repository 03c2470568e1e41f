// The backend's own audit store, over HTTP (MKT_AUDIT_STORE=backend).

import { BackendHttp, type BackendHttpOptions, refusalIn } from "../backend/backend-http.ts";
import { type AuditPage, type AuditQuery, auditResponse, type OrderEventsQuery, PATHS } from "../../protocol/index.ts";
import { ToolError } from "../error.ts";
import type { AuditReader } from "../../common/audit/audit-store.ts";

/** The query is invalid, or its URL is too long. */
const CALLERS_MISTAKES: ReadonlySet<number> = new Set([400, 414, 431]);

export class BackendAuditStore implements AuditReader {
  readonly #http: BackendHttp;

  constructor(options: BackendHttpOptions) {
    this.#http = new BackendHttp(options);
  }

  query(query: AuditQuery): Promise<AuditPage> {
    return this.#page(PATHS.audit, query);
  }

  orderEvents(orderId: string, query: OrderEventsQuery): Promise<AuditPage> {
    return this.#page(PATHS.orderEvents(orderId), query);
  }

  /** Throws ToolError `invalid_input` if the backend refuses the query. */
  async #page(path: string, query: AuditQuery | OrderEventsQuery): Promise<AuditPage> {
    const answer = await this.#http.ask({ method: "GET", path, query: { ...query } });
    if (!CALLERS_MISTAKES.has(answer.status)) return this.#http.read(answer, auditResponse);
    throw new ToolError(
      "invalid_input",
      `The backend refused this query: ${refusalIn(answer.body).message}.`,
      "Correct what it names, or shorten the parameters if it gives no reason. Leave cursor out to start again.",
    );
  }
}
