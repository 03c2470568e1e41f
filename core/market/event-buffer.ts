// The event buffer: the newest events of each category, and what is known about those that can't be had.
//
// Polling (since): the oldest `limit` events after it, ascending; `latestSequence` is the number up to which the answer
// is complete, so that the next poll loses nothing and repeats nothing. Without since: the newest `limit`; what is older
// was not asked for, so `hasMore` is false and `missed` is 0.
//
// `missed` counts the events after `since` that were evicted, in what was asked for; and every number of a gap after
// `since`, since nobody knows what it held: those that the engine could not send again, and those of this epoch that came
// before our first connection. Evicted events are counted exactly, over EVICTED_KEPT numbers in each category; a `since`
// that lies further back than these reach gets a lower bound, never 0. A `since` before the epoch belongs to another
// history: null.
//
// Invariants: sequence numbers ascend; a number not above the newest is a repetition and is ignored; each event stands in
// the lane of its category and in the lane of its facet, its type and product together, at the same end.
// Cost: push is constant; a read goes with the page times the number of lanes that the filters leave, not with the buffer.
// Limits: a facet, once seen, stays until the next epoch.

import { categoryOf, EVENT_CATEGORIES, type EventCategory, type EventMessage } from "../../protocol/index.ts";
import { Deque } from "./deque.ts";
import { EventLane } from "./event-lane.ts";
import type { BufferedEvent, BufferStats, EventPage, EventQuery, EventReader } from "./event-reader.ts";
import { mergeAfter, mergeNewest } from "./lane-merge.ts";

const EVICTED_KEPT = 100_000;

/** The lane of one category, and beside it the facet of each of its events, evicted ones included. */
interface CategoryLane {
  readonly lane: EventLane;
  readonly facets: Deque<EventLane>;
  /** By type, then by product code; null stands for events about no product. */
  readonly byType: Map<string, Map<string | null, EventLane>>;
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

  /** `capacity`: events kept in each category. `evictedKept`: numbers of evicted events kept in each. */
  constructor(readonly capacity: number, private readonly evictedKept = EVICTED_KEPT) {}

  get epoch(): number | null {
    return this.#epoch;
  }

  /** Number of the newest event, or of the last one of a gap after it; 0 before the first connect. */
  get latestSequence(): number {
    return this.#newest;
  }

  /** Begins another history: what was buffered goes, and events of the epoch up to `sequence` were never seen here. */
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

  /** Takes the next event of the epoch. Throws before `begin`. */
  push({ sequence, type, time, data }: EventMessage): void {
    if (this.#epoch === null) throw new Error("an event came before its epoch");
    if (sequence <= this.#newest) return;
    this.#newest = sequence;
    const category = categoryOf(type);
    const event: BufferedEvent = { sequence, category, type, time, data };
    const own = this.#categories[category];
    const facet = facetOf(own, event);
    own.lane.push(event);
    own.facets.push(facet);
    facet.push(event);
    if (own.lane.length > this.capacity) this.#evict(own);
  }

  /** Whether the event of this number is buffered. */
  holds(sequence: number): boolean {
    if (sequence > this.#newest) return false;
    return EVENT_CATEGORIES.some((category) => this.#categories[category].lane.holds(sequence));
  }

  /** Notes that the events of these numbers can't be had any more, both included. */
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
    const lanes = this.#lanesFor(query);
    const { since, limit } = query;
    if (since === undefined) {
      const events = mergeNewest(lanes, limit);
      return { events, latestSequence: this.#newest, hasMore: false, missed: 0, epoch: this.#epoch };
    }
    const { events, hasMore } = mergeAfter(lanes, since, limit);
    const last = events.at(-1);
    const latestSequence = hasMore && last !== undefined ? last.sequence : Math.max(since, this.#newest);
    return { events, latestSequence, hasMore, missed: this.#missedAfter(lanes, since), epoch: this.#epoch };
  }

  stats(): BufferStats {
    const lanes = EVENT_CATEGORIES.map((category) => this.#categories[category].lane);
    const byCategory = Object.fromEntries(
      EVENT_CATEGORIES.map((category) => [category, this.#categories[category].lane.length]),
    ) as Record<EventCategory, number>;
    const filled = lanes.filter((lane) => lane.length > 0);
    const oldest = filled.map((lane) => lane.at(0)).sort((a, b) => a.sequence - b.sequence).at(0);
    return {
      totalEvents: lanes.reduce((total, lane) => total + lane.length, 0),
      latestSequence: this.#newest,
      byCategory,
      oldestEvent: oldest?.time ?? null,
      newestEvent: mergeNewest(lanes, 1).at(0)?.time ?? null,
      gapEvents: this.#gapEvents,
    };
  }

  #evict({ lane, facets }: CategoryLane): void {
    facets.at(lane.evictedLength).evict();
    lane.evict();
    if (lane.evictedLength <= this.evictedKept) return;
    lane.forget();
    facets.shift().forget();
  }

  /** The lanes that together hold exactly what was asked for. An empty list of types is no filter. */
  #lanesFor({ category, types, productCode }: EventQuery): EventLane[] {
    const categories = category === undefined ? EVENT_CATEGORIES : [category];
    const wanted = types !== undefined && types.length > 0 ? new Set(types) : null;
    return categories.flatMap((name) => {
      const { lane, byType } = this.#categories[name];
      if (wanted === null && productCode === undefined) return [lane];
      const ofTypes = wanted === null ? [...byType.values()] : [...wanted].flatMap((type) => byType.get(type) ?? []);
      return ofTypes.flatMap((byProduct) =>
        productCode === undefined ? [...byProduct.values()] : byProduct.get(productCode) ?? []
      );
    });
  }

  #missedAfter(lanes: readonly EventLane[], since: number): number | null {
    if (this.#epoch === null || since < this.#epoch) return null;
    let missed = lanes.reduce((total, lane) => total + lane.evictedAfter(since), 0);
    for (const { from, to } of this.#gaps) missed += Math.max(0, to - Math.max(from - 1, since));
    return missed;
  }
}

function emptyCategories(): Readonly<Record<EventCategory, CategoryLane>> {
  const empty = (): CategoryLane => ({ lane: new EventLane(), facets: new Deque(), byType: new Map() });
  return Object.fromEntries(EVENT_CATEGORIES.map((category) => [category, empty()])) as Record<
    EventCategory,
    CategoryLane
  >;
}

function facetOf({ byType }: CategoryLane, { type, data }: BufferedEvent): EventLane {
  const productCode = typeof data["productCode"] === "string" ? data["productCode"] : null;
  let byProduct = byType.get(type);
  if (byProduct === undefined) byType.set(type, byProduct = new Map());
  let facet = byProduct.get(productCode);
  if (facet === undefined) byProduct.set(productCode, facet = new EventLane());
  return facet;
}
