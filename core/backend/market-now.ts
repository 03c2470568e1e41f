// Market time for tools that need no connection. With a session it is known. Without one the backend is asked over HTTP; if it
// does not answer in time, or has no clock of its own, market time is the machine's.

import { ToolError } from "../error.ts";
import type { PubSub } from "./pubsub.ts";
import type { StateClient } from "./state-client.ts";

interface Backend {
  readonly pubsub: Pick<PubSub, "session" | "marketTime">;
  readonly backend: Pick<StateClient, "health">;
  /** Aborts when the client cancels the call or disconnects. */
  readonly signal?: AbortSignal;
}

const HEALTH_LIMIT_MS = 2_000;

/** Milliseconds since the epoch. Throws only the reason of `signal`, if that aborts first. */
export async function marketNow({ pubsub, backend, signal }: Backend): Promise<number> {
  if (pubsub.session !== null) return pubsub.marketTime();
  const limit = AbortSignal.timeout(HEALTH_LIMIT_MS);
  try {
    const { marketTime } = await backend.health(signal === undefined ? limit : AbortSignal.any([signal, limit]));
    return marketTime === null ? pubsub.marketTime() : Date.parse(marketTime);
  } catch (error) {
    signal?.throwIfAborted();
    if (limit.aborted || error instanceof ToolError) return pubsub.marketTime();
    throw error;
  }
}
