// The frames that wait to be sent to one connection: first the initial frames (initial-frames.ts), then live ones.
//
// Initial frames are made one at a time, as the socket takes them. So a connection that does not read takes the memory
// of a few frames, not of a whole market. Live states and removals that arrive meanwhile are sent before the end of the
// snapshot; all other live messages follow it.
//
// The socket's own buffer holds at most HIGH_WATER characters and one frame. The rest waits here until the socket has
// drained. A consumer is slow if too many characters wait here, or in all queues together (send-queues.ts). Connections that
// see the same are given the same text objects, so these take less memory than is counted.

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
/** Initial frames that are made before other connections get their turn. Making them takes some milliseconds. */
const INITIAL_FRAMES_AT_ONCE = 8;
/** Sent frames that are kept before the array is cut. */
const MAX_SENT = 1000;

export class SendQueue {
  /** Null once they are sent. */
  #initialFrames: Iterator<string, undefined> | null = null;
  /** An initial frame that the socket has dropped. */
  #dropped: string | null = null;
  /** Live states that must be sent before the snapshot ends. */
  #states: string[] = [];
  #isSnapshotComplete = true;
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

  /** False until the end of the snapshot has been made. */
  get isSnapshotComplete(): boolean {
    return this.#isSnapshotComplete;
  }

  /** Whether `drain` has stopped only to give other connections their turn: the socket would take more frames. */
  get isPaused(): boolean {
    return this.isSendingInitialFrames && this.#socketHasSpace();
  }

  /** Begins with these frames, which `drain` reads one by one. */
  begin(frames: Iterator<string, undefined>): void {
    this.#initialFrames = frames;
    this.#isSnapshotComplete = false;
  }

  /** Adds live states and removals for the snapshot, serialised and separated by commas. */
  addStates(states: string): void {
    this.#states.push(states);
    this.#count(states.length);
  }

  /** The next states that were added; null if there are none. */
  takeStates(): string | null {
    const states = this.#states.shift();
    if (states === undefined) return null;
    this.#count(-states.length);
    return states;
  }

  /** The end of the snapshot is made: later states are live messages like others. */
  completeSnapshot(): void {
    this.#isSnapshotComplete = true;
  }

  /** Sends a live frame, or lets it wait until the frames before it are sent. */
  add(frame: string): void {
    const isNext = this.#initialFrames === null && this.#next === this.#live.length;
    if (isNext && this.#socketHasSpace() && this.socket.send(frame) !== 0) return;
    this.#live.push(frame);
    this.#count(frame.length);
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
    this.drainLive();
  }

  /** The same for live frames only: sends nothing until all initial frames are sent. */
  drainLive(): void {
    if (this.#initialFrames !== null) return;
    while (this.#next < this.#live.length && this.#socketHasSpace()) {
      const frame = this.#live[this.#next]!;
      if (this.socket.send(frame) === 0) return;
      this.#next += 1;
      this.#count(-frame.length);
    }
    if (this.#next === this.#live.length) this.#clearLive();
    else if (this.#next > MAX_SENT) {
      this.#live.splice(0, this.#next);
      this.#next = 0;
    }
  }

  /** Drops everything that is queued. Nothing more may be added. */
  close(): void {
    this.#initialFrames = null;
    this.#states = [];
    this.#clearLive();
    this.#count(-this.#length);
    this.all.remove(this);
  }

  #socketHasSpace(): boolean {
    return this.socket.getBufferedAmount() < HIGH_WATER;
  }

  #clearLive(): void {
    if (this.#live.length > 0) this.#live = [];
    this.#next = 0;
  }

  #count(length: number): void {
    this.#length += length;
    this.all.count(this, length);
  }
}
