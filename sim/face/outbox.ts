// What one connection has yet to be sent, in order. Messages that wait together leave in one frame: a frame costs a call of
// the system, however short it is.
//
// At most HIGH_WATER bytes lie in the socket's own buffer; the rest waits here until the socket has drained. The limit
// counts what came live after the snapshot, so that a market of any size can be handed over, and a consumer that does not
// keep up is known by what has piled up since.

import { DEFAULT_ENGINE_LIMITS } from "./engine-limits.ts";

/** The part of Bun's ServerWebSocket that a connection needs. */
export interface FrameSocket {
  /** 0: dropped, -1: queued, else the bytes sent. */
  send(text: string): number;
  getBufferedAmount(): number;
  close(code: number, reason: string): void;
}

const HIGH_WATER = 1 << 20;
/** Characters from which on a frame takes no further messages, and messages no longer wait for others. */
const FULL_FRAME = 64 << 10;

interface Waiting {
  /** A whole frame of the snapshot, or live messages that go into one frame, separated by commas. */
  readonly text: string;
  readonly live: boolean;
}

export class Outbox {
  #waiting: Waiting[] = [];
  #next = 0;
  #liveBacklog = 0;

  constructor(readonly socket: FrameSocket, readonly backlogLimit: number = DEFAULT_ENGINE_LIMITS.backlogBytes) {}

  /** Whether more waits than may: the connection has to be cut off. */
  get tooSlow(): boolean {
    return this.#liveBacklog > this.backlogLimit;
  }

  sendSnapshot(frames: readonly string[]): void {
    for (const text of frames) this.#waiting.push({ text, live: false });
    this.drain();
  }

  /** Takes messages that stay together, serialised and separated by commas; they leave with the next `drain`. */
  addLive(messages: string): void {
    this.#waiting.push({ text: messages, live: true });
    this.#liveBacklog += messages.length;
    if (this.#liveBacklog >= FULL_FRAME) this.drain();
  }

  /** Sends as much as the socket takes; to be called again when it has drained. */
  drain(): void {
    while (this.#next < this.#waiting.length && this.socket.getBufferedAmount() < HIGH_WATER) {
      const { frame, parts, liveLength } = this.#nextFrame();
      if (this.socket.send(frame) === 0) return;
      this.#next += parts;
      this.#liveBacklog -= liveLength;
    }
    if (this.#next === this.#waiting.length) this.#forget();
    else if (this.#next > 1000) {
      this.#waiting.splice(0, this.#next);
      this.#next = 0;
    }
  }

  /** A frame of the snapshot, or of live messages as many as it takes. */
  #nextFrame(): { frame: string; parts: number; liveLength: number } {
    const first = this.#waiting[this.#next];
    if (first !== undefined && !first.live) return { frame: first.text, parts: 1, liveLength: 0 };
    const messages: string[] = [];
    let liveLength = 0;
    for (let at = this.#next; at < this.#waiting.length && liveLength < FULL_FRAME; at++) {
      const { text, live } = this.#waiting[at]!;
      if (!live) break;
      messages.push(text);
      liveLength += text.length;
    }
    return { frame: `[${messages.join()}]`, parts: messages.length, liveLength };
  }

  /**
   * Sends one last frame and closes, in front of what still waits here: that is more than the socket has taken, the
   * connection ends anyway, and its client resumes after the last event it got.
   */
  end(text: string, code: number, reason: string): void {
    this.#forget();
    this.socket.send(text);
    this.socket.close(code, reason);
  }

  #forget(): void {
    this.#waiting = [];
    this.#next = 0;
    this.#liveBacklog = 0;
  }
}
