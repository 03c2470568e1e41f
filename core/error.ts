// ToolError: an error that the caller must know about, with a code and a hint what to do next. Anything else that is thrown
// is a bug and is answered as `internal`, without detail.

/** `rejected`: a rule of the market refused the request, and nothing changed. `backend_error`: the backend failed. */
export const ERROR_CODES = [
  "not_connected",
  "already_connected",
  "forbidden",
  "not_found",
  "invalid_input",
  "invalid_filter",
  "not_configured",
  "backend_unavailable",
  "rejected",
  "backend_error",
  "timeout",
  "read_only",
  "limit_exceeded",
  "rate_limited",
  "frozen",
  "shutting_down",
  "internal",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** The content of a failed result: `{ error: ErrorReport }`. */
export interface ErrorReport {
  readonly code: ErrorCode;
  readonly message: string;
  /** What to do next; a full sentence. */
  readonly hint: string;
}

export class ToolError extends Error {
  override readonly name = "ToolError";

  /** `message` gets its full stop if it has none: it may end with a backend's words. */
  constructor(readonly code: ErrorCode, message: string, readonly hint: string, options?: ErrorOptions) {
    super(sentence(message), options);
  }

  report(): ErrorReport {
    return { code: this.code, message: this.message, hint: this.hint };
  }
}

/** Message and hint as sentences of one text. */
export function textOf({ message, hint }: Pick<ErrorReport, "message" | "hint">): string {
  return `${sentence(message)} ${hint}`;
}

/** The text with a full stop, if it ends without a sign. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
