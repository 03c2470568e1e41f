// The event buffer as tools read it. event-buffer.ts implements it.

import type { EventCategory } from "../../protocol/index.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";

export interface BufferedEvent {
  readonly sequence: number;
  readonly category: EventCategory;
  readonly type: string;
  /** ISO market time. */
  readonly time: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The book after a change.book; null for other events, and if it is unknown. */
  readonly book: ModuleData<"ENGINE"> | null;
}

/** Which events: those that match every property given. event-keys.ts says which events an id matches. */
export interface EventFilter {
  /** All categories if absent. */
  readonly category?: EventCategory | undefined;
  /** An empty list is no filter. */
  readonly types?: readonly string[] | undefined;
  readonly productCode?: string | undefined;
  readonly contractId?: string | undefined;
  readonly entityId?: string | undefined;
  readonly orderId?: string | undefined;
}

export interface EventQuery extends EventFilter {
  /** Selects the oldest `limit` events after this sequence number; if absent, the newest `limit`. */
  readonly since?: number | undefined;
  readonly limit: number;
}

export interface EventPage {
  /** Ascending by sequence. */
  readonly events: readonly BufferedEvent[];
  /**
   * The answer is complete up to this sequence number. Never below a `since` that the events, or those of the group, have
   * reached. 0 before the first connect.
   */
  readonly latestSequence: number;
  /** More matching events are buffered after the last one returned; false without `since`. */
  readonly hasMore: boolean;
  /** Matching events after `since` that are lost; 0 without `since`; null if unknown, or if `since` was never reached. */
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

/** What has come since the process started, whatever the buffer was given up for. */
export interface EventTotals {
  /** Without those that another process had before. */
  readonly events: Readonly<Record<EventCategory, number>>;
  readonly gaps: number;
  /** Sequence numbers in these gaps. */
  readonly missedEvents: number;
}

export interface EventReader {
  read(query: EventQuery): EventPage;
  /** The newest matching event before this sequence number; undefined if none is buffered, or if one may be lost since. */
  lastBefore(sequence: number, filter: EventFilter): BufferedEvent | undefined;
  stats(): BufferStats;
  totals(): EventTotals;
  /** The number of buffered events of a category. */
  count(category: EventCategory): number;
  /** The sequence number of the newest event of a category; 0 if none is buffered. */
  newestOf(category: EventCategory): number;
  readonly epoch: number | null;
  readonly latestSequence: number;
  /**
   * Calls `wake` once, when a matching event comes, when an event that might match is lost, or when no event can come for
   * now because the connection has ended. A frame's events are all buffered before a promise that `wake` resolves goes on.
   * The result ends the wait.
   */
  onNext(filter: EventFilter, wake: () => void): () => void;
}
