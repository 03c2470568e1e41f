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
  /** All categories if absent. */
  readonly category?: EventCategory;
  readonly types?: readonly string[];
  readonly productCode?: string;
  /** Selects the oldest `limit` events after this sequence number; if absent, the newest `limit`. */
  readonly since?: number;
  readonly limit: number;
}

export interface EventPage {
  /** Ascending by sequence. */
  readonly events: readonly BufferedEvent[];
  /** The answer is complete up to this sequence number; never below `since`. 0 before the first connect. */
  readonly latestSequence: number;
  /** More matching events are buffered after the last one returned; false without `since`. */
  readonly hasMore: boolean;
  /** Matching events after `since` that are lost; 0 without `since`; null if unknown. */
  readonly missed: number | null;
  /** Null before the first connect. */
  readonly epoch: number | null;
}

export interface BufferStats {
  /** Events in the buffer. */
  readonly totalEvents: number;
  readonly latestSequence: number;
  readonly byCategory: Readonly<Record<EventCategory, number>>;
  /** ISO times; null if the buffer is empty. */
  readonly oldestEvent: string | null;
  readonly newestEvent: string | null;
  /** Sequence numbers in gaps. */
  readonly gapEvents: number;
}

export interface EventReader {
  read(query: EventQuery): EventPage;
  stats(): BufferStats;
  readonly epoch: number | null;
}
