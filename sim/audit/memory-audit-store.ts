// The engine's own audit trail, in memory.
//
// Events are kept in segments of one UTC day and at most SEGMENT_SIZE events, in the order in which they were appended;
// an event's position in that order never changes, and cursors name positions. So a walk by cursor sees each event that
// was there when it began once, whatever is appended meanwhile.
//
// Limits: the newest `capacity` events are kept (250,000, some 200 MB, unless told otherwise); beyond that the oldest
// segment goes as a whole. A query looks into the index of each segment of the days asked for and reads the events that
// one index list names; a text search reads on through them, and lets other work in after every BATCH events.

import type { AuditStore } from "../../core/audit/audit-store.ts";
import type { AuditEvent, AuditPage, AuditQuery, OrderEventsQuery } from "../../core/protocol/index.ts";
import { ToolError } from "../../core/tools/error.ts";
import { type AuditFilter, AuditSegment } from "./audit-segment.ts";

export const DEFAULT_CAPACITY = 250_000;
const SEGMENT_SIZE = 10_000;
const BATCH = 2_000;
const DAY_MS = 86_400_000;
/** Days searched for an order's history where no date is given; today is one of them. */
const ORDER_HISTORY_DAYS = 7;

export interface MemoryAuditStoreOptions {
  /** Milliseconds since the epoch: which day is today. */
  readonly now: () => number;
  readonly capacity?: number;
}

interface Search extends AuditFilter {
  readonly from: string;
  readonly to: string;
  readonly limit: number;
  readonly cursor?: string;
  readonly matches: (event: AuditEvent) => boolean;
}

export class MemoryAuditStore implements AuditStore {
  readonly #now: () => number;
  readonly #capacity: number;
  /** Oldest first. */
  readonly #segments: AuditSegment[] = [];
  #size = 0;
  #nextPosition = 0;
  #archivedPosition = 0;

  constructor(options: MemoryAuditStoreOptions) {
    this.#now = options.now;
    this.#capacity = options.capacity ?? DEFAULT_CAPACITY;
  }

  /** Events held now. */
  get size(): number {
    return this.#size;
  }

  /** Adds events at the end of the trail; their days never go back. */
  append(events: readonly AuditEvent[]): void {
    for (const event of events) {
      this.#segmentFor(event).append(event);
      this.#size += 1;
      this.#nextPosition += 1;
      this.#evict();
    }
  }

  /** The events appended since `archived` was last called, as far as they are still held; oldest first. */
  unarchived(): AuditEvent[] {
    const events: AuditEvent[] = [];
    for (const segment of this.#segments) {
      for (let at = Math.max(segment.start, this.#archivedPosition); at < segment.start + segment.size; at++) {
        const event = segment.at(at);
        if (event !== undefined) events.push(event);
      }
    }
    return events;
  }

  /** Everything appended until now is kept elsewhere too. */
  archived(): void {
    this.#archivedPosition = this.#nextPosition;
  }

  /** `visible` leaves out what the asking user may not see, before anything is counted. */
  async query(query: AuditQuery, visible: (event: AuditEvent) => boolean = () => true): Promise<AuditPage> {
    const { search, ...rest } = query;
    const text = search?.toLowerCase();
    return await this.#page({
      ...rest,
      matches: (event) => visible(event) && (text === undefined || detailsContain(event, text)),
    });
  }

  async orderEvents(orderId: string, query: OrderEventsQuery): Promise<AuditPage> {
    const today = this.#now();
    return await this.#page({
      orderId,
      from: query.date ?? dayOf(today - (ORDER_HISTORY_DAYS - 1) * DAY_MS),
      to: query.date ?? dayOf(today),
      limit: query.limit,
      cursor: query.cursor,
      matches: () => true,
    });
  }

  async #page(search: Search): Promise<AuditPage> {
    const start = search.cursor === undefined ? this.#nextPosition : this.#positionOf(search.cursor);
    const found: AuditEvent[] = [];
    let cursor: string | null = null;
    let examined = 0;
    // One match more than the limit tells whether there is more.
    for (const { position, event } of this.#walk(search, start)) {
      if (++examined % BATCH === 0) await letOthersRun();
      if (!search.matches(event)) continue;
      if (found.length === search.limit) {
        return { events: found, hasMore: true, cursor, range: { from: search.from, to: search.to } };
      }
      found.push(event);
      cursor = `${position}.${event.id}`;
    }
    return { events: found, hasMore: false, cursor: null, range: { from: search.from, to: search.to } };
  }

  /** Newest first, over the segments as they were when the walk began. */
  *#walk(search: Search, start: number): Generator<{ position: number; event: AuditEvent }> {
    for (const segment of this.#segments.toReversed()) {
      if (segment.day < search.from) return;
      if (segment.day > search.to || segment.start >= start) continue;
      yield* segment.matches(search, start);
    }
  }

  /** A position whose event has been dropped is right too: nothing older is left. */
  #positionOf(cursor: string): number {
    const [, digits, id] = /^(\d{1,15})\.(.+)$/s.exec(cursor) ?? [];
    const position = Number(digits ?? NaN);
    const oldest = this.#segments[0]?.start ?? 0;
    const segment = this.#segments.findLast(({ start }) => start <= position);
    const known = position < oldest || segment?.at(position)?.id === id;
    if (Number.isNaN(position) || !known) {
      throw new ToolError(
        "invalid_input",
        "cursor: not one of this audit trail",
        "Pass the cursor of the last answer unchanged, or leave it out to begin anew.",
      );
    }
    return position;
  }

  #segmentFor(event: AuditEvent): AuditSegment {
    const day = event.time.slice(0, 10);
    const last = this.#segments.at(-1);
    if (last !== undefined && day < last.day) throw new Error(`audit event ${event.id} of ${day} after ${last.day}`);
    if (last !== undefined && day === last.day && last.size < SEGMENT_SIZE) return last;
    const segment = new AuditSegment(day, this.#nextPosition);
    this.#segments.push(segment);
    return segment;
  }

  #evict(): void {
    const oldest = this.#segments[0];
    if (oldest === undefined || this.#size - oldest.size < this.#capacity) return;
    this.#segments.shift();
    this.#size -= oldest.size;
  }
}

/** Text anywhere in the details as JSON, names of fields included, ignoring case. `text` is in lower case. */
function detailsContain(event: AuditEvent, text: string): boolean {
  const details = JSON.stringify(event.details).toLowerCase();
  return details.includes(text) || details.includes(JSON.stringify(text).slice(1, -1));
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function letOthersRun(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
