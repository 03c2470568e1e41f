// The calls that changed an engine, as the journal keeps them. Applied again in their order, to an engine that began
// alike, they give the same state.
//
// Of requests `execute` holds an accepted one, as parsed. `refused` holds what a refused one leaves: its operationId and
// its outcome, and nothing of its payload. `failed` marks a call on which the engine failed: it is left out. What a
// request asks for is in the journal only if it was carried out.
//
// `newEpoch` begins a history anew after records were lost: event numbers go on above all that anybody has seen.
//
// `secret` stands for a start under another STRESS_TEST_SECRET, which decides on dev.reset. Neither it nor a payload
// holds the secret itself: secret-digest.ts.

import type {
  EngineRequest,
  Execution,
  MarketEngine,
  OperationName,
  RefusalTrace,
} from "../engine/api/market-engine.ts";

/** A call that leads to an execution. */
export type AppliedCall =
  | (EngineRequest & { readonly kind: "execute"; readonly cancelOnDisconnect: boolean })
  | { readonly kind: "advance" }
  | { readonly kind: "setConnected"; readonly userId: string; readonly connected: boolean }
  | { readonly kind: "cancelDisconnected"; readonly orderIds: readonly string[] };

/** A call on which the engine failed, without its payload. */
export type FailedCall =
  | (OperationName & { readonly kind: "execute" })
  | Exclude<AppliedCall, { readonly kind: "execute" }>;

export type JournalCall =
  & { readonly now: number }
  & (
    | AppliedCall
    | (OperationName & RefusalTrace & { readonly kind: "refused" })
    | { readonly kind: "failed"; readonly call: FailedCall; readonly error: string }
    | { readonly kind: "secret"; readonly digest: string | null }
    | { readonly kind: "newEpoch"; readonly epoch: number }
  );

/** Null for what changes nothing that can be seen. */
export function applyCall(engine: MarketEngine, call: JournalCall): Execution | null {
  switch (call.kind) {
    case "execute":
      return engine.execute(call, call.now);
    case "refused":
      return engine.recallRefusal(call, call, call.now);
    case "advance":
      return engine.advance(call.now);
    case "setConnected":
      return engine.setConnected(call.userId, call.connected, call.now);
    case "cancelDisconnected":
      return engine.cancelDisconnected(call.orderIds, call.now);
    case "failed":
      if (call.call.kind === "execute") engine.recallFailure(call.call, call.now);
      return null;
    case "secret":
      engine.setSecret(call.digest);
      return null;
    case "newEpoch":
      engine.beginEpoch(call.epoch);
      return null;
  }
}

/** Names a call for people. */
export function describeCall(call: FailedCall): string {
  switch (call.kind) {
    case "execute":
      return `${call.action} of user ${call.userId}, operation ${call.operationId}`;
    case "advance":
      return "what the schedule had due";
    case "setConnected":
      return `the ${call.connected ? "arrival" : "departure"} of user ${call.userId}`;
    case "cancelDisconnected":
      return `the cancelling of ${call.orderIds.length} orders of a connection that ended`;
  }
}
