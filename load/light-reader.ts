// Reads what a load run needs, and skips the rest: most frames only show what happened in the market. Reading them all would
// take more processor time than the engine under load needs.

import type { FrameReader, ReceivedMessage } from "../protocol/client/frame-reader.ts";

/** Messages that the client of the engine itself waits for. They have no part that could hold such a text and mean another. */
const NEEDED = /"kind"\s*:\s*"(?:response|welcome|snapshotEnd|refused|pong)"/;

export class LightReader {
  readonly #reader: Pick<FrameReader, "read">;
  /** Whether market data is read, too. */
  #readsAll: boolean;

  constructor(reader: Pick<FrameReader, "read">, { readsAll }: { readonly readsAll: boolean }) {
    this.#reader = reader;
    this.#readsAll = readsAll;
  }

  skipMarketData(): void {
    this.#readsAll = false;
  }

  read(frame: unknown): ReceivedMessage[] {
    if (!this.#readsAll && typeof frame === "string" && !NEEDED.test(frame)) return [];
    const messages = this.#reader.read(frame);
    return this.#readsAll ? messages : messages.filter((message) => "kind" in message && message.kind !== "event");
  }
}
