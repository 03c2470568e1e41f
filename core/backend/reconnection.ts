// Whether, when and how to connect again after a connection has ended.
//
// - Waits double from attempt to attempt, with jitter, and begin anew once a connection has proved good: its first pong.
//   While requests wait for their confirmation no wait is longer than `pendingRetryMs`, so that a link that is back is
//   found before their deadline.
// - A refusal that would come again is the end; but where this engine welcomed us before, only the third one in a row:
//   a hello that was garbled on its way may be refused for what nobody said.
// - What can't be read (frame-reader.ts) ends a connection: what it told is unknown, and a new one begins with the whole
//   snapshot. An engine that really is like that would never be connected so. After STRIKES such connections in a row the
//   next one is `tolerant`: it goes on without what it can't read, and after a while gives way to one that is not.

import { isFinal } from "./connection-errors.ts";
import type { LinkEnd } from "../../protocol/client/engine-link.ts";
import { Backoff } from "../../protocol/client/backoff.ts";

export interface ReconnectionTimings {
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
  readonly pendingRetryMs: number;
}

const STRIKES = 2;
const REFUSALS = 3;

export class Reconnection {
  readonly #backoff: Backoff;
  readonly #pendingRetryMs: number;
  #strikes = 0;
  #refusals = 0;

  constructor({ firstRetryMs, longestRetryMs, pendingRetryMs }: ReconnectionTimings) {
    this.#backoff = new Backoff(firstRetryMs, longestRetryMs);
    this.#pendingRetryMs = pendingRetryMs;
  }

  /** Whether a connection that begins now puts up with what it can't read. */
  get tolerant(): boolean {
    return this.#strikes >= STRIKES;
  }

  /**
   * How long to wait before the next attempt; null: make none. `established`: there was a session; the first attempt of a
   * caller who waits is repeated only to read it again. `pending`: requests wait for their confirmation.
   */
  after(end: LinkEnd, { established, pending }: { established: boolean; pending: boolean }): number | null {
    this.#refusals = isFinal(end) ? this.#refusals + 1 : 0;
    if (end.kind === "unreadable") this.#strikes += 1;
    if (!established && end.kind !== "unreadable") return null;
    if (this.#refusals >= REFUSALS) return null;
    return Math.min(this.#backoff.nextMs(), pending ? this.#pendingRetryMs : Infinity);
  }

  /** The connection has proved good. */
  proved(): void {
    this.#backoff.reset();
    if (!this.tolerant) this.#strikes = 0;
  }

  /** A tolerant connection gives way: the next one reads strictly, and its first strike brings tolerance back. */
  readAgain(): void {
    this.#strikes = STRIKES - 1;
  }

  /** For a connection that somebody asks for. */
  reset(): void {
    this.#backoff.reset();
    this.#strikes = 0;
    this.#refusals = 0;
  }
}
