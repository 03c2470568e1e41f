// The calls that changed an engine, as the journal keeps them. Applied in order to a new engine with the same header, they
// give the same state.
//
// `execute` is an accepted request, as parsed. `rejected` keeps the operationId and outcome of a rejected request, and of its
// payload only the terms that the audit trail has of a rejected order. `failed` marks a call on which the engine failed; a
// replay skips that call. Nothing else of a request that was not applied is in the journal.
//
// `newEpoch` starts a new history after records were lost: event numbers continue above all that were ever sent.
//
// `secret` records a start with another STRESS_TEST_SECRET, which decides on dev.reset. The journal holds only digests of
// secrets (secret-digest.ts).

import type { ClockSetting } from "../../protocol/index.ts";
import { fingerprintFrom } from "../api/fingerprint.ts";
import type { EngineRequest, Execution, MarketEngine, OperationName, RejectionTrace } from "../api/market-engine.ts";

/** A call that leads to an execution. */
export type AppliedCall =
  | (EngineRequest & { readonly kind: "execute"; readonly cancelOnDisconnect: boolean })
  | { readonly kind: "advance" }
  | { readonly kind: "setConnected"; readonly userId: string; readonly connected: boolean }
  | { readonly kind: "cancelDisconnected"; readonly orderIds: readonly string[] }
  | { readonly kind: "setClock"; readonly clock: ClockSetting };

/** A failed call, without its payload. */
export type FailedCall =
  | (OperationName & { readonly kind: "execute" })
  | Exclude<AppliedCall, { readonly kind: "execute" }>;

interface RejectionRecord extends Omit<RejectionTrace, "fingerprint"> {
  readonly kind: "rejected";
  /** As text. */
  readonly fingerprint: string;
}

/** When a call was made, in milliseconds since the epoch. */
export interface CallTimes {
  /** Market time. */
  readonly now: number;
  /** Real time; absent if market time is the same. */
  readonly realNow?: number | undefined;
}

export type JournalCall =
  & CallTimes
  & (
    | AppliedCall
    | (OperationName & RejectionRecord)
    | { readonly kind: "failed"; readonly call: FailedCall; readonly error: string }
    | { readonly kind: "secret"; readonly digest: string | null }
    | { readonly kind: "newEpoch"; readonly epoch: number }
  );

/** More events than clients can have seen after the last one that a journal still leads to. */
const NUMBERS_APART = 1_000_000_000;

/**
 * The call that begins a new epoch in a market that has come to `engine`. The epoch is the clock in microseconds; but if the
 * clock is wrong, the epoch is still above all event numbers that were given.
 * @param sequence the last event that is known
 */
export function newEpochAfter(
  engine: Pick<MarketEngine, "now" | "realNow">,
  sequence: number,
  now: number,
): JournalCall & { readonly kind: "newEpoch" } {
  const epoch = Math.max(now * 1000, sequence + NUMBERS_APART);
  return { kind: "newEpoch", epoch, now: engine.now, realNow: engine.realNow };
}

/** Applies a call to an engine. Null for calls without an execution. */
export function applyCall(engine: MarketEngine, call: JournalCall): Execution | null {
  const { now, realNow = now } = call;
  switch (call.kind) {
    case "execute":
      return engine.execute(call, now, realNow);
    case "rejected":
      return engine.recallRejection(call, { ...call, fingerprint: fingerprintFrom(call.fingerprint) }, now, realNow);
    case "advance":
      return engine.advance(now, realNow);
    case "setConnected":
      return engine.setConnected(call.userId, call.connected, now, realNow);
    case "cancelDisconnected":
      return engine.cancelDisconnected(call.orderIds, now, realNow);
    case "setClock":
      return engine.setClock(call.clock, now, realNow);
    case "failed":
      if (call.call.kind === "execute") engine.recallFailure(call.call, realNow);
      return null;
    case "secret":
      engine.setSecret(call.digest);
      return null;
    case "newEpoch":
      engine.beginEpoch(call.epoch);
      return null;
  }
}

/** Describes a call in a log line. */
export function describeCall(call: FailedCall): string {
  switch (call.kind) {
    case "execute":
      return `${call.action} of user ${call.userId}, operation ${call.operationId}`;
    case "advance":
      return "changes due by the schedule";
    case "setConnected":
      return `the ${call.connected ? "connection" : "disconnection"} of user ${call.userId}`;
    case "cancelDisconnected":
      return `the cancellation of ${call.orderIds.length} orders of an ended connection`;
    case "setClock":
      return `the change of the clock to ${call.clock.mode}, speed ${call.clock.speed}`;
  }
}
