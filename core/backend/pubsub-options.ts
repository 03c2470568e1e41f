// What a PubSub client is made with.

import type { Logger } from "../../common/logger.ts";
import type { Tracer } from "../../common/telemetry/tracer.ts";
import type { EngineClientTimings } from "../../protocol/client/engine-client-options.ts";
import type { Action } from "../../protocol/index.ts";
import type { Advice } from "../advice.ts";
import type { EventBuffer } from "../market/event-buffer.ts";
import type { Snapshot } from "../market/snapshot.ts";

/**
 * For what `timings` does not give. A dead peer is noticed, and a new connection tried, well within the 15 s that a mutation
 * waits for its confirmation.
 */
export const DEFAULT_TIMINGS: Required<EngineClientTimings> = {
  pingMs: 1_000,
  silenceMs: 6_000,
  openMs: 15_000,
  pendingOpenMs: 4_000,
  answerMs: 10_000,
  synchronizeMs: 60_000,
  closeMs: 1_000,
  firstRetryMs: 250,
  longestRetryMs: 5_000,
  pendingRetryMs: 1_000,
  readAgainMs: 60_000,
};

export interface PubSubOptions {
  readonly url: string;
  readonly token: string | null;
  /** The only engine that may welcome; null or absent: any. */
  readonly engineId?: string | null;
  /** Where the token is set, for messages; MKT_BEARER_TOKEN if absent. */
  readonly tokenSetting?: string;
  /** MKT_USER_ID, for messages. */
  readonly configuredUserId?: string;
  /** Null: any user. */
  readonly allowedUserIds: readonly string[] | null;
  readonly confirmTimeoutMs: number;
  /** MKT_AUTO_CONNECT; false if absent. */
  readonly autoConnect?: boolean;
  /** Puts the bounds of this process into the payload of an order; if absent, payloads are sent unchanged. */
  readonly bounded?: <Payload extends object>(action: Action, payload: Payload) => Payload;
  readonly advice?: Advice;
  readonly snapshot: Snapshot;
  readonly events: EventBuffer;
  readonly log: Logger;
  /** Null or absent: no traces are recorded. */
  readonly tracer?: Tracer | null;
  /** Local milliseconds since the epoch. */
  readonly now: () => number;
  /** As `now`, but never set back or forward while the process runs; `now` if absent. */
  readonly steadyNow?: () => number;
  readonly timings?: Partial<EngineClientTimings>;
}
