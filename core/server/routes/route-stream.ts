// One answer of a route that is sent as it comes. Its source is only asked for a part when the client reads.
//
// However it ends, its source is ended too, and its owner is told once.
//
// A part is handed to the runtime a CHUNK at a time, as the client reads. The runtime keeps what it has until the connection
// closes, which may take seconds; the rest is here and is freed at once if the stream breaks off.

import { errorStack } from "../../../common/error-message.ts";
import type { Logger } from "../../../common/logger.ts";
import type { BodyInParts } from "./route-body.ts";

const KEEP_ALIVE = new TextEncoder().encode(": keep-alive\n");
const LINE_FEED = 0x0a;
const CHUNK_BYTES = 1 << 16;

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

interface StreamOwner {
  /** The unread bytes have grown; negative: they have shrunk. */
  readonly unread: (bytes: number) => void;
  readonly ended: () => void;
}

export class RouteStream {
  readonly readable: ReadableStream<Uint8Array>;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  /** Whether the source is asked for a part, because the client reads. */
  #isPulled = false;
  #isAtLineStart = true;
  #hasEnded = false;
  /** When the client last read, or was last sent a part; milliseconds, as of performance.now(). */
  #lastMoved = performance.now();
  /** Of the last part: what was not handed on yet. */
  #rest: Uint8Array | null = null;
  /** Of the last part, until the client asks for more. */
  #unreadBytes = 0;
  readonly #onGone = () => this.end();

  constructor(
    private readonly request: StreamRequest,
    private readonly log: Logger,
    private readonly owner: StreamOwner,
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

  get lastMoved(): number {
    return this.#lastMoved;
  }

  get unreadBytes(): number {
    return this.#unreadBytes;
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

  /** Ends the stream before its source has ended. A part that was sent in part is never taken for a whole one. */
  end(): void {
    if (this.#hasEnded) return;
    if (this.#rest !== null) return this.breakOff();
    this.#stopSource();
    this.#controller.close();
  }

  /** Ends the stream with its connection. */
  breakOff(): void {
    this.#stopSource();
    this.#controller.error(new Error("the client did not read all of it"));
  }

  /** Whether the client has read all that was sent, and waits for more. */
  get #isRead(): boolean {
    return this.#isPulled && this.#controller.desiredSize === 0;
  }

  async #pull(): Promise<void> {
    this.#isPulled = true;
    this.#lastMoved = performance.now();
    this.#setUnread(this.#rest?.byteLength ?? 0);
    try {
      const rest = this.#rest ?? await this.request.body.next();
      if (this.#hasEnded) return;
      if (rest !== null) return this.#sendChunk(rest);
      this.#ended();
      this.#controller.close();
    } catch (error) {
      if (!this.#hasEnded) this.#fail(error);
    } finally {
      this.#isPulled = false;
    }
  }

  #sendChunk(rest: Uint8Array): void {
    this.#rest = rest.byteLength > CHUNK_BYTES ? rest.subarray(CHUNK_BYTES) : null;
    this.#send(rest.subarray(0, CHUNK_BYTES));
    this.#setUnread(rest.byteLength);
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

  #setUnread(bytes: number): void {
    const grown = bytes - this.#unreadBytes;
    this.#unreadBytes = bytes;
    if (grown !== 0) this.owner.unread(grown);
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
    this.#rest = null;
    this.#setUnread(0);
    this.owner.ended();
    this.request.onEnd();
  }
}
