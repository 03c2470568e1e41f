// Whether and when to connect again after a connection has ended.
//
// - Waits grow from attempt to attempt (Backoff) and start over once a connection has answered a ping. While requests wait
//   for their response no wait is longer than `pendingRetryMs`, so that a working link is found before their deadline.
// - A final refusal would be repeated by every later attempt. The client gives up after `finalRefusals` of them in a row.
//   More than one is sensible if the engine has welcomed this user before: the hello may have been garbled on its way.
// - An unreadable message (frame-reader.ts) ends the connection, because the next one begins with a whole snapshot. An engine
//   that always sends such messages would cause an endless loop. So after STRIKES such connections in a row the next one is
//   `tolerant`: it skips what it can't read. After a while a connection that reads strictly replaces it.

import { Backoff } from "./backoff.ts";
import type { LinkEnd } from "./engine-link.ts";

export interface RetryPolicy {
  /** Whether to try again if the first attempt fails. After something unreadable it is repeated in any case. */
  readonly retriesFirstAttempt: boolean;
  /** The number of final refusals in a row that ends all attempts. */
  readonly finalRefusals: number;
}

export interface ReconnectionTimings {
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
  /** The longest wait while requests wait for their response; `longestRetryMs` if absent. */
  readonly pendingRetryMs?: number;
}

const STRIKES = 2;

/** Codes of a refusal that another attempt would meet again. */
const FINAL_REFUSALS: ReadonlySet<string> = new Set([
  "unauthorized",
  "user_not_covered",
  "unknown_user",
  "unsupported_protocol",
  "wrong_user",
]);

export function isFinal(end: LinkEnd): boolean {
  return end.kind === "refused" && FINAL_REFUSALS.has(end.code);
}

export class Reconnection {
  readonly #backoff: Backoff;
  #strikes = 0;
  #refusals = 0;

  constructor(private readonly timings: ReconnectionTimings, private readonly policy: RetryPolicy) {
    this.#backoff = new Backoff(timings.firstRetryMs, timings.longestRetryMs);
  }

  /** Whether a connection that begins now skips what it can't read. */
  get tolerant(): boolean {
    return this.#strikes >= STRIKES;
  }

  /**
   * Milliseconds to wait before the next attempt; null: make none. `established`: there was a connection with a whole
   * snapshot before. `pending`: requests wait for their response.
   */
  after(end: LinkEnd, { established, pending }: { established: boolean; pending: boolean }): number | null {
    const { retriesFirstAttempt, finalRefusals } = this.policy;
    this.#refusals = isFinal(end) ? this.#refusals + 1 : 0;
    if (end.kind === "unreadable") this.#strikes += 1;
    if (!established && !retriesFirstAttempt && end.kind !== "unreadable") return null;
    if (this.#refusals >= finalRefusals) return null;
    const { pendingRetryMs = Infinity } = this.timings;
    return Math.min(this.#backoff.nextMs(), pending ? pendingRetryMs : Infinity);
  }

  /** The connection works: it has answered a ping. */
  proved(): void {
    this.#backoff.reset();
    if (!this.tolerant) this.#strikes = 0;
  }

  /** Ends tolerance: the next connection reads strictly, and one unreadable message makes the one after it tolerant. */
  readAgain(): void {
    this.#strikes = STRIKES - 1;
  }
}
