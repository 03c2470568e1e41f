// The answers of routes that failed: `{ error: { code, message, hint } }` as JSON, with the status of the code.

import type { ContentfulStatusCode } from "hono/utils/http-status";
import { errorStack } from "../../../common/error-message.ts";
import { safeJson } from "../../../common/safe-text.ts";
import type { Logger } from "../../../common/logger.ts";
import { type ErrorCode, ToolError } from "../../error.ts";

const STATUSES: Readonly<Record<ErrorCode, ContentfulStatusCode>> = {
  not_connected: 503,
  already_connected: 409,
  forbidden: 403,
  not_found: 404,
  invalid_input: 400,
  invalid_filter: 400,
  not_configured: 501,
  backend_unavailable: 502,
  rejected: 422,
  backend_error: 502,
  timeout: 504,
  read_only: 403,
  limit_exceeded: 422,
  rate_limited: 429,
  frozen: 403,
  shutting_down: 503,
  internal: 500,
};

/** The answer to what a check or a handler throws. Only a ToolError reaches the client; any other error is logged. */
export function errorResponse(thrown: unknown, name: string, log: Logger): Response {
  const error = thrown instanceof ToolError ? thrown : internalError(thrown, name, log);
  const status = STATUSES[error.code] ?? 500;
  return new Response(safeJson({ error: error.report() }), {
    status,
    headers: {
      "Content-Type": "application/json",
      ...((status === 429 || status === 503) && { "Retry-After": "1" }),
    },
  });
}

function internalError(thrown: unknown, name: string, log: Logger): ToolError {
  const reference = crypto.randomUUID();
  log.error("{route} failed: {error} ({reference})", { route: name, reference, error: errorStack(thrown) });
  return new ToolError(
    "internal",
    "mkt failed on this request; it is unknown whether the request took effect.",
    `Check the state before you repeat it; the server's log has details under ${reference}.`,
  );
}
