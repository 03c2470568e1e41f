// The event buffer as tools read it. event-buffer.ts implements it.

import type { EventCategory } from "../../protocol/index.ts";

export interface BufferedEvent {
  readonly sequence: number;
  readonly category: EventCategory;
  readonly type: string;
  /** ISO engine time. */
  readonly time: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventQuery {
  /** All categories where absent. */
  readonly category?: EventCategory;
  readonly types?: readonly string[];
  readonly productCode?: string;
  /** The oldest `limit` events after it; the newest `limit` where absent. */
  readonly since?: number;
  readonly limit: number;
}

export interface EventPage {
  /** Ascending by sequence. */
  readonly events: readonly BufferedEvent[];
  /** The answer is complete up to this number; never below `since`. 0 while nothing is known. */
  readonly latestSequence: number;
  /** More matching events are buffered after the last one returned; false without `since`. */
  readonly hasMore: boolean;
  /** Events after `since`, in what was asked for, that can no longer be had; 0 without `since`; null where unknown. */
  readonly missed: number | null;
  /** Null before the first connect. */
  readonly epoch: number | null;
}

export interface BufferStats {
  /** Buffered now. */
  readonly totalEvents: number;
  readonly latestSequence: number;
  readonly byCategory: Readonly<Record<EventCategory, number>>;
  /** ISO times; null while empty. */
  readonly oldestEvent: string | null;
  readonly newestEvent: string | null;
  /** Sequence numbers that could not be had again. */
  readonly gapEvents: number;
}

export interface EventReader {
  read(query: EventQuery): EventPage;
  stats(): BufferStats;
  readonly epoch: number | null;
}
