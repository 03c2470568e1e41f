// What an EngineHost is made of, and what a caller may set.

import type { Logger } from "../../../common/logger.ts";
import type { Timers } from "../../../common/timers.ts";
import type { ClockSetting } from "../../../protocol/index.ts";
import type { EngineAuditStore } from "../../audit/engine-audit-store.ts";
import type { MarketEngine } from "../../api/market-engine.ts";
import type { JournalWriter } from "../../journal/journal-writer.ts";
import type { EngineCounters } from "../metrics/engine-counters.ts";
import type { EventHistory } from "../publication/event-history.ts";
import type { CheckpointMaker } from "./checkpoint-saver.ts";
import type { EngineFailure } from "./engine-failure.ts";

export interface EngineHostOptions {
  readonly engine: MarketEngine;
  readonly audit: EngineAuditStore;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds that pass evenly, whatever the clock does; absent: jumps of the clock are not noticed. */
  readonly steadyNow?: () => number;
  /** A larger step of the clock is not followed (engine-clock.ts); absent: any is. */
  readonly maxClockJumpMs?: number | undefined;
  readonly log: Logger;
  /** Number of events kept for connections that resume. */
  readonly historySize?: number;
  /** As in the journal's header; not needed without a journal. */
  readonly engineId?: string;
  /** Null or absent: calls are not recorded. */
  readonly journal?: JournalWriter | null;
  /** Makes checkpoints while the engine runs; null or absent: one is saved at a stop only. */
  readonly checkpointMaker?: CheckpointMaker | null;
  /** Events from before a restart; absent: none. */
  readonly history?: EventHistory;
  /** Orders of cancelOnDisconnect connections from before a restart. They are cancelled at the start. */
  readonly leftOrders?: readonly string[];
  /** Digest of the secret in force, which checkpoints store. */
  readonly secretDigest?: string | null;
  /** What the clock is changed to at the start; null or absent: it stays. */
  readonly newClock?: ClockSetting | null;
  /** Least time between two deliveries of updates to all subscribers; default UPDATE_INTERVAL_MS. */
  readonly updateIntervalMs?: number;
  /** Called once, when the engine stops for good. */
  readonly onFailure?: (failure: EngineFailure) => void;
  /** Calls `task` at the end of this turn of the event loop; default: setImmediate. */
  readonly defer?: (task: () => void) => void;
  /** Default: the runtime's timers. */
  readonly timers?: Timers;
  /** What is counted for metrics; default: numbers that nobody reads. */
  readonly counters?: EngineCounters;
}
