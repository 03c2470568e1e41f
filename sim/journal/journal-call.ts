// The calls that change an engine, as the journal keeps them. Applied again in their order, to an engine that began
// alike, they give the same executions.
//
// `secret` stands for a start under another STRESS_TEST_SECRET, which decides on dev.reset. Neither it nor a payload
// holds the secret itself: secret-digest.ts.

import type { EngineRequest, Execution, MarketEngine } from "../engine/execution.ts";

export type JournalCall =
  & { readonly now: number }
  & (
    | (EngineRequest & { readonly kind: "execute"; readonly cancelOnDisconnect: boolean })
    | { readonly kind: "advance" }
    | { readonly kind: "setConnected"; readonly userId: string; readonly connected: boolean }
    | { readonly kind: "cancelDisconnected"; readonly orderIds: readonly string[] }
    | { readonly kind: "secret"; readonly digest: string | null }
  );

/** Null for what the engine answers nothing to. */
export function applyCall(engine: MarketEngine, call: JournalCall): Execution | null {
  switch (call.kind) {
    case "execute":
      return engine.execute(call, call.now);
    case "advance":
      return engine.advance(call.now);
    case "setConnected":
      return engine.setConnected(call.userId, call.connected, call.now);
    case "cancelDisconnected":
      return engine.cancelDisconnected(call.orderIds, call.now);
    case "secret":
      engine.setSecret(call.digest);
      return null;
  }
}
