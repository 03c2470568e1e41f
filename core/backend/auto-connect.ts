// MKT_AUTO_CONNECT: connect at start-up, and try again while the backend is not there. Once connected, the PubSub client
// itself brings a lost connection back.

import type { Logger } from "../logger.ts";
import { ToolError } from "../tools/error.ts";
import type { PubSub } from "./pubsub.ts";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

/** Ends when connected, when the signal aborts, or when the backend refuses the user: a repeat would not help. */
export async function keepConnecting(pubsub: PubSub, userId: string, signal: AbortSignal, log: Logger): Promise<void> {
  for (let waitMs = FIRST_WAIT_MS; !signal.aborted; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      await pubsub.connect(userId, signal);
      return;
    } catch (error) {
      const code = error instanceof ToolError ? error.code : "internal";
      log.warn("auto-connect failed: {error}", { error: error instanceof Error ? error.message : String(error), code });
      if (code !== "backend_unavailable") return;
    }
    await Bun.sleep(waitMs);
  }
}
