// Answers of routes that are sent as they come: how many there may be, and how they end. A stream holds no place of
// MCP_MAX_REQUESTS, so it has limits of its own.
//
// A stream ends with its source, when the client is gone, when the client has read nothing for STALLED_MS, when its token or
// its session is no longer valid, and when the process shuts down. In every case its source is ended too, and its place is
// given back.
// The source is only asked for a part when the client reads. One timer serves all streams.
//
// A client that reads nothing leaves one part unread here, which may be large. If all of them together are more than
// MAX_UNREAD_BYTES, the streams whose clients have read nothing for the longest time break off. They go on where they were when
// the client connects again.

import type { Logger } from "../../../common/logger.ts";
import { ToolError } from "../../error.ts";
import { Capacity } from "../../guardrails/capacity.ts";
import { RouteStream, type StreamRequest } from "./route-stream.ts";

/** Streams that may run at once. */
export const MAX_STREAMS = 1_000;
/** Without a line for so long, a stream of events gets a comment, which keeps proxies from closing it. */
const KEEP_ALIVE_MS = 15_000;
const STALLED_MS = 60_000;
const TICK_MS = 1_000;
/** Parts of all streams that their clients have not taken. */
export const MAX_UNREAD_BYTES = 64 << 20;

interface RouteStreamsOptions {
  /** The limit for one client. */
  readonly mostForOne: () => number;
  /** Aborts when the process begins to end. */
  readonly ending: AbortSignal;
  /** Changes when a token that was accepted may have become invalid. */
  readonly tokenChanges: () => number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Logger;
}

export class RouteStreams {
  readonly #capacity: Capacity;
  readonly #running = new Set<RouteStream>();
  #timer: ReturnType<typeof setInterval> | null = null;
  #unreadBytes = 0;
  #isLookScheduled = false;
  #tokenChanges = 0;

  constructor(private readonly options: RouteStreamsOptions) {
    this.#capacity = new Capacity(MAX_STREAMS, options.mostForOne);
    options.ending.addEventListener("abort", () => {
      for (const stream of [...this.#running]) stream.end();
    });
  }

  /** The number of streams that run now. */
  get count(): number {
    return this.#running.size;
  }

  /** The body to send. Throws ToolError `rate_limited`, `forbidden` or `shutting_down`, and ends the source then. */
  begin(request: StreamRequest): ReadableStream<Uint8Array> {
    const refusal = this.#refusal(request);
    if (refusal !== null) {
      request.body.cancel();
      request.abort();
      throw refusal;
    }
    const stream = new RouteStream(request, this.options.log, {
      unread: (bytes) => this.#unread(bytes),
      ended: () => {
        this.#running.delete(stream);
        this.#capacity.release(request.client, 1);
        if (this.#running.size === 0) this.#stopTimer();
      },
    });
    this.#running.add(stream);
    this.#startTimer();
    return stream.readable;
  }

  #refusal({ client, isAllowed }: StreamRequest): ToolError | null {
    const { ending, mostForOne } = this.options;
    if (ending.aborted) {
      return new ToolError("shutting_down", "This server is shutting down.", "Connect again once it is back.");
    }
    // The token may have been revoked while the handler ran, and a tick may have seen that change already.
    if (!isAllowed()) {
      return new ToolError("forbidden", "The token of this request is no longer valid.", "Use a valid token.");
    }
    const taken = this.#capacity.take(client, 1);
    if (taken === "taken") return null;
    const running = taken === "full" ? `${MAX_STREAMS} streams` : `${mostForOne()} streams of yours`;
    return new ToolError("rate_limited", `${running} are already running.`, "End one, or try again later.");
  }

  /** Counts parts, and looks for streams to end once those clients that read have taken theirs. */
  #unread(bytes: number): void {
    this.#unreadBytes += bytes;
    if (this.#unreadBytes <= MAX_UNREAD_BYTES || this.#isLookScheduled) return;
    this.#isLookScheduled = true;
    setImmediate(() => {
      this.#isLookScheduled = false;
      this.#breakOffUnread();
    });
  }

  #breakOffUnread(): void {
    let count = 0;
    for (const stream of [...this.#running].sort((one, other) => one.lastMoved - other.lastMoved)) {
      if (this.#unreadBytes <= MAX_UNREAD_BYTES) break;
      if (stream.unreadBytes === 0) continue;
      stream.breakOff();
      count += 1;
    }
    if (count > 0) this.options.log.warn("streams broken off, whose clients did not read: {count}", { count });
  }

  #startTimer(): void {
    if (this.#timer !== null) return;
    this.#tokenChanges = this.options.tokenChanges();
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #tick(): void {
    const changes = this.options.tokenChanges();
    const now = performance.now();
    const today = this.options.now();
    for (const stream of [...this.#running]) {
      const isRevoked = changes !== this.#tokenChanges && !stream.isAllowed;
      if (isRevoked || stream.isOver(today) || stream.isStalled(now - STALLED_MS)) stream.end();
      else stream.keepAlive(now - KEEP_ALIVE_MS);
    }
    this.#tokenChanges = changes;
  }
}
