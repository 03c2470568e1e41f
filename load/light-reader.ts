// Reads what a load run needs, and skips the rest: most frames only show what happened in the market. Reading them all would
// take more processor time than the engine under load needs.

import type { FrameReader, ReceivedMessage } from "../protocol/client/frame-reader.ts";

/** Messages that the client of the engine itself waits for. They have no part that could hold such a text and mean another. */
const NEEDED = /"kind"\s*:\s*"(?:response|welcome|snapshotEnd|refused|pong)"/;

export class LightReader {
  /** `readsAll`: whether market data is read, too. */
  constructor(private readonly reader: Pick<FrameReader, "read">, public readsAll: boolean) {}

  read(frame: unknown): ReceivedMessage[] {
    if (!this.readsAll && typeof frame === "string" && !NEEDED.test(frame)) return [];
    const messages = this.reader.read(frame);
    return this.readsAll ? messages : messages.filter((message) => "kind" in message && message.kind !== "event");
  }
}
