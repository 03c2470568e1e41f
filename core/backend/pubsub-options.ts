// What a PubSub client is made with.

import type { Logger } from "../logger.ts";
import type { EventBuffer } from "../market/event-buffer.ts";
import type { Snapshot } from "../market/snapshot.ts";
import type { LinkTimings } from "./engine-link.ts";

export interface PubSubTimings extends LinkTimings {
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
}

/** What holds unless `timings` says otherwise. */
export const DEFAULT_TIMINGS: PubSubTimings = {
  pingMs: 5_000,
  silenceMs: 15_000,
  synchronizeMs: 60_000,
  closeMs: 1_000,
  firstRetryMs: 250,
  longestRetryMs: 10_000,
};

export interface PubSubOptions {
  readonly url: string;
  readonly token: string | null;
  /** Null: any user. */
  readonly allowedUserIds: readonly string[] | null;
  readonly confirmTimeoutMs: number;
  readonly snapshot: Snapshot;
  readonly events: EventBuffer;
  readonly log: Logger;
  /** Local milliseconds since the epoch. */
  readonly now: () => number;
  readonly timings?: Partial<PubSubTimings>;
}
