// Answers of routes that are sent as they come: how many there may be, and how they end. A stream holds no place of
// MCP_MAX_REQUESTS, so it has limits of its own.
//
// A stream ends with its source, when the client is gone, when the client has read nothing for STALLED_MS, when its token or
// its session is no longer valid, and when the process shuts down. In every case its source is ended too, and its place is
// given back.
// The source is only asked for a part when the client reads. One timer serves all streams.

import { errorStack } from "../../../common/error-message.ts";
import type { Logger } from "../../../common/logger.ts";
import { ToolError } from "../../error.ts";
import { Capacity } from "../../guardrails/capacity.ts";
import type { BodyInParts } from "./route-body.ts";

/** Streams that may run at once. */
export const MAX_STREAMS = 1_000;
/** Without a line for so long, a stream of events gets a comment, which keeps proxies from closing it. */
const KEEP_ALIVE_MS = 15_000;
const STALLED_MS = 60_000;
const TICK_MS = 1_000;

const KEEP_ALIVE = new TextEncoder().encode(": keep-alive\n");
const LINE_FEED = 0x0a;

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

export interface StreamRequest {
  /** For the log. */
  readonly name: string;
  /** Whose limit applies. */
  readonly client: string;
  readonly body: BodyInParts;
  /** Whether the body is server-sent events. */
  readonly isEvents: boolean;
  /** Aborts the signal of the handler. */
  readonly abort: () => void;
  /** Called once, when nothing more is sent. */
  readonly onEnd: () => void;
  /** Aborts when the client is gone. */
  readonly gone: AbortSignal;
  /** Whether the client's token is still valid. */
  readonly isAllowed: () => boolean;
  /** When the session of the browser ends; milliseconds since the epoch. Null: not by itself. */
  readonly endsAt: number | null;
}

export class RouteStreams {
  readonly #capacity: Capacity;
  readonly #running = new Set<RouteStream>();
  #timer: ReturnType<typeof setInterval> | null = null;
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
    const stream = new RouteStream(request, this.options.log, () => {
      this.#running.delete(stream);
      this.#capacity.release(request.client, 1);
      if (this.#running.size === 0) this.#stopTimer();
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

class RouteStream {
  readonly readable: ReadableStream<Uint8Array>;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  /** Whether the source is asked for a part, because the client reads. */
  #isPulled = false;
  #isAtLineStart = true;
  #hasEnded = false;
  /** When the client last read, or was last sent a part; milliseconds, as of performance.now(). */
  #lastMoved = performance.now();
  readonly #onGone = () => this.end();

  constructor(
    private readonly request: StreamRequest,
    private readonly log: Logger,
    private readonly release: () => void,
  ) {
    this.readable = new ReadableStream<Uint8Array>({
      start: (controller) => void (this.#controller = controller),
      pull: () => this.#pull(),
      cancel: () => this.#stopSource(),
    }, { highWaterMark: 0 });
    const { gone } = request;
    if (gone.aborted) queueMicrotask(this.#onGone);
    else gone.addEventListener("abort", this.#onGone);
  }

  get isAllowed(): boolean {
    return this.request.isAllowed();
  }

  /** Whether the session of the browser has ended by `now`. */
  isOver(now: number): boolean {
    const { endsAt } = this.request;
    return endsAt !== null && now >= endsAt;
  }

  /** Whether the client has read nothing since then. */
  isStalled(since: number): boolean {
    return !this.#isRead && this.#lastMoved < since;
  }

  /** Sends a comment if nothing was sent since then, and a comment may stand here. */
  keepAlive(since: number): void {
    if (!this.request.isEvents || !this.#isRead || !this.#isAtLineStart || this.#lastMoved >= since) return;
    this.#send(KEEP_ALIVE);
  }

  /** Ends the stream before its source has ended. */
  end(): void {
    if (this.#hasEnded) return;
    this.#stopSource();
    this.#controller.close();
  }

  /** Whether the client has read all that was sent, and waits for more. */
  get #isRead(): boolean {
    return this.#isPulled && this.#controller.desiredSize === 0;
  }

  async #pull(): Promise<void> {
    this.#isPulled = true;
    this.#lastMoved = performance.now();
    try {
      const part = await this.request.body.next();
      if (this.#hasEnded) return;
      if (part !== null) return this.#send(part);
      this.#ended();
      this.#controller.close();
    } catch (error) {
      if (!this.#hasEnded) this.#fail(error);
    } finally {
      this.#isPulled = false;
    }
  }

  /** The connection breaks off, so the client sees that something is missing. */
  #fail(error: unknown): void {
    this.#stopSource();
    this.log.error("the stream of {route} failed: {error}", { route: this.request.name, error: errorStack(error) });
    this.#controller.error(new Error("the stream failed"));
  }

  #send(part: Uint8Array): void {
    this.#lastMoved = performance.now();
    this.#isAtLineStart = part.at(-1) === LINE_FEED;
    this.#controller.enqueue(part);
  }

  #stopSource(): void {
    if (this.#hasEnded) return;
    this.#ended();
    this.request.abort();
    this.request.body.cancel();
  }

  #ended(): void {
    this.#hasEnded = true;
    this.request.gone.removeEventListener("abort", this.#onGone);
    this.release();
    this.request.onEnd();
  }
}
