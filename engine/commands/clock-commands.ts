// clock.set and clock.advance, and a change of the clock that no user asked for. None of them changes a module.
//
// clock.advance moves market time on and carries out everything due until then, each change at its own time. It
// leaves no audit event, because an agent in lockstep sends thousands; every event has market time anyway.

import { type ActionPayload, type ClockSetting, MAX_ADVANCE_MS } from "../../protocol/index.ts";
import { done, type Outcome, rejected } from "../api/outcome.ts";
import { isoTime } from "../../common/iso-time.ts";
import { timeFrom } from "../text/time-from.ts";
import { carryOutDue } from "../trading/schedule-changes.ts";
import type { Transaction } from "../transaction/transaction.ts";
import type { CommandContext } from "./command-context.ts";

export function setClockSpeed(
  transaction: Transaction,
  { speed }: ActionPayload<"clock.set">,
  { user }: CommandContext,
): Outcome {
  const { clock } = transaction.state;
  if (clock.mode === "lockstep") {
    return rejected(
      "wrong_clock_mode",
      "Market time stands still in lockstep and has no speed; clock.advance moves it.",
    );
  }
  if (speed !== clock.speed) changeClock(transaction, { mode: "fast", speed }, user.id);
  return done(clockResult(transaction));
}

export function advanceClock(
  transaction: Transaction,
  { to }: ActionPayload<"clock.advance">,
  { user }: CommandContext,
): Outcome {
  const { clock, now } = transaction.state;
  if (clock.mode !== "lockstep") {
    return rejected(
      "wrong_clock_mode",
      `Market time passes by itself, at speed ${clock.speed}; only in lockstep can it be moved.`,
    );
  }
  const time = timeFrom(to);
  if (time < now) return rejected("invalid_time", `Market time is ${isoTime(now)} and never goes back to ${to}.`);
  const latest = now + MAX_ADVANCE_MS;
  if (time > latest) return rejected("invalid_time", `Market time can be moved to ${isoTime(latest)} at most.`);
  if (time > now) {
    const { actor } = transaction;
    transaction.actor = null;
    carryOutDue(transaction, time);
    transaction.actor = actor;
    publishClock(transaction, user.id);
  }
  return done(clockResult(transaction));
}

/** `userId` null: no user asked for the change. */
export function changeClock(transaction: Transaction, clock: ClockSetting, userId: string | null): void {
  const { state } = transaction;
  const { mode: previousMode, speed: previousSpeed } = state.clock;
  state.clock = clock;
  publishClock(transaction, userId);
  transaction.record("clockSet", "SYSTEM", state.engineId, { ...clock, previousMode, previousSpeed });
}

function publishClock(transaction: Transaction, userId: string | null): void {
  const { clock: { mode, speed }, realNow } = transaction.state;
  transaction.publish("change.clock", { mode, speed, engineTime: isoTime(realNow), userId });
}

function clockResult({ state: { clock: { mode, speed }, now } }: Transaction) {
  return { clock: { mode, speed }, marketTime: isoTime(now) };
}
