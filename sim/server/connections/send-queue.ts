// The frames that wait to be sent to one connection: first the initial frames (initial-frames.ts), then live messages.
// Messages that wait together leave in one frame, since each frame costs a system call.
//
// Initial frames are made one at a time, as the socket takes them. So a connection that does not read takes the memory
// of a few frames, not of a whole market. Live states and removals that arrive meanwhile are sent before the end of the
// snapshot; live events and responses follow it.
//
// The socket's own buffer holds at most HIGH_WATER characters and one frame. The rest waits here until the socket has
// drained. A consumer is slow if too many characters wait here, or in all queues together (send-queues.ts).

import type { SerializedMessages } from "../publication/visible-messages.ts";
import type { SendQueues } from "./send-queues.ts";

/** The part of Bun's ServerWebSocket that a connection needs. */
export interface FrameSocket {
  /** 0: dropped; -1: queued; else the number of bytes sent. */
  send(text: string): number;
  getBufferedAmount(): number;
  close(code: number, reason: string): void;
  /** Ends the socket at once, and loses its buffer. */
  terminate(): void;
}

const HIGH_WATER = 128 << 10;
/** A frame of this many characters takes no further message, and is sent without waiting for others. */
export const FULL_FRAME = 64 << 10;
/** Initial frames that are made before other connections get their turn. Making them takes some milliseconds. */
const INITIAL_FRAMES_AT_ONCE = 8;

export class SendQueue {
  /** Null once they are sent. */
  #initialFrames: Iterator<string, undefined> | null = null;
  /** An initial frame that the socket has dropped. */
  #dropped: string | null = null;
  /** Live states that must be sent before the snapshot ends. */
  #states: string[] = [];
  #isSnapshotComplete = true;
  /** Live messages, separated by commas. */
  #live: string[] = [];
  /** Index in #live of the next one to send. */
  #next = 0;
  #length = 0;

  constructor(readonly socket: FrameSocket, readonly limit: number, private readonly all: SendQueues) {}

  /** Characters that wait here. */
  get length(): number {
    return this.#length;
  }

  get isTooSlow(): boolean {
    return this.#length > this.limit || this.all.isLargestAboveLimit(this);
  }

  get isSendingInitialFrames(): boolean {
    return this.#initialFrames !== null;
  }

  /** Whether `drain` has stopped only to give other connections their turn: the socket would take more frames. */
  get isPaused(): boolean {
    return this.isSendingInitialFrames && this.#socketHasSpace();
  }

  /** Begins with these frames, which `drain` reads one by one. They must call `takeStates` until it returns null. */
  begin(frames: Iterator<string, undefined>): void {
    this.#initialFrames = frames;
    this.#isSnapshotComplete = false;
  }

  /** Live states since the snapshot began, serialised and separated by commas; null: none, and the snapshot is complete. */
  takeStates(): string | null {
    const states = this.#states.shift();
    if (states === undefined) {
      this.#isSnapshotComplete = true;
      return null;
    }
    this.#count(-states.length);
    return states;
  }

  /** Adds messages that belong together. They leave with the next `drain`. */
  addLive({ states, events, removals, response }: SerializedMessages): void {
    if (!this.#isSnapshotComplete) {
      this.#push(this.#states, joined(states, removals));
      this.#push(this.#live, joined(events, response));
      return;
    }
    this.#push(this.#live, joined(states, events, removals, response));
    if (this.#initialFrames === null && this.#length >= FULL_FRAME) this.drain();
  }

  /**
   * Sends as much as the socket takes. Must be called again when the socket has drained. While initial frames are sent,
   * the caller must first flush the host: the snapshot is read from the engine.
   */
  drain(): void {
    for (let frames = 0; frames < INITIAL_FRAMES_AT_ONCE; frames++) {
      if (this.#initialFrames === null || !this.#socketHasSpace()) break;
      const frame = this.#dropped ?? this.#initialFrames.next().value;
      if (frame === undefined) this.#initialFrames = null;
      else if (this.socket.send(frame) === 0) {
        this.#dropped = frame;
        return;
      } else this.#dropped = null;
    }
    if (this.#initialFrames === null) this.#drainLive();
  }

  /** Drops everything that is queued. Nothing more may be added. */
  close(): void {
    this.#initialFrames = null;
    this.#states = [];
    this.#clearLive();
    this.#count(-this.#length);
    this.all.remove(this);
  }

  #drainLive(): void {
    while (this.#next < this.#live.length && this.#socketHasSpace()) {
      const { frame, parts, length } = this.#nextFrame();
      if (this.socket.send(frame) === 0) return;
      this.#next += parts;
      this.#count(-length);
    }
    if (this.#next === this.#live.length) this.#clearLive();
    else if (this.#next > 1000) {
      this.#live.splice(0, this.#next);
      this.#next = 0;
    }
  }

  #nextFrame(): { frame: string; parts: number; length: number } {
    const messages: string[] = [];
    let length = 0;
    for (let at = this.#next; at < this.#live.length && length < FULL_FRAME; at++) {
      const text = this.#live[at]!;
      messages.push(text);
      length += text.length;
    }
    return { frame: `[${messages.join()}]`, parts: messages.length, length };
  }

  #socketHasSpace(): boolean {
    return this.socket.getBufferedAmount() < HIGH_WATER;
  }

  #push(queue: string[], text: string): void {
    if (text === "") return;
    queue.push(text);
    this.#count(text.length);
  }

  #clearLive(): void {
    this.#live = [];
    this.#next = 0;
  }

  #count(length: number): void {
    this.#length += length;
    this.all.count(this, length);
  }
}

function joined(...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join();
}
