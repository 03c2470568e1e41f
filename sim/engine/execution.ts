// What an engine gives back for one command: the states that changed, the events it numbered, the audit trail and the
// response. The face sends states, then events, then the response, in one frame.

import type { AuditEvent, EventMessage, ResponseMessage, StateMessage } from "../../core/protocol/index.ts";

export interface Execution {
  readonly states: readonly StateMessage[];
  readonly events: readonly EventMessage[];
  readonly audit: readonly AuditEvent[];
  /** Null for what no request asked for: the schedule, a disconnect. */
  readonly response: Omit<ResponseMessage, "kind" | "requestId"> | null;
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

/**
 * A market engine. It has no clock, no random numbers and no I/O: every call brings the time (milliseconds since the
 * epoch, never going back), and the same definition, epoch and calls give the same executions, byte for byte.
 */
export interface MarketEngine {
  readonly epoch: number;
  /** Number of the newest event; `epoch` before the first. */
  readonly sequence: number;
  /** Answers a request: parses it, checks permission and operationId, then carries it out whole or not at all. */
  execute(request: EngineRequest, now: number): Execution;
  /** Applies what the clock has brought about by `now`: sessions, expiries, releases, contracts that go to delivery. */
  advance(now: number): Execution;
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
  /** All there is to restore it from but definition and secret, as JSON values. */
  image(): Iterable<unknown>;
}

export interface EngineUser {
  readonly id: string;
  readonly entityId: string | null;
  readonly permissions: ReadonlySet<string>;
}
