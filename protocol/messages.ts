// The messages of the WebSocket, in both directions.
//
// A frame is JSON text: one message or an array of messages. Every message has a `kind`, except the state message, which has
// a `statePath`. Order within a frame matters: for one command the engine sends states, events, removals of modules (`state`
// null), and the response.

import { z } from "zod";
import { ACTION_NAMES, id, text } from "./actions.ts";
import { clockSetting } from "./clock.ts";
import { permission } from "./permissions.ts";

export const PROTOCOL_VERSION = 1;

const sequence = z.number().int().min(0);
/**
 * Identifies one unbroken history of events. It is the engine's clock in microseconds at the start of the history, and the
 * number before the first event.
 */
const epoch = z.number().int().min(0);

/** A value that is no text counts as absent: a fault of a trace never refuses an operation. */
const traceField = z.string().optional().catch(undefined).optional();

export const clientMessage = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("hello"),
    protocol: z.number().int(),
    userId: id,
    token: z.string().optional(),
    resume: z.object({ epoch, sequence }).optional().describe("The last event the client has seen"),
    cancelOnDisconnect: z.boolean().optional().describe("Cancel the connection's orders when it ends"),
  }),
  z.object({
    kind: z.literal("request"),
    requestId: id,
    operationId: id.describe("Kept 24 hours for each user: a repeat gets the first answer"),
    action: z.enum(ACTION_NAMES),
    payload: z.unknown(),
    validUntil: z.iso.datetime().max(40).optional().describe(
      "Engine time, which is real, after which the request is rejected as too_late and changes nothing; absent: no limit",
    ),
    traceparent: traceField.describe(
      "W3C Trace Context of the caller, only if `welcome` has traceContext; no part of the operation",
    ),
    tracestate: traceField.describe("Goes with traceparent"),
  }),
  z.object({ kind: z.literal("ping") }),
]);

export const stateMessage = z.object({
  statePath: z.string().describe("/TYPE/id"),
  state: z.looseObject({ id }).nullable().describe("The whole module data; null removes the module"),
});

const times = {
  time: z.iso.datetime().describe("Engine time, which is real"),
  marketTime: z.iso.datetime().optional().describe("Market time at this moment; absent: engine time"),
  clock: clockSetting.optional().describe("How market time follows engine time; absent: it is engine time"),
};

const welcome = z.object({
  kind: z.literal("welcome"),
  engineId: id,
  userId: id,
  entityId: id.nullable(),
  capabilities: z.array(permission.or(z.string())),
  epoch,
  sequence: sequence.describe("The newest event when the connection was made"),
  traceContext: z.boolean().optional().describe("Whether a request may have traceparent and tracestate; absent: no"),
  ...times,
});

export const event = z.object({
  kind: z.literal("event"),
  sequence,
  type: z.string().min(1),
  time: z.iso.datetime().describe("Market time"),
  data: z.looseObject({}),
});

const RESPONSE_STATUSES = ["ok", "rejected", "error"] as const;

export const response = z.object({
  kind: z.literal("response"),
  requestId: id,
  operationId: id,
  status: z.enum(RESPONSE_STATUSES).describe("rejected: refused, nothing changed; error: the engine failed"),
  code: z.string().optional().describe("Reason if the status is not ok, for programs"),
  message: text.optional().describe("Reason if the status is not ok, for people"),
  result: z.looseObject({}).optional(),
});

export const taggedEngineMessage = z.discriminatedUnion("kind", [
  welcome,
  z.object({
    kind: z.literal("snapshotEnd"),
    sequence: sequence.describe("The newest event whose changes the snapshot contains"),
  }),
  event,
  z.object({ kind: z.literal("gap"), from: sequence, to: sequence }).describe("Events that can't be sent again"),
  response,
  z.object({ kind: z.literal("refused"), code: z.string(), message: z.string() }).describe("The connection ends"),
  z.object({ kind: z.literal("pong"), ...times }),
]);

export const engineMessage = z.union([stateMessage, taggedEngineMessage]);

export type ClientMessage = z.infer<typeof clientMessage>;
export type StateMessage = z.infer<typeof stateMessage>;
export type Welcome = z.infer<typeof welcome>;
export type EventMessage = z.infer<typeof event>;
export type ResponseMessage = z.infer<typeof response>;
/** What `welcome` and `pong` say about the time. */
export type EngineTimes = Pick<Welcome, "time" | "marketTime" | "clock">;
export type EngineMessage = z.infer<typeof engineMessage>;

/** Codes of a `refused` message. */
export const REFUSAL_CODES = [
  "unauthorized",
  "user_not_covered",
  "unknown_user",
  "unsupported_protocol",
  "invalid_message",
  "too_slow",
  "rate_limited",
  "too_many_connections",
  "shutting_down",
] as const;

/** Codes of a `rejected` response, and of a reject.order event. */
export const REJECTION_CODES = [
  "forbidden",
  "no_entity",
  "not_found",
  "invalid_payload",
  "invalid_quantity",
  "invalid_price",
  "contract_expired",
  "market_closed",
  "not_cancellable",
  "not_modifiable",
  "operation_conflict",
  "limit_exceeded",
  "too_late",
  "wrong_secret",
  "not_configured",
  "rate_limited",
  "storage_full",
  "storage_missing",
  "clock_jumped",
  "wrong_clock_mode",
  "invalid_time",
] as const;
export type RejectionCode = (typeof REJECTION_CODES)[number];
