// What one connection has yet to be sent, in order: first its opening (welcome, snapshot, events missed), then what comes
// live. Messages that wait together leave in one frame: a frame costs a call of the system, however short it is.
//
// The opening is made a frame at a time, as the socket takes it, so a connection that never reads holds a few frames and
// not a market. What comes live meanwhile waits in two parts: states belong to the snapshot and go out before its end;
// events and responses follow it.
//
// At most HIGH_WATER bytes and a frame lie in the socket's own buffer; the rest waits here until the socket has drained. A
// consumer that does not keep up is known by what has piled up here, and in all send queues together (sendQueues.ts).

import type { SendQueues } from "./send-queues.ts";

/** The part of Bun's ServerWebSocket that a connection needs. */
export interface FrameSocket {
  /** 0: dropped, -1: queued, else the bytes sent. */
  send(text: string): number;
  getBufferedAmount(): number;
  close(code: number, reason: string): void;
  /** Ends it at once; what is buffered is lost. */
  terminate(): void;
}

const HIGH_WATER = 128 << 10;
/** Characters from which on a frame takes no further messages, and messages no longer wait for others. */
export const FULL_FRAME = 64 << 10;
/** Frames of an opening that are made before others get their turn: some milliseconds of work. */
const FRAMES_AT_ONCE = 8;

export class SendQueue {
  /** Null once it has been sent. */
  #opening: Iterator<string, undefined> | null = null;
  /** A frame of the opening that the socket has dropped. */
  #dropped: string | null = null;
  /** States for the snapshot that is being sent. */
  #states: string[] = [];
  /** Messages, separated by commas. */
  #waiting: string[] = [];
  #next = 0;
  #length = 0;
  #snapshotIsWhole = true;

  constructor(readonly socket: FrameSocket, readonly limit: number, private readonly sendQueues: SendQueues) {}

  /** Characters that wait here. */
  get length(): number {
    return this.#length;
  }

  /** Whether more waits than may: the connection has to be cut off. */
  get tooSlow(): boolean {
    return this.#length > this.limit || this.sendQueues.isLargestAboveLimit(this);
  }

  get isOpening(): boolean {
    return this.#opening !== null;
  }

  /** Whether `drain` has stopped so that others get their turn: the socket would take more of the opening. */
  get isPaused(): boolean {
    return this.isOpening && this.#hasRoom();
  }

  /**
   * Begins with these frames, taken one by one in `drain`. The snapshot among them takes `takeStates` until it is empty, and
   * then its end.
   */
  open(frames: Iterator<string, undefined>): void {
    this.#opening = frames;
    this.#snapshotIsWhole = false;
  }

  /** States that came since the snapshot began, serialised and separated by commas; null: none, and the snapshot is whole. */
  takeStates(): string | null {
    const states = this.#states.shift();
    if (states === undefined) {
      this.#snapshotIsWhole = true;
      return null;
    }
    this.#count(-states.length);
    return states;
  }

  /** Takes messages that stay together, each part serialised and separated by commas; they leave with the next `drain`. */
  addLive(states: string, others: string): void {
    if (!this.#snapshotIsWhole) {
      if (states !== "") this.#push(this.#states, states);
      if (others !== "") this.#push(this.#waiting, others);
      return;
    }
    const messages = joined(states, others);
    if (messages !== "") this.#push(this.#waiting, messages);
    if (this.#opening === null && this.#length >= FULL_FRAME) this.drain();
  }

  /**
   * Sends as much as the socket takes; to be called again when it has drained. While the opening is sent, only when
   * everything that was carried out has been handed on: the snapshot is read from the engine.
   */
  drain(): void {
    for (let frames = 0; this.#opening !== null && frames < FRAMES_AT_ONCE && this.#hasRoom(); frames++) {
      const frame = this.#dropped ?? this.#opening.next().value;
      if (frame === undefined) this.#opening = null;
      else if (this.socket.send(frame) === 0) {
        this.#dropped = frame;
        return;
      } else this.#dropped = null;
    }
    if (this.#opening === null) this.#drainLive();
  }

  #drainLive(): void {
    while (this.#next < this.#waiting.length && this.#hasRoom()) {
      const { frame, parts, length } = this.#nextFrame();
      if (this.socket.send(frame) === 0) return;
      this.#next += parts;
      this.#count(-length);
    }
    if (this.#next === this.#waiting.length) this.#empty();
    else if (this.#next > 1000) {
      this.#waiting.splice(0, this.#next);
      this.#next = 0;
    }
  }

  #hasRoom(): boolean {
    return this.socket.getBufferedAmount() < HIGH_WATER;
  }

  #nextFrame(): { frame: string; parts: number; length: number } {
    const messages: string[] = [];
    let length = 0;
    for (let at = this.#next; at < this.#waiting.length && length < FULL_FRAME; at++) {
      const text = this.#waiting[at]!;
      messages.push(text);
      length += text.length;
    }
    return { frame: `[${messages.join()}]`, parts: messages.length, length };
  }

  /**
   * Sends one last frame and closes, in front of what still waits here: that is more than the socket has taken, the
   * connection ends anyway, and its client resumes after the last event it got.
   */
  end(text: string, code: number, reason: string): void {
    this.forget();
    this.socket.send(text);
    this.socket.close(code, reason);
  }

  /** Nothing more is sent. */
  forget(): void {
    this.#opening = null;
    this.#states = [];
    this.#empty();
    this.#count(-this.#length);
    this.sendQueues.remove(this);
  }

  #push(queue: string[], text: string): void {
    queue.push(text);
    this.#count(text.length);
  }

  #empty(): void {
    this.#waiting = [];
    this.#next = 0;
  }

  #count(length: number): void {
    this.#length += length;
    this.sendQueues.count(this, length);
  }
}

export function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join();
}
