// `mkt doctor` on the engine: its id, its clock and its version compared with what they should be, and whether it accepts
// changes.
//
// The clocks are compared as NTP does: the engine's time in an answer belongs to the middle between question and answer, and
// half of the time in between is the uncertainty. The quickest of several answers counts. A warning needs a difference that is
// above the limit whatever the uncertainty is.

import { lengthText } from "../../common/length-text.ts";
import type { Health } from "../../core/backend/state-client.ts";
import { ToolError } from "../../core/error.ts";
import type { Answer, Finding } from "./finding.ts";

/** One question and its answer; milliseconds since the epoch. */
export interface ClockSample {
  readonly askedAt: number;
  readonly answeredAt: number;
  readonly engineTime: number;
}

const SAMPLES = 5;
/** A larger difference shows in logs that are compared, and in contracts that close too early or too late. */
const MOST_DIFFERENCE_MS = 1_000;
/** Of the engine's time stamps. */
const RESOLUTION_MS = 1;

interface ClockSources {
  /** Over HTTP; null: the engine does not answer there. */
  readonly health: (() => Promise<Health>) | null;
  /** Over the WebSocket, for an engine that does not tell its time over HTTP; null: not known. */
  readonly fromWebSocket: () => ClockSample | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export async function examineClock({ health, fromWebSocket, now }: ClockSources): Promise<Finding> {
  const subject = "clock";
  const samples: ClockSample[] = [];
  try {
    for (let count = 0; health !== null && count < SAMPLES; count++) {
      const askedAt = now();
      const { time, clockJumpSeconds } = await health();
      if (clockJumpSeconds !== 0) return { subject, ...jumpFinding(clockJumpSeconds) };
      if (time === null) break;
      samples.push({ askedAt, answeredAt: now(), engineTime: Date.parse(time) });
    }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
  }
  const other = samples.length === 0 ? fromWebSocket() : null;
  if (other !== null) samples.push(other);
  if (samples.length === 0) return { subject, state: "off", detail: "not compared: the engine has not told its time" };
  return { subject, ...clockFinding(samples) };
}

function jumpFinding(seconds: number): Answer {
  const jump = `the clock of the engine's machine has jumped ${seconds > 0 ? "ahead" : "back"} by ${
    lengthText(seconds * 1000)
  }`;
  const detail =
    `${jump}, so trading has stopped: set that clock right, and trading goes on. Only if the new time is the right ` +
    "one: mkt accept-clock. Don't restart the engine before: a start follows the clock";
  return { state: "failed", detail };
}

/** `samples`: at least one. */
export function clockFinding(samples: readonly ClockSample[]): Answer {
  const delayOf = ({ askedAt, answeredAt }: ClockSample) => answeredAt - askedAt;
  const best = samples.reduce((least, sample) => delayOf(sample) < delayOf(least) ? sample : least);
  const uncertaintyMs = delayOf(best) / 2 + RESOLUTION_MS;
  const differenceMs = best.engineTime - (best.askedAt + best.answeredAt) / 2;
  const distance = `${seconds(Math.abs(differenceMs))} (± ${seconds(uncertaintyMs)})`;
  if (Math.abs(differenceMs) - uncertaintyMs <= MOST_DIFFERENCE_MS) {
    return { state: "ok", detail: `${distance} from the engine's` };
  }
  const detail =
    `the engine's clock is ${distance} ${differenceMs > 0 ? "ahead of" : "behind"} this host's, so the call log and ` +
    "the market's time stamps don't agree; run a time service on both hosts (chrony, systemd-timesyncd, w32time)";
  return { state: "warning", detail };
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(3)} s`;
}

/** `health`: null if the engine does not answer. Another engine than mkt's own has no version of mkt. */
export function examineVersions(own: string, health: Pick<Health, "version"> | null): Finding {
  const subject = "versions";
  if (health === null) {
    return { subject, state: "off", detail: `mkt ${own}; the engine's is not known: it does not answer` };
  }
  const { version } = health;
  if (version === null) return { subject, state: "off", detail: `mkt ${own}; the engine tells no version of mkt` };
  if (version === own) return { subject, state: "ok", detail: `mkt ${own} on both sides` };
  const detail =
    `this is mkt ${own}, and the engine is mkt ${version}: install the same version on both sides, the engine's first`;
  return { subject, state: "warning", detail };
}

/** `expected`: MKT_ENGINE_ID, or null. `health`: null if the engine does not answer. */
export function examineIdentity(expected: string | null, health: Pick<Health, "engineId"> | null): Finding {
  const subject = "engine";
  if (health === null) return { subject, state: "off", detail: "not known: it does not answer" };
  const { engineId } = health;
  if (expected === null) {
    const detail = `${engineId}; MKT_ENGINE_ID is not set, so an engine with another market would be accepted too`;
    return { subject, state: "off", detail };
  }
  if (engineId === expected) return { subject, state: "ok", detail: `${engineId}, as MKT_ENGINE_ID says` };
  const detail =
    `it is ${engineId}, and MKT_ENGINE_ID says ${expected}: the engine at this address has another market. ` +
    `Start the right one with its data, or set MKT_ENGINE_ID to ${engineId}`;
  return { subject, state: "failed", detail };
}

/** `health`: null if the engine does not answer. */
export function examineRefusal(health: Pick<Health, "refusal"> | null): Finding {
  const subject = "changes";
  if (health === null) return { subject, state: "off", detail: "not known: the engine does not answer" };
  const { refusal } = health;
  if (refusal === null) return { subject, state: "ok", detail: "the engine accepts them" };
  return { subject, state: "failed", detail: `the engine rejects all of them (${refusal.code}): ${refusal.message}` };
}
