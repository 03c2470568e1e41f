import type { FrameSocket } from "../../../../engine/server/connections/send-queue.ts";

/** A socket whose buffer the test sets: a real one drops no frame on demand. */
export class FakeSocket implements FrameSocket {
  readonly sent: string[] = [];
  buffered = 0;
  drops = false;
  /** Number of frames until the buffer is full. */
  space = Infinity;

  send(text: string): number {
    if (this.drops) return 0;
    this.sent.push(text);
    this.space -= 1;
    if (this.space === 0) this.fill();
    return text.length;
  }

  fill(): void {
    this.buffered = 2 << 20;
  }

  getBufferedAmount(): number {
    return this.buffered;
  }

  close(): void {}

  terminate(): void {}
}
