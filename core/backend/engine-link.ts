// The life of one socket to the engine: it opens, says hello, passes frames on, keeps watch, and ends once.
//
// Watch: a ping every `pingMs`; silence for `silenceMs`, or a snapshot that is not whole after `synchronizeMs`, ends the
// link. Invariants: `ended` is called once at most, never after `close`, and no frame is passed on after either.

import type { ClientMessage, EngineMessage } from "../protocol/index.ts";
import type { EngineClock } from "./engine-clock.ts";
import type { FrameReader } from "./frame-reader.ts";

export interface LinkTimings {
  readonly pingMs: number;
  readonly silenceMs: number;
  /** From opening to the end of the snapshot. */
  readonly synchronizeMs: number;
  /** How long closing waits for the engine's part in it. */
  readonly closeMs: number;
}

export type LinkEnd =
  /** The engine turned us away. */
  | { readonly kind: "refused"; readonly code: string; readonly message: string }
  | { readonly kind: "lost"; readonly reason: string };

export interface LinkOptions {
  readonly url: string;
  readonly hello: ClientMessage;
  readonly reader: FrameReader;
  readonly clock: EngineClock;
  readonly timings: LinkTimings;
  /** The messages of one frame, in their order. */
  readonly onFrame: (messages: readonly EngineMessage[]) => void;
  readonly onEnd: (end: LinkEnd) => void;
}

export class EngineLink {
  readonly #options: LinkOptions;
  readonly #socket: Bun.WebSocket;
  readonly #closed = Promise.withResolvers<void>();
  readonly #pings: ReturnType<typeof setInterval>;
  #silence: ReturnType<typeof setTimeout>;
  readonly #synchronizing: ReturnType<typeof setTimeout>;
  #lastTraffic = performance.now();
  #lastPing = 0;
  #opened = false;
  #ended = false;

  constructor(options: LinkOptions) {
    this.#options = options;
    const { pingMs, silenceMs, synchronizeMs } = options.timings;
    this.#socket = new WebSocket(options.url) as Bun.WebSocket;
    this.#socket.addEventListener("open", () => {
      this.#opened = true;
      this.send(options.hello);
    });
    this.#socket.addEventListener("message", ({ data }) => this.#receive(data));
    this.#socket.addEventListener("close", ({ code, reason }) => {
      this.#closed.resolve();
      const how = this.#opened ? `the connection closed with code ${code}` : "nothing there accepts a connection";
      this.end({ kind: "lost", reason: reason === "" ? how : reason });
    });
    this.#pings = setInterval(() => this.#ping(), pingMs);
    this.#silence = setTimeout(() => this.#watch(), silenceMs);
    this.#synchronizing = setTimeout(
      () => this.end({ kind: "lost", reason: `the engine sent no whole snapshot within ${synchronizeMs} ms` }),
      synchronizeMs,
    );
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Whether it went out; false where the socket is not open. */
  send(message: ClientMessage): boolean {
    if (this.#ended || this.#socket.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Ends it from here for a reason that `onEnd` is told. */
  end(end: LinkEnd): void {
    if (this.#ended) return;
    this.#stop();
    this.#socket.terminate();
    this.#options.onEnd(end);
  }

  /** Ends it in order, without a word to `onEnd`; resolves when the socket is closed. */
  async close(): Promise<void> {
    if (this.#ended) return;
    this.#stop();
    this.#socket.close(1000);
    const overdue = setTimeout(() => {
      this.#socket.terminate();
      this.#closed.resolve();
    }, this.#options.timings.closeMs);
    await this.#closed.promise;
    clearTimeout(overdue);
  }

  #receive(frame: unknown): void {
    if (this.#ended) return;
    this.#lastTraffic = performance.now();
    const messages = this.#options.reader.read(frame);
    for (const message of messages) this.#note(message);
    this.#options.onFrame(messages);
    for (const message of messages) {
      if ("kind" in message && message.kind === "refused") this.end(message);
    }
  }

  #note(message: EngineMessage): void {
    if (!("kind" in message)) return;
    if (message.kind === "welcome") this.#options.clock.learn(message.time);
    if (message.kind === "pong") this.#options.clock.learn(message.time, performance.now() - this.#lastPing);
    if (message.kind === "snapshotEnd") clearTimeout(this.#synchronizing);
  }

  #ping(): void {
    this.#lastPing = performance.now();
    this.send({ kind: "ping" });
  }

  #watch(): void {
    const { silenceMs } = this.#options.timings;
    const quietMs = performance.now() - this.#lastTraffic;
    if (quietMs >= silenceMs) return this.end({ kind: "lost", reason: `the engine was silent for ${silenceMs} ms` });
    this.#silence = setTimeout(() => this.#watch(), silenceMs - quietMs);
  }

  #stop(): void {
    this.#ended = true;
    clearInterval(this.#pings);
    clearTimeout(this.#silence);
    clearTimeout(this.#synchronizing);
  }
}
