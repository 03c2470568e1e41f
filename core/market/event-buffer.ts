// The event buffer: the newest events of each category, and a count of the events that are lost.
//
// A poll with `since` returns the oldest `limit` events after it, ascending. The answer is complete up to
// `latestSequence`, so the next poll loses and repeats nothing. Without `since` it returns the newest `limit` events;
// older ones were not asked for, so `hasMore` is false and `missed` is 0.
//
// `missed` counts the matching events after `since` that were evicted, and every sequence number of a gap after `since`,
// because the content of a gap is unknown: the engine could not resend those events, or they came before this process
// first connected. The count of evicted events is exact over EVICTED_KEPT numbers in each category, and a lower bound
// above 0 for an older `since`. `missed` is null for a `since` before the epoch, which belongs to another history.
//
// Invariants: sequence numbers ascend, and an event not above the newest is a repeat and is ignored. Each event is in the
// log of its category and in the log of its facet (its type and product); both evict their oldest event together.
// Cost: a push is constant. A read costs the page size times the number of logs that the filters select, whatever the size
// of the buffer.
// Limit: a facet stays until the next epoch.

import { categoryOf, EVENT_CATEGORIES, type EventCategory, type EventMessage } from "../../protocol/index.ts";
import { Deque } from "./deque.ts";
import { EventLog } from "./event-log.ts";
import type { BufferedEvent, BufferStats, EventPage, EventQuery, EventReader } from "./event-reader.ts";
import { mergeAfter, mergeNewest } from "./log-merge.ts";

const EVICTED_KEPT = 100_000;

/** The log of one category, and the facet of each event in it, oldest first, including evicted events. */
interface CategoryLog {
  readonly log: EventLog;
  readonly facets: Deque<EventLog>;
  /** By type, then by product code; null stands for events about no product. */
  readonly byType: Map<string, Map<string | null, EventLog>>;
}

interface Gap {
  readonly from: number;
  readonly to: number;
}

export class EventBuffer implements EventReader {
  #epoch: number | null = null;
  #newest = 0;
  #categories = emptyCategories();
  /** Ascending, disjoint, not adjacent. */
  #gaps: Gap[] = [];
  #gapEvents = 0;

  /** `capacity`: events in each category. `evictedKept`: sequence numbers of evicted events in each category. */
  constructor(readonly capacity: number, private readonly evictedKept = EVICTED_KEPT) {}

  get epoch(): number | null {
    return this.#epoch;
  }

  /** The sequence number of the newest event, or the end of a gap after it; 0 before the first connect. */
  get latestSequence(): number {
    return this.#newest;
  }

  /** Drops all events and begins a new epoch. The events of the epoch up to `sequence` count as a gap. */
  begin(epoch: number, sequence: number): void {
    this.clear();
    this.#epoch = epoch;
    this.#newest = Math.max(epoch, sequence);
    if (sequence > epoch) this.#gaps.push({ from: epoch + 1, to: sequence });
  }

  clear(): void {
    this.#epoch = null;
    this.#newest = 0;
    this.#categories = emptyCategories();
    this.#gaps = [];
    this.#gapEvents = 0;
  }

  /** Appends the next event of the epoch. Throws before `begin`. */
  push({ sequence, type, time, data }: EventMessage): void {
    if (this.#epoch === null) throw new Error("an event came before its epoch");
    if (sequence <= this.#newest) return;
    this.#newest = sequence;
    const category = categoryOf(type);
    const event: BufferedEvent = { sequence, category, type, time, data };
    const own = this.#categories[category];
    const facet = facetOf(own, event);
    own.log.push(event);
    own.facets.push(facet);
    facet.push(event);
    if (own.log.length > this.capacity) this.#evict(own);
  }

  /** Whether the event with this sequence number is buffered. */
  holds(sequence: number): boolean {
    if (sequence > this.#newest) return false;
    return EVENT_CATEGORIES.some((category) => this.#categories[category].log.holds(sequence));
  }

  /** Records that the events from `from` to `to`, both included, are lost. */
  gap(from: number, to: number): void {
    if (to <= this.#newest || to < from) return;
    const first = Math.max(from, this.#newest + 1);
    const last = this.#gaps.at(-1);
    if (last !== undefined && last.to === first - 1) this.#gaps[this.#gaps.length - 1] = { from: last.from, to };
    else this.#gaps.push({ from: first, to });
    this.#gapEvents += to - first + 1;
    this.#newest = to;
  }

  read(query: EventQuery): EventPage {
    const logs = this.#logsFor(query);
    const { since, limit } = query;
    if (since === undefined) {
      const events = mergeNewest(logs, limit);
      return { events, latestSequence: this.#newest, hasMore: false, missed: 0, epoch: this.#epoch };
    }
    const { events, hasMore } = mergeAfter(logs, since, limit);
    const last = events.at(-1);
    const latestSequence = hasMore && last !== undefined ? last.sequence : Math.max(since, this.#newest);
    return { events, latestSequence, hasMore, missed: this.#missedAfter(logs, since), epoch: this.#epoch };
  }

  stats(): BufferStats {
    const logs = EVENT_CATEGORIES.map((category) => this.#categories[category].log);
    const byCategory = Object.fromEntries(
      EVENT_CATEGORIES.map((category) => [category, this.#categories[category].log.length]),
    ) as Record<EventCategory, number>;
    const filled = logs.filter((log) => log.length > 0);
    const oldest = filled.map((log) => log.at(0)).sort((a, b) => a.sequence - b.sequence).at(0);
    return {
      totalEvents: logs.reduce((total, log) => total + log.length, 0),
      latestSequence: this.#newest,
      byCategory,
      oldestEvent: oldest?.time ?? null,
      newestEvent: mergeNewest(logs, 1).at(0)?.time ?? null,
      gapEvents: this.#gapEvents,
    };
  }

  #evict({ log, facets }: CategoryLog): void {
    facets.at(log.evictedLength).evict();
    log.evict();
    if (log.evictedLength <= this.evictedKept) return;
    log.forget();
    facets.shift().forget();
  }

  /** The logs that together hold exactly the matching events. An empty list of types is no filter. */
  #logsFor({ category, types, productCode }: EventQuery): EventLog[] {
    const categories = category === undefined ? EVENT_CATEGORIES : [category];
    const wanted = types !== undefined && types.length > 0 ? new Set(types) : null;
    return categories.flatMap((name) => {
      const { log, byType } = this.#categories[name];
      if (wanted === null && productCode === undefined) return [log];
      const ofTypes = wanted === null ? [...byType.values()] : [...wanted].flatMap((type) => byType.get(type) ?? []);
      return ofTypes.flatMap((byProduct) =>
        productCode === undefined ? [...byProduct.values()] : byProduct.get(productCode) ?? []
      );
    });
  }

  #missedAfter(logs: readonly EventLog[], since: number): number | null {
    if (this.#epoch === null || since < this.#epoch) return null;
    let missed = logs.reduce((total, log) => total + log.evictedAfter(since), 0);
    for (const { from, to } of this.#gaps) missed += Math.max(0, to - Math.max(from - 1, since));
    return missed;
  }
}

function emptyCategories(): Readonly<Record<EventCategory, CategoryLog>> {
  const empty = (): CategoryLog => ({ log: new EventLog(), facets: new Deque(), byType: new Map() });
  return Object.fromEntries(EVENT_CATEGORIES.map((category) => [category, empty()])) as Record<
    EventCategory,
    CategoryLog
  >;
}

function facetOf({ byType }: CategoryLog, { type, data }: BufferedEvent): EventLog {
  const productCode = typeof data["productCode"] === "string" ? data["productCode"] : null;
  let byProduct = byType.get(type);
  if (byProduct === undefined) byType.set(type, byProduct = new Map());
  let facet = byProduct.get(productCode);
  if (facet === undefined) byProduct.set(productCode, facet = new EventLog());
  return facet;
}
