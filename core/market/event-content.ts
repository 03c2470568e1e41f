// What an event buffer holds, as a value: replicas move it from one process to another. And the event buffer as they use it.

import { EVENT_CATEGORIES, type EventCategory } from "../../protocol/index.ts";
import type { BufferedEvent, EventReader } from "./event-reader.ts";

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

/** event-buffer.ts implements it. */
export interface ReplicaBuffer extends EventReader {
  /** Events that it keeps of each category. */
  readonly capacity: number;
  /** Nothing is known of events up to this number; 0 before the first connect. */
  readonly start: number;
  /** The lowest number after which no event was evicted. */
  readonly wholeAfter: number;
  /** The gaps after `start`, ascending and disjoint. */
  readonly gaps: readonly Gap[];
  /** Sequence numbers in these gaps. */
  readonly gapEvents: number;
  /** The number of events and of evicted events of each category since `start`. */
  readonly added: CategoryCounts;
  /** Grows whenever the content is replaced. */
  readonly incarnation: number;
  /** `reached`: the newest number that a replica of the group can have given, up to which a `since` is right. */
  followGroup(reached: () => number): void;
  /** Drops everything, and begins after this number of the epoch. */
  begin(epoch: number, sequence: number): void;
  /** Replaces everything. Ends every wait, because events may have come that the waits were not told of. */
  restore(content: EventContent): void;
  /** Appends the next event. `book`: see BufferedEvent. */
  push(event: BufferedEvent, book: BufferedEvent["book"]): void;
  /** Records that the events from `from` to `to` are lost. */
  gap(from: number, to: number): void;
}

export function countsOf(count: (category: EventCategory) => number): CategoryCounts {
  return Object.fromEntries(EVENT_CATEGORIES.map((category) => [category, count(category)])) as CategoryCounts;
}

export function isSameHistory(one: History, other: History): boolean {
  return one.engineId === other.engineId && one.epoch === other.epoch && one.userId === other.userId &&
    one.entityId === other.entityId && Bun.deepEquals(one.capabilities.toSorted(), other.capabilities.toSorted());
}
