// MKT_AUTO_CONNECT: connect at start-up, and try again while the backend is not there or shutting down. Once connected, the
// PubSub client itself brings a lost connection back.
//
// A disconnect that somebody asks for is the end of it, whether it comes during an attempt, during the pause between two
// attempts, or once connected: it holds until the next connect (design, "One process, one acting user").

import type { Logger } from "../../common/logger.ts";
import { Backoff } from "../../protocol/client/backoff.ts";
import { ToolError } from "../error.ts";
import type { PubSub } from "./pubsub.ts";

export interface AutoConnectOptions {
  readonly pubsub: PubSub;
  /** Connects as the configured user; throws what `PubSub.connect` throws. */
  readonly connect: (signal: AbortSignal) => Promise<unknown>;
  /** Ends it. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Resolves after so many milliseconds, or when the signal aborts; a timer if absent. */
  readonly pause?: (waitMs: number, signal: AbortSignal) => Promise<void>;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

/**
 * Ends when connected, when the signal aborts, when somebody asks for a disconnect, or when the backend refuses in a way
 * that it would repeat.
 */
export async function keepConnecting(
  { pubsub, connect, signal, log, pause = paused }: AutoConnectOptions,
): Promise<void> {
  const { disconnects } = pubsub;
  const isOver = () => signal.aborted || pubsub.disconnects !== disconnects;
  // One process connects to one engine once: its waits need no random part.
  const backoff = new Backoff(FIRST_WAIT_MS, LONGEST_WAIT_MS, () => 1);
  while (!isOver()) {
    try {
      await connect(signal);
      return;
    } catch (error) {
      if (isOver()) return;
      const code = error instanceof ToolError ? error.code : "internal";
      log.warn("auto-connect failed: {error}", { error: error instanceof Error ? error.message : String(error), code });
      if (code !== "backend_unavailable") return;
    }
    await pause(backoff.nextMs(), signal);
  }
}

async function paused(waitMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, waitMs);
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
}
