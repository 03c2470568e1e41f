// What an event buffer holds, as a value: for moving it from one process to another.

import { EVENT_CATEGORIES, type EventCategory } from "../../protocol/index.ts";
import type { BufferedEvent } from "./event-reader.ts";

/** What makes two event histories the same. Nobody may read the events of another history in this one's place. */
export interface History {
  readonly engineId: string;
  readonly epoch: number;
  readonly userId: string;
  readonly entityId: string | null;
  /** What the user may see depends on them. Their order means nothing. */
  readonly capabilities: readonly string[];
}

/** Lost events: both ends included. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** An entry of a history. */
export type HistoryItem = BufferedEvent | Gap;

/** How many events of each category. */
export type CategoryCounts = Readonly<Record<EventCategory, number>>;

/** Invariant: every event after `start` and up to `top` is in `events`, in a gap, or counted in `forgotten`. */
export interface EventContent {
  readonly epoch: number;
  /** Nothing is known of events up to this number. Not below the epoch. */
  readonly start: number;
  /** The newest event, or the end of a gap after it; `start` if there is neither. */
  readonly top: number;
  /** After `start`; ascending and disjoint. */
  readonly gaps: readonly Gap[];
  /** Ascending. */
  readonly events: readonly BufferedEvent[];
  /** Evicted events: after `start`, and before the first event of their category in `events`. */
  readonly forgotten: CategoryCounts;
}

export function isGap(item: HistoryItem): item is Gap {
  return "from" in item;
}

/** The number at which an item belongs: an event's own, the end of a gap. */
export function sequenceOf(item: HistoryItem): number {
  return isGap(item) ? item.to : item.sequence;
}

export function countsOf(count: (category: EventCategory) => number): CategoryCounts {
  return Object.fromEntries(EVENT_CATEGORIES.map((category) => [category, count(category)])) as CategoryCounts;
}

export function isSameHistory(one: History, other: History): boolean {
  return one.engineId === other.engineId && one.epoch === other.epoch && one.userId === other.userId &&
    one.entityId === other.entityId && Bun.deepEquals(one.capabilities.toSorted(), other.capabilities.toSorted());
}
