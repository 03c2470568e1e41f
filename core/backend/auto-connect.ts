// MKT_AUTO_CONNECT: connects at start-up, and tries again while the backend is unreachable or shutting down. Once connected,
// the PubSub client itself restores a lost connection.
//
// A requested disconnect ends the attempts, whether it comes during an attempt or between two. It holds until the next
// connect, since one process has one connection for all of its clients.

import { errorMessage } from "../../common/error-message.ts";
import type { Logger } from "../../common/logger.ts";
import { Backoff } from "../../protocol/client/backoff.ts";
import { ToolError } from "../error.ts";
import type { PubSub } from "./pubsub.ts";

export interface AutoConnectOptions {
  readonly pubsub: PubSub;
  /** Connects as the configured user; throws what `PubSub.connect` throws. */
  readonly connect: (signal: AbortSignal) => Promise<unknown>;
  /** Ends the attempts. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Resolves after `waitMs`, or when the signal aborts; a timer if absent. */
  readonly pause?: (waitMs: number, signal: AbortSignal) => Promise<void>;
}

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 10_000;
/** How long the start waits for the first attempt. */
const FIRST_ATTEMPT_MS = 2_000;

/**
 * Begins to connect and resolves when the first attempt has ended, or after FIRST_ATTEMPT_MS. The caller serves clients only
 * then, so their first call finds the connection.
 */
export async function beginConnecting(options: AutoConnectOptions): Promise<void> {
  const attempted = new AbortController();
  const connect = (signal: AbortSignal) => options.connect(signal).finally(() => attempted.abort());
  void keepConnecting({ ...options, connect });
  await paused(FIRST_ATTEMPT_MS, attempted.signal);
}

/** Ends when connected, when the signal aborts, on a disconnect, or when the backend refuses for good, for example the user. */
export async function keepConnecting(
  { pubsub, connect, signal, log, pause = paused }: AutoConnectOptions,
): Promise<void> {
  const { disconnects } = pubsub;
  const isOver = () => signal.aborted || pubsub.disconnects !== disconnects;
  // A process has one connection, so its waits need no random part.
  const backoff = new Backoff(FIRST_WAIT_MS, MAX_WAIT_MS, () => 1);
  while (!isOver()) {
    try {
      await connect(signal);
      return;
    } catch (error) {
      if (isOver()) return;
      const code = error instanceof ToolError ? error.code : "internal";
      log.warn("auto-connect failed: {error}", { error: errorMessage(error), code });
      if (code !== "backend_unavailable") return;
    }
    await pause(backoff.nextMs(), signal);
  }
}

/** Resolves after `waitMs`, or when the signal aborts. */
export async function paused(waitMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  const timer = setTimeout(end, waitMs);
  signal.addEventListener("abort", end, { once: true });
  await promise;
  clearTimeout(timer);
  signal.removeEventListener("abort", end);
}
