// How a window follows the market: by the worker that all windows of this browser share, or without one by streams of its own,
// each of which lasts until it has brought the window up to date.
//
// Windows share a worker if they have the same key: the page, the session and the version of the program. So a window never
// reads by the rights of another one.

import type { Update } from "../../contract/update.ts";
import type { ToWindow, ToWorker } from "./stream-messages.ts";
import { StreamSource, type StreamStatus } from "./stream-source.ts";

const WORKER = "/assets/dashboard-stream.js";
/** Between two streams of a window without a worker. */
export const POLL_MS = 5_000;

export interface StreamLink {
  /** Whether it shares one connection with the other windows. */
  readonly isShared: boolean;
  /** Follows the market, with the books of these contracts. */
  follow(contracts: readonly string[]): void;
  /** Tries at once, if a try is due some time. */
  hurry(): void;
  close(): void;
}

interface LinkOptions {
  readonly key: string;
  /** Of the last update; null before it. */
  readonly position: () => string | null;
  /** Called at least once a second. */
  readonly take: (status: StreamStatus, update: Update | null) => void;
  /** The worker could not be started. */
  readonly fail: () => void;
}

/** Null if this browser has no workers to share, or does not allow them. */
export function sharedLink({ key, position, take, fail }: LinkOptions): StreamLink | null {
  const worker = startWorker(key);
  if (worker === null) return null;
  const { port } = worker;
  const say = (message: ToWorker) => port.postMessage(message);
  worker.onerror = fail;
  port.onmessage = ({ data: { status, text } }: MessageEvent<ToWindow>) => {
    take(status, text === null ? null : JSON.parse(text) as Update);
    if (text !== null) say({ kind: "got" });
  };
  return {
    isShared: true,
    follow: (contracts) => say({ kind: "follow", contracts, since: position() }),
    hurry: () => say({ kind: "hurry" }),
    close() {
      say({ kind: "leave" });
      port.onmessage = null;
      worker.onerror = null;
      port.close();
    },
  };
}

export function ownLink({ position, take }: LinkOptions): StreamLink {
  const source = new StreamSource({
    position,
    receive: (update) => take(source.status, update),
    tell: (status) => take(status, null),
    pauseMs: POLL_MS,
  });
  return {
    isShared: false,
    follow: (contracts) => source.follow(contracts),
    hurry: () => source.hurry(),
    close: () => source.stop(),
  };
}

function startWorker(name: string): SharedWorker | null {
  if (typeof SharedWorker === "undefined") return null;
  try {
    return new SharedWorker(WORKER, { name });
  } catch {
    // A SecurityError: for example a page whose storage the person has blocked.
    return null;
  }
}
