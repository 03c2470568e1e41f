// How audit stores fail. core/audit turns it into a ToolError, which common does not know.

export type AuditFailureCode =
  | "invalid_input"
  | "not_configured"
  | "forbidden"
  | "not_found"
  | "rate_limited"
  | "backend_unavailable"
  | "backend_error";

/** An audit store can't answer or write. `hint` says what to do next, in whole sentences. */
export class AuditFailure extends Error {
  override readonly name = "AuditFailure";

  constructor(readonly code: AuditFailureCode, message: string, readonly hint: string, options?: ErrorOptions) {
    super(message, options);
  }
}
