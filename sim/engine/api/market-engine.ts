// What an engine gives back for one command: the states that changed, the events it numbered, the audit trail and the
// response. The server sends states, then events, then the response, in one frame.

import type { AuditEvent, EventMessage, ResponseMessage, StateMessage } from "../../../protocol/index.ts";
import type { Rejection } from "./outcome.ts";

import type { OpenOrderLimits } from "../commands/open-order-limits.ts";

export interface Execution {
  readonly states: readonly StateMessage[];
  readonly events: readonly EventMessage[];
  readonly audit: readonly AuditEvent[];
  /** Null for what no request asked for: the schedule, a disconnect. */
  readonly response: Omit<ResponseMessage, "kind" | "requestId"> | null;
  /** What the journal keeps of a request; null for one that left nothing, and for what no request asked for. */
  readonly trace: RequestTrace | null;
}

/** What a request has left in the engine. */
export type RequestTrace =
  /** `payload`: as parsed. Carried out again, it gives the same. */
  | { readonly kind: "accepted"; readonly payload: unknown }
  /** Nothing of its payload; `recallRefusal` takes it. */
  | ({ readonly kind: "refused" } & RefusalTrace);

export interface RefusalTrace {
  /** What tells a repeat from another request under the same id. */
  readonly fingerprint: string;
  readonly code: string;
  readonly message: string;
  readonly result?: Record<string, unknown>;
  /** How many events and audit events told of it. */
  readonly events: number;
  readonly audited: number;
}

export interface EngineRequest {
  readonly userId: string;
  readonly operationId: string;
  readonly action: string;
  /** Not yet parsed. */
  readonly payload: unknown;
  /** ISO time; a request that is carried out later is rejected and changes nothing. Absent: it is valid for ever. */
  readonly validUntil?: string | undefined;
}

/** Which request, without what it asked for. */
export type OperationName = Omit<EngineRequest, "payload">;

/**
 * A market engine. It has no clock, no random numbers and no I/O: every call brings the time (milliseconds since the
 * epoch, never going back), and the same definition, epoch and calls give the same executions, byte for byte.
 * A call that throws has met a broken invariant: the engine's state is then unknown, and it must not be called again.
 */
export interface MarketEngine {
  readonly epoch: number;
  /** Number of the newest event; `epoch` before the first. */
  readonly sequence: number;
  /**
   * Answers a request: parses it, checks permission and operationId, then carries it out whole or not at all.
   * @param instead if given, a request that was not answered before is refused with it, and leaves nothing
   */
  execute(request: EngineRequest, now: number, instead?: Rejection | null): Execution;
  /** Applies what the clock has brought about by `now`: sessions, expiries, releases, contracts that go to delivery. */
  advance(now: number): Execution;
  /** Takes over a refusal from a journal: a repeat gets the first answer, and its numbers are not given again. */
  recallRefusal(operation: OperationName, refusal: RefusalTrace, now: number): Execution;
  /** Takes note of a request that the engine failed on before a restart: it was not carried out, and a repeat is told so. */
  recallFailure(operation: OperationName, now: number): void;
  /** When `advance` next has something to do; null where nothing is scheduled. */
  nextDeadline(): number | null;
  /** Marks a user as connected or not, once for the first and the last connection. */
  setConnected(userId: string, connected: boolean, now: number): Execution;
  /** Cancels what is still open of these orders, with closeReason `disconnected`. */
  cancelDisconnected(orderIds: readonly string[], now: number): Execution;
  /** Every module as of now, parents before children, in a stable order. */
  snapshot(now: number): Iterable<StateMessage>;
  user(userId: string): EngineUser | undefined;
  /** Replaces the secret that dev.reset must bring; null: dev.reset is not configured. */
  setSecret(secret: string | null): void;
  /** Limits what orders are accepted from now on; there is no limit before. No journal needs to know. */
  setLimits(limits: OpenOrderLimits): void;
  /** Goes on with event numbers after `epoch`, because history was lost. */
  beginEpoch(epoch: number): void;
  /** All there is to restore it from but definition and secret, as JSON values. */
  checkpoint(): Iterable<unknown>;
}

export interface EngineUser {
  readonly id: string;
  readonly entityId: string | null;
  readonly permissions: ReadonlySet<string>;
}
