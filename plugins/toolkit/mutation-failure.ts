// The result of a mutation that was not confirmed: its status and what that means, the error with a hint, and the backend's own
// code. The specification names `message` in the result; the error is that of every tool. So `message` says what became of the
// request, in one short sentence, and `error.message` says why: neither repeats the other.
//
// A backend speaks in the words of the protocol. Here they become those of the tools.

import type { RequestOutcome } from "../../protocol/client/pending-requests.ts";
import type { RejectionCode, SimulationConflictCode } from "../../protocol/index.ts";
import type { Refusal } from "../../core/backend/simulator-client.ts";
import { type ErrorCode, type ErrorReport, sentence, type ToolError } from "../../core/error.ts";

/** Statuses that only some mutations have. */
export type SpecialStatus = "preview" | "partial" | "no_entity" | "not_cancellable";
type FailureStatus = "rejected" | "timeout" | "not_connected" | "error" | Exclude<SpecialStatus, "preview" | "partial">;

/** Every outcome of a request except its confirmation. `no_entity` is found before anything is sent. */
export type FailedOutcome =
  | Exclude<RequestOutcome, { readonly kind: "ok" }> & {
    /** Better than that of the code of a rejection. */
    readonly hint?: string;
  }
  | Refusal
  | { readonly kind: "no_entity" };

export interface Failure {
  readonly status: FailureStatus;
  readonly message: string;
  readonly error: ErrorReport;
  /** The backend's own code. */
  readonly reason?: string;
  /** Present if the request was sent and its outcome is unknown: the key that a repeat needs. */
  readonly idempotencyKey?: string;
}

/** `special`: statuses of the tool besides the common ones. `afterTimeout` makes the hint of a timeout. */
export function failureOfOutcome(
  outcome: FailedOutcome,
  special: readonly SpecialStatus[],
  afterTimeout: (idempotencyKey: string) => string,
): Failure {
  switch (outcome.kind) {
    case "not_connected":
      return failure("not_connected", "not_connected", "The market connection is down.", CONNECT);
    case "no_entity":
      return failure("no_entity", "forbidden", "The acting user belongs to no entity, and an order needs one.", JOIN);
    case "timeout": {
      const message = `No confirmation came within ${outcome.waitedMs} ms. The request can't take effect after ` +
        `${outcome.validUntil} (backend time).`;
      const { operationId: idempotencyKey } = outcome;
      const repeat =
        `Or repeat the call with idempotencyKey ${JSON.stringify(idempotencyKey)}: that gives the outcome and ` +
        "does nothing twice.";
      const hint = `${afterTimeout(idempotencyKey)} ${repeat}`;
      return { ...failure("timeout", "timeout", message, hint), idempotencyKey };
    }
    case "error":
      return {
        ...failure(
          "error",
          "backend_error",
          inToolWords(outcome.message),
          "Check the state with a query tool before you repeat it.",
        ),
        reason: outcome.code,
        idempotencyKey: outcome.operationId,
      };
    case "rejected":
      return rejection(outcome, special);
  }
}

interface Rejected {
  readonly operationId?: string;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

function rejection({ code, operationId, ...given }: Rejected, special: readonly SpecialStatus[]): Failure {
  const message = code === "operation_conflict"
    ? `The idempotencyKey ${JSON.stringify(operationId)} was used before, for a request with other content.`
    : inToolWords(given.message);
  const status = (["no_entity", "not_cancellable"] as const).find((one) => one === code && special.includes(one)) ??
    "rejected";
  const hint = given.hint ?? (HINTS as Readonly<Record<string, string>>)[code] ?? OTHER_REFUSAL;
  return { ...failure(status, errorCodeOf(code), message, hint), reason: code };
}

function errorCodeOf(code: string): ErrorCode {
  if (code.startsWith("invalid_")) return "invalid_input";
  return ERROR_CODES[code] ?? "rejected";
}

/** For a thrown error: a mistake of the caller or an unmet requirement, found before anything was sent, or a bug. */
export function failureOfError(error: ToolError): Failure {
  return failure(STATUSES[error.code] ?? "error", error.code, error.message, error.hint);
}

function failure(status: FailureStatus, code: ErrorCode, message: string, hint: string): Failure {
  const isUnsent = status === "error" && code === "invalid_input";
  return {
    status,
    message: isUnsent ? NOTHING_SENT : MEANINGS[status],
    error: { code, message: sentence(message), hint },
  };
}

const NOTHING_SENT = "Nothing was sent.";
const MEANINGS: Readonly<Record<FailureStatus, string>> = {
  rejected: "Rejected; nothing was changed.",
  timeout: "It is unknown whether it took effect.",
  not_connected: NOTHING_SENT,
  no_entity: NOTHING_SENT,
  not_cancellable: "Nothing was cancelled.",
  error: "The call failed.",
};

/** The tools that send an action, and the parameters that are its fields under another name. */
const TOOL_WORDS: Readonly<Record<string, string>> = {
  "order.submit": "mkt_create_test_order",
  "order.cancel": "mkt_cancel_order",
  "market.halt": "mkt_halt_market",
  "market.resume": "mkt_resume_market",
  "credit.setLimit": "mkt_set_credit_limit",
  "credit.setDocumentation": "mkt_set_documentation_status",
  "engine.flush": "mkt_flush_order_book",
  "market.flush": "mkt_flush_all_orders",
  "dev.reset": "mkt_dev_reset_credit_and_docs",
  operationId: "idempotencyKey",
  validUntil: "the time limit",
  payload: "arguments",
};
const PROTOCOL_WORD = new RegExp(
  `\\b(${Object.keys(TOOL_WORDS).map((word) => RegExp.escape(word)).join("|")})\\b`,
  "g",
);

function inToolWords(message: string): string {
  return message.replace(PROTOCOL_WORD, (word) => TOOL_WORDS[word] ?? word);
}

const CONNECT = "See mkt_connection_status; call mkt_connect_pubsub if it is disconnected.";
const OTHER_REFUSAL =
  "Nothing was changed. Correct what the message names, or wait until it has passed; then call again.";
const JOIN = "Connect as a user who belongs to an entity: see mkt_list_users, then call mkt_disconnect_pubsub and " +
  "mkt_connect_pubsub.";

const STATUSES: Readonly<Partial<Record<ErrorCode, FailureStatus>>> = {
  not_connected: "not_connected",
  timeout: "timeout",
  already_connected: "rejected",
  forbidden: "rejected",
  limit_exceeded: "rejected",
  not_found: "rejected",
  frozen: "rejected",
  shutting_down: "rejected",
  read_only: "rejected",
  rate_limited: "rejected",
};

const ERROR_CODES: Readonly<Record<string, ErrorCode>> = {
  forbidden: "forbidden",
  no_entity: "forbidden",
  wrong_secret: "forbidden",
  not_found: "not_found",
  not_configured: "not_configured",
  operation_conflict: "invalid_input",
  limit_exceeded: "limit_exceeded",
  rate_limited: "rate_limited",
  storage_full: "backend_unavailable",
  storage_missing: "backend_unavailable",
  clock_jumped: "backend_unavailable",
};

const HINTS: Readonly<Record<RejectionCode | SimulationConflictCode, string>> = {
  forbidden:
    "Act as a user who may do it, as the message says: mkt_disconnect_pubsub, then mkt_connect_pubsub with the " +
    "userId. mkt_list_users shows users and permissions.",
  no_entity: JOIN,
  not_found: "Give the right id; mkt_find_modules finds ids.",
  invalid_payload: "Correct the parameters that the message names.",
  invalid_quantity: "Give a multiple of the lot, which the message names.",
  invalid_price: "Give a multiple of the tick in the price range, which the message names.",
  invalid_time: "Give a market time from now on, at most 31 days ahead.",
  wrong_clock_mode: "The clock's mode does not allow this: see mkt_connection_status.",
  contract_expired: "Choose a contract that can still be traded: mkt_find_modules with moduleType CONTRACT, filters " +
    '{"status":"listed"}.',
  market_closed: "Send it in the next session, which the message names; mkt_get_market_state shows its times too.",
  not_cancellable: "Nothing to do: it is already filled or cancelled. orderDetails, or mkt_get_order, shows which.",
  not_modifiable: "Send a new order: this one is already filled or cancelled.",
  operation_conflict: "Give this request an idempotencyKey of its own, or repeat the first one unchanged.",
  limit_exceeded:
    "Send a smaller order, or cancel open ones: the operator of this server sets these limits. Nothing was changed.",
  too_late:
    "The request arrived too late and nothing was changed. If you still want it, call again with a new idempotencyKey.",
  wrong_secret: "Set STRESS_TEST_SECRET to the same value here and at the engine.",
  rate_limited: "Nothing was changed. Wait as long as the message says, and send fewer requests.",
  not_configured: "The engine offers this only if it was started with STRESS_TEST_SECRET.",
  storage_full:
    "Nothing was changed; reads still work. Ask the engine's operator to free space on its disk, then call again.",
  storage_missing:
    "Nothing was changed; reads still work. Tell the engine's operator at once, and don't call again before they have " +
    "answered.",
  clock_jumped:
    "Nothing was changed; reads and mkt_cancel_order still work. Ask the engine's operator to set its clock right or to " +
    "accept it, then call again.",
  already_running: "Keep the current run (see mkt_sim_status), or call mkt_sim_stop first.",
  stopping: "Watch mkt_sim_status and call again when its status is stopped.",
  not_running: "Call mkt_sim_start first.",
};
