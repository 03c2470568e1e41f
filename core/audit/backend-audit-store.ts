// The backend's own audit store, over HTTP (MKT_AUDIT_STORE=backend).

import { BackendHttp, type BackendHttpOptions, refusalIn } from "../backend/backend-http.ts";
import { type AuditPage, type AuditQuery, auditResponse, type OrderEventsQuery, PATHS } from "../../protocol/index.ts";
import { ToolError } from "../error.ts";
import type { AuditReader } from "../../common/audit/audit-store.ts";
import type { AuditViewer } from "../../common/audit/audit-visibility.ts";

/** The query is invalid, or its URL is too long. */
const CALLERS_MISTAKES: ReadonlySet<number> = new Set([400, 414, 431]);

export class BackendAuditStore implements AuditReader {
  readonly #http: BackendHttp;

  constructor(options: BackendHttpOptions) {
    this.#http = new BackendHttp(options);
  }

  /** The backend applies its own rule instead of `viewer`. */
  query(query: AuditQuery, _viewer?: AuditViewer, signal?: AbortSignal): Promise<AuditPage> {
    return this.#page(PATHS.audit, query, signal);
  }

  orderEvents(orderId: string, query: OrderEventsQuery, signal?: AbortSignal): Promise<AuditPage> {
    return this.#page(PATHS.orderEvents(orderId), query, signal);
  }

  /** Throws ToolError `invalid_input` if the backend refuses the query, and `rate_limited` if it runs too many others. */
  async #page(path: string, query: AuditQuery | OrderEventsQuery, signal: AbortSignal | undefined): Promise<AuditPage> {
    const answer = await this.#http.ask({ method: "GET", path, query: { ...query }, signal });
    if (answer.status === 200) return this.#http.read(answer, auditResponse);
    const { code, message } = refusalIn(answer.body);
    if (answer.status === 503 && code === "too_many_searches") {
      throw new ToolError("rate_limited", `The backend refused: ${message}.`, "Wait a few seconds and call again.");
    }
    if (!CALLERS_MISTAKES.has(answer.status)) return this.#http.read(answer, auditResponse);
    throw new ToolError(
      "invalid_input",
      `The backend refused this query: ${message}.`,
      "Correct what it names, or shorten the parameters if it gives no reason. Leave cursor out to start again.",
    );
  }
}
