// One socket to the engine: it opens, says hello, passes frames on, watches for a dead peer, and ends once.
//
// The link sends a ping every `pingMs`. It ends if the engine sends nothing for `silenceMs` (`openMs` before its first
// message), if a ping stays unanswered for `answerMs`, or if the snapshot is not whole after `synchronizeMs`. If a timer
// fires late, this process itself stood still (asleep, or short of processor time). Neither the silence nor the missing
// answer then proves anything, as frames may have arrived and not been read yet, so both count from then on.
//
// Invariants: `onEnd` is called at most once, and never after `close`. No frame is passed on after either.

import type { ClientMessage } from "../index.ts";
import { connectionFault } from "./connection-fault.ts";
import type { EngineClock } from "./engine-clock.ts";
import type { FrameReader, ReceivedMessage } from "./frame-reader.ts";

export interface LinkTimings {
  readonly pingMs: number;
  readonly silenceMs: number;
  /** From opening to the engine's first message. */
  readonly openMs: number;
  /** How long the engine may leave a ping unanswered once the snapshot is whole. */
  readonly answerMs: number;
  /** From opening to the end of the snapshot. */
  readonly synchronizeMs: number;
  /** How long closing waits for the engine's closing handshake. */
  readonly closeMs: number;
}

export type LinkEnd =
  | { readonly kind: "refused"; readonly code: string; readonly message: string }
  /** The engine sent something that can't be read, so this client lacks part of the state. */
  | { readonly kind: "unreadable"; readonly reason: string }
  | { readonly kind: "lost"; readonly reason: string };

/** For people, without a full stop. */
export function reasonOf(end: LinkEnd): string {
  return end.kind === "refused" ? `${end.code}: ${end.message}` : end.reason;
}

interface LinkOptions {
  readonly url: string;
  /** Called once, when the socket is open. */
  readonly hello: () => ClientMessage;
  readonly reader: Pick<FrameReader, "read">;
  readonly clock: EngineClock;
  readonly timings: LinkTimings;
  /** The messages of one frame, in their order. */
  readonly onFrame: (messages: readonly ReceivedMessage[]) => void;
  readonly onEnd: (end: LinkEnd) => void;
}

/** A timer that fires later than this shows that the process stood still. */
const STANDSTILL_MS = 1_000;

export class EngineLink {
  readonly #options: LinkOptions;
  readonly #socket: Bun.WebSocket;
  readonly #closed = Promise.withResolvers<void>();
  readonly #pinging: ReturnType<typeof setInterval>;
  readonly #synchronizing: ReturnType<typeof setTimeout>;
  #silence: ReturnType<typeof setTimeout>;
  #lastTraffic = performance.now();
  #helloAt = performance.now();
  /** When the last ping was due to be sent. */
  #lastTick = performance.now();
  /** When this process last came out of a standstill. */
  #movingSince = -Infinity;
  /** When the oldest ping without an answer went out. */
  #pingedAt: number | null = null;
  #pings = 0;
  #pongs = 0;
  /** Who waits for the answer to a ping, oldest first. */
  #readers: { readonly ping: number; readonly resolve: () => void }[] = [];
  /** Null until the snapshot is whole. */
  #synchronizedAt: number | null = null;
  #opened = false;
  #heard = false;
  #ended = false;

  constructor(options: LinkOptions) {
    this.#options = options;
    const { pingMs, synchronizeMs } = options.timings;
    this.#socket = new WebSocket(options.url) as Bun.WebSocket;
    this.#socket.addEventListener("open", () => {
      this.#opened = true;
      this.#helloAt = performance.now();
      this.send(options.hello());
    });
    this.#socket.addEventListener("message", ({ data }) => this.#receive(data));
    let fault = "nothing there accepts a connection";
    this.#socket.addEventListener("error", (event) => {
      fault = connectionFault((event as ErrorEvent).error);
    });
    this.#socket.addEventListener("close", ({ code, reason }) => {
      this.#closed.resolve();
      const how = this.#opened ? `the connection closed with code ${code}` : fault;
      this.end({ kind: "lost", reason: reason === "" ? how : reason });
    });
    this.#pinging = setInterval(() => this.#ping(), pingMs);
    this.#silence = this.#watchIn(this.#silenceLimitMs);
    this.#synchronizing = setTimeout(
      () => this.end({ kind: "lost", reason: `the engine sent no whole snapshot within ${synchronizeMs} ms` }),
      synchronizeMs,
    );
  }

  get hasSaidHello(): boolean {
    return this.#opened;
  }

  /** False: the socket is not open, and nothing was sent. */
  send(message: ClientMessage): boolean {
    if (this.#ended || this.#socket.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Resolves once everything is read that the engine has published until it gets this call's ping, or the link has ended. */
  caughtUp(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#sendPing()) this.#readers.push({ ping: this.#pings, resolve });
    else resolve();
    return promise;
  }

  /** Ends the link from this side; `onEnd` is told why. */
  end(end: LinkEnd): void {
    if (this.#ended) return;
    this.#stop();
    this.#socket.terminate();
    this.#options.onEnd(end);
  }

  /** Ends the link with a closing handshake, without a call of `onEnd`; resolves when the socket is closed. */
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

  get #silenceLimitMs(): number {
    const { silenceMs, openMs } = this.#options.timings;
    return this.#heard ? silenceMs : openMs;
  }

  #receive(frame: unknown): void {
    if (this.#ended) return;
    this.#lastTraffic = performance.now();
    if (!this.#heard) this.#hearFirst();
    const messages = this.#options.reader.read(frame);
    for (const message of messages) this.#note(message);
    this.#options.onFrame(messages);
    for (const message of messages) {
      if ("kind" in message && message.kind === "refused") this.end(message);
    }
  }

  #hearFirst(): void {
    this.#heard = true;
    clearTimeout(this.#silence);
    this.#silence = this.#watchIn(this.#silenceLimitMs);
  }

  #note(message: ReceivedMessage): void {
    if (!("kind" in message)) return;
    const { clock } = this.#options;
    clock.market.learn(message);
    if (message.kind === "welcome") clock.learn(message.time, performance.now() - this.#helloAt);
    if (message.kind === "pong") {
      clock.learn(message.time, this.#pingedAt === null ? Infinity : performance.now() - this.#pingedAt);
      this.#pingedAt = null;
      this.#pongs += 1;
      while (this.#readers[0] !== undefined && this.#readers[0].ping <= this.#pongs) this.#readers.shift()!.resolve();
    }
    if (message.kind === "snapshotEnd") {
      clearTimeout(this.#synchronizing);
      this.#synchronizedAt ??= performance.now();
    }
  }

  /** Pongs are queued behind the snapshot, so a ping counts as unanswered only from the end of the snapshot. */
  #ping(): void {
    const { answerMs } = this.#options.timings;
    const now = performance.now();
    this.#noteStandstill();
    this.#lastTick = now;
    if (this.#pingedAt !== null && this.#synchronizedAt !== null) {
      const waitedMs = now - Math.max(this.#pingedAt, this.#synchronizedAt, this.#movingSince);
      if (waitedMs >= answerMs) {
        return this.end({ kind: "lost", reason: `the engine answered no ping for ${answerMs} ms` });
      }
    }
    this.#sendPing();
  }

  #sendPing(): boolean {
    if (!this.send({ kind: "ping" })) return false;
    this.#pingedAt ??= performance.now();
    this.#pings += 1;
    return true;
  }

  #watchIn(waitMs: number): ReturnType<typeof setTimeout> {
    const due = performance.now() + waitMs;
    return setTimeout(() => this.#watch(performance.now() - due), waitMs);
  }

  #watch(lateMs: number): void {
    this.#noteStandstill(lateMs);
    const limitMs = this.#silenceLimitMs;
    const quietMs = performance.now() - Math.max(this.#lastTraffic, this.#movingSince);
    if (quietMs >= limitMs) return this.end({ kind: "lost", reason: `the engine was silent for ${limitMs} ms` });
    this.#silence = this.#watchIn(limitMs - quietMs);
  }

  /** `lateMs`: of a timer that fires now. The next ping may be late as well. */
  #noteStandstill(lateMs = 0): void {
    const now = performance.now();
    const pingLateMs = now - this.#lastTick - this.#options.timings.pingMs;
    if (Math.max(lateMs, pingLateMs) > STANDSTILL_MS) this.#movingSince = now;
  }

  #stop(): void {
    this.#ended = true;
    clearInterval(this.#pinging);
    clearTimeout(this.#silence);
    clearTimeout(this.#synchronizing);
    for (const { resolve } of this.#readers.splice(0)) resolve();
  }
}
