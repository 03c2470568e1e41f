// The event buffer: the newest events of each category, and a count of the events that are lost.
//
// A poll with `since` returns the oldest `limit` events after it, ascending. The answer is complete up to
// `latestSequence`, so the next poll loses and repeats nothing. Without `since` it returns the newest `limit` events;
// older ones were not asked for, so `hasMore` is false and `missed` is 0.
//
// `missed` counts the matching events after `since` that were evicted, and every sequence number of a gap after `since`,
// because the content of a gap is unknown: the engine could not resend those events, or they came before this process
// first connected. The sequence number, type and ids of an evicted event are kept until EVICTED_KEPT newer events of its
// category are evicted, so the count is exact for every filter that far back. For an older `since` it is a lower bound
// above 0, or null if the filter names a contract, an entity or an order of which no evicted event is kept. `missed` is
// also null for a `since` before the epoch, which belongs to another history, and for one beyond the newest event, which
// nobody was given. But a replica may lag behind its group: a `since` that the group may have reached is right.
//
// Replicas restore a buffer from the content of another one (event-content.ts). Of the events that the other one evicted only
// the number is known, for each category. So `missed` is exact for a `since` up to the content's start, if the filter names
// neither types, product nor ids, and for one after the evicted events. In between it is a lower bound above 0, or null.
//
// Invariants: sequence numbers ascend, and an event not above the newest is a repeat and is ignored.
// Cost: a push is constant. A read without an id costs the page size times the number of logs that the filters select,
// whatever the size of the buffer. A read with ids takes the shortest log (of one of the ids, or of the types) and also
// tests its entries after `since` that don't match the other filters. A wait costs nothing until an event of its order,
// contract, entity, types or category comes (event-waiters.ts).

import { categoryOf, EVENT_CATEGORIES, type EventCategory, type EventMessage } from "../../protocol/index.ts";
import { CategoryIndex, type Selection } from "./category-index.ts";
import { positionAfter, type ReadableLog } from "./event-log.ts";
import { countsOf, type EventContent, type Gap, type ReplicaBuffer } from "./event-content.ts";
import { type KeyFields, keyFieldsOf } from "./event-keys.ts";
import type { BufferedEvent, BufferStats, EventFilter, EventPage, EventQuery, EventTotals } from "./event-reader.ts";
import { EventWaiters } from "./event-waiters.ts";
import { mergeAfter, mergeNewest } from "./log-merge.ts";

/** Evicted events of each category that still count exactly. */
const EVICTED_KEPT = 30_000;

/** What a push needs to know of an event type. */
interface EventKind {
  readonly category: EventCategory;
  readonly keys: KeyFields;
}

/** An event as the engine sends it, or as a log has it. */
type NewEvent = Pick<EventMessage, "sequence" | "type" | "time" | "data"> & { readonly kind?: "event" };

export class EventBuffer implements ReplicaBuffer {
  #epoch: number | null = null;
  #start = 0;
  #newest = 0;
  #incarnation = 0;
  #reachedByGroup: () => number = () => 0;
  #categories: Readonly<Record<EventCategory, CategoryIndex>>;
  /** Ascending, disjoint, not adjacent. */
  #gaps: Gap[] = [];
  #gapEvents = 0;
  /** The events of this process are those of earlier contents, and of `added` all but those that were restored. */
  #totals = { ofEarlier: countsOf(() => 0), restored: countsOf(() => 0), gaps: 0, missedEvents: 0 };
  readonly #kinds = new Map<string, EventKind>();
  readonly #waiters = new EventWaiters();

  /** `capacity`: events in each category. `evictedKept`: entries of evicted events in each category. */
  constructor(readonly capacity: number, private readonly evictedKept = EVICTED_KEPT) {
    this.#categories = this.#emptyCategories();
  }

  get epoch(): number | null {
    return this.#epoch;
  }

  /** The sequence number of the newest event, or the end of a gap after it; 0 before the first connect. */
  get latestSequence(): number {
    return this.#newest;
  }

  // For replicas: see ReplicaBuffer.

  get start(): number {
    return this.#start;
  }

  get wholeAfter(): number {
    return EVENT_CATEGORIES.reduce((last, name) => Math.max(last, this.#categories[name].evictedUpTo), this.#start);
  }

  get incarnation(): number {
    return this.#incarnation;
  }

  get gapEvents(): number {
    return this.#gapEvents;
  }

  get gaps(): readonly Gap[] {
    const start = this.#start;
    return this.#gaps.filter(({ to }) => to > start).map(({ from, to }) => ({ from: Math.max(from, start + 1), to }));
  }

  get added(): EventContent["forgotten"] {
    return countsOf((name) => this.#categories[name].log.length + this.#categories[name].evicted);
  }

  followGroup(reached: () => number): void {
    this.#reachedByGroup = reached;
  }

  /** Drops all events and begins a new epoch. The events of the epoch up to `sequence` count as a gap. */
  begin(epoch: number, sequence: number): void {
    this.#reset(epoch, sequence);
    this.#waiters.wakeAll();
  }

  clear(): void {
    this.#reset(null, 0);
    this.#waiters.wakeAll();
  }

  restore({ epoch, start, top, gaps, events, forgotten }: EventContent): void {
    this.#reset(epoch, start);
    for (const category of EVENT_CATEGORIES) {
      if (forgotten[category] === 0) continue;
      const first = events.find((event) => event.category === category)?.sequence;
      this.#categories[category].forgetUnseen(forgotten[category], {
        after: start,
        upTo: first === undefined ? top : first - 1,
      });
    }
    let next = 0;
    for (const event of events) {
      for (; next < gaps.length && gaps[next]!.from < event.sequence; next += 1) this.#addGap(gaps[next]!);
      this.push(event, event.book);
    }
    for (const gap of gaps.slice(next)) this.#addGap(gap);
    this.#totals.restored = this.added;
    this.#newest = Math.max(this.#newest, top);
    this.#waiters.wakeAll();
  }

  /** Appends the next event of the epoch. `book`: see BufferedEvent. Throws before `begin`. */
  push({ sequence, type, time, data }: NewEvent, book: BufferedEvent["book"] = null): void {
    if (this.#epoch === null) throw new Error("an event came before its epoch");
    if (sequence <= this.#newest) return;
    this.#newest = sequence;
    const { category, keys } = this.#kindOf(type);
    const event: BufferedEvent = { sequence, category, type, time, data, book };
    this.#categories[category].add(event, keys);
    if (this.#waiters.count > 0) this.#waiters.wakeFor(event, keys);
  }

  /** Whether the event with this sequence number is buffered. */
  holds(sequence: number): boolean {
    if (sequence > this.#newest) return false;
    return EVENT_CATEGORIES.some((category) => holds(this.#categories[category].log, sequence));
  }

  /** Records that the events from `from` to `to`, both included, are lost. */
  gap(from: number, to: number): void {
    if (to <= this.#newest || to < from) return;
    const lost = { from: Math.max(from, this.#newest + 1), to };
    this.#totals.gaps += 1;
    this.#totals.missedEvents += lost.to - lost.from + 1;
    this.#addGap(lost);
    this.#waiters.wakeAll();
  }

  /** Ends every wait, because the connection has ended and no event can come for now. */
  interrupt(): void {
    this.#waiters.wakeAll();
  }

  onNext(filter: EventFilter, wake: () => void): () => void {
    return this.#waiters.add(filter, wake);
  }

  read(query: EventQuery): EventPage {
    const { since, limit } = query;
    const logs = this.#selectionsFor(query, since ?? -Infinity);
    if (since === undefined) {
      const events = mergeNewest(logs, limit);
      return { events, latestSequence: this.#newest, hasMore: false, missed: 0, epoch: this.#epoch };
    }
    const { events, hasMore } = mergeAfter(logs, since, limit);
    const last = events.at(-1);
    const isReached = since <= Math.max(this.#newest, this.#reachedByGroup());
    const newest = isReached ? Math.max(since, this.#newest) : this.#newest;
    const latestSequence = hasMore && last !== undefined ? last.sequence : newest;
    const missed = isReached ? this.#missedAfter(logs, since) : null;
    return { events, latestSequence, hasMore, missed, epoch: this.#epoch };
  }

  lastBefore(sequence: number, filter: EventFilter): BufferedEvent | undefined {
    const last = mergeNewest(this.#selectionsFor(filter, -Infinity), 1, sequence).at(0);
    const isLost = ({ from, to }: Gap) => from < sequence && to > (last?.sequence ?? 0);
    return this.#gaps.some(isLost) ? undefined : last;
  }

  count(category: EventCategory): number {
    return this.#categories[category].log.length;
  }

  newestOf(category: EventCategory): number {
    const { log } = this.#categories[category];
    return log.length === 0 ? 0 : log.entryAt(log.size - 1).sequence;
  }

  stats(): BufferStats {
    const logs = EVENT_CATEGORIES.map((category) => this.#categories[category].log);
    const byCategory = Object.fromEntries(
      EVENT_CATEGORIES.map((category) => [category, this.count(category)]),
    ) as Record<EventCategory, number>;
    const filled = logs.filter((log) => log.length > 0);
    const oldest = filled.map((log) => log.entryAt(log.evictedLength)).sort((a, b) => a.sequence - b.sequence).at(0);
    return {
      totalEvents: logs.reduce((total, log) => total + log.length, 0),
      latestSequence: this.#newest,
      byCategory,
      oldestEvent: oldest?.event?.time ?? null,
      newestEvent: mergeNewest(this.#selectionsFor({}, 0), 1).at(0)?.time ?? null,
      gapEvents: this.#gapEvents,
    };
  }

  totals(): EventTotals {
    const { gaps, missedEvents } = this.#totals;
    return { events: this.#eventsOfProcess(), gaps, missedEvents };
  }

  #eventsOfProcess(): EventTotals["events"] {
    const { added } = this;
    const { ofEarlier, restored } = this.#totals;
    return countsOf((name) => ofEarlier[name] + added[name] - restored[name]);
  }

  #addGap({ from, to }: Gap): void {
    const last = this.#gaps.at(-1);
    if (last !== undefined && last.to === from - 1) this.#gaps[this.#gaps.length - 1] = { from: last.from, to };
    else this.#gaps.push({ from, to });
    this.#gapEvents += to - from + 1;
    this.#newest = to;
  }

  /** Everything up to `start` counts as a gap. */
  #reset(epoch: number | null, start: number): void {
    this.#totals.ofEarlier = this.#eventsOfProcess();
    this.#totals.restored = countsOf(() => 0);
    this.#epoch = epoch;
    this.#start = Math.max(epoch ?? 0, start);
    this.#newest = this.#start;
    this.#categories = this.#emptyCategories();
    this.#gaps = epoch !== null && start > epoch ? [{ from: epoch + 1, to: start }] : [];
    this.#gapEvents = 0;
    this.#kinds.clear();
    this.#incarnation += 1;
  }

  #kindOf(type: string): EventKind {
    let kind = this.#kinds.get(type);
    if (kind === undefined) this.#kinds.set(type, kind = { category: categoryOf(type), keys: keyFieldsOf(type) });
    return kind;
  }

  /** The logs that together hold the matching events. `since` decides only which logs are the shortest. */
  #selectionsFor(filter: EventFilter, since: number): Selection[] {
    const categories = filter.category === undefined ? EVENT_CATEGORIES : [filter.category];
    return categories.map((name) => this.#categories[name].select(filter, since));
  }

  #missedAfter(selections: readonly Selection[], since: number): number | null {
    if (this.#epoch === null || since < this.#epoch) return null;
    let missed = 0;
    for (const { from, to } of this.#gaps) missed += Math.max(0, to - Math.max(from - 1, since));
    for (const selection of selections) missed += evictedAfter(selection, since);
    const isExact = selections.every(({ exactFrom }) => since >= exactFrom);
    return isExact || missed > 0 ? missed : null;
  }

  #emptyCategories(): Readonly<Record<EventCategory, CategoryIndex>> {
    const empty = EVENT_CATEGORIES.map((category) => [category, new CategoryIndex(this.capacity, this.evictedKept)]);
    return Object.fromEntries(empty) as Record<EventCategory, CategoryIndex>;
  }
}

function holds(log: ReadableLog, sequence: number): boolean {
  const position = positionAfter(log, sequence - 1);
  return position < log.size && position >= log.evictedLength && log.entryAt(position).sequence === sequence;
}

/** The matching evicted events after `since`; those that are not forgotten if the filter names ids. */
function evictedAfter(selection: Selection, since: number): number {
  if (selection.kind === "whole") return selection.logs.reduce((count, log) => count + log.evictedAfter(since), 0);
  let count = 0;
  for (const log of selection.logs) {
    for (let at = positionAfter(log, since); at < log.evictedLength; at += 1) {
      if (selection.matches(log.entryAt(at))) count += 1;
    }
  }
  return count;
}
