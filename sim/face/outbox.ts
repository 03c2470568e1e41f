// What one connection has yet to be sent, in order.
//
// At most HIGH_WATER bytes lie in the socket's own buffer; the rest waits here until the socket has drained. The limit
// counts what came live after the snapshot, so that a market of any size can be handed over, and a consumer that does not
// keep up is known by what has piled up since.

/** The part of Bun's ServerWebSocket that a connection needs. */
export interface FrameSocket {
  /** 0: dropped, -1: queued, else the bytes sent. */
  send(text: string): number;
  getBufferedAmount(): number;
  close(code: number, reason: string): void;
}

const HIGH_WATER = 1 << 20;
/** Characters of live frames that may wait for one connection. */
export const DEFAULT_BACKLOG_LIMIT = 16 << 20;

interface WaitingFrame {
  readonly text: string;
  readonly live: boolean;
}

export class Outbox {
  #waiting: WaitingFrame[] = [];
  #next = 0;
  #liveBacklog = 0;

  constructor(readonly socket: FrameSocket, readonly backlogLimit: number = DEFAULT_BACKLOG_LIMIT) {}

  /** Whether more waits than may: the connection has to be cut off. */
  get tooSlow(): boolean {
    return this.#liveBacklog > this.backlogLimit;
  }

  sendSnapshot(frames: readonly string[]): void {
    for (const text of frames) this.#waiting.push({ text, live: false });
    this.drain();
  }

  sendLive(text: string): void {
    this.#waiting.push({ text, live: true });
    this.#liveBacklog += text.length;
    this.drain();
  }

  /** Sends as much as the socket takes; to be called again when it has drained. */
  drain(): void {
    while (this.#next < this.#waiting.length && this.socket.getBufferedAmount() < HIGH_WATER) {
      const frame = this.#waiting[this.#next];
      if (frame === undefined || this.socket.send(frame.text) === 0) return;
      this.#next += 1;
      if (frame.live) this.#liveBacklog -= frame.text.length;
    }
    if (this.#next === this.#waiting.length) this.#forget();
    else if (this.#next > 1000) {
      this.#waiting.splice(0, this.#next);
      this.#next = 0;
    }
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
