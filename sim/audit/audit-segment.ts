// A run of audit events of one UTC day with its index: for each module type, module, order and event name, the places
// of the events that carry it. A query reads the shortest of the lists that apply to it, newest first.

import type { AuditEvent } from "../../core/protocol/index.ts";

/** What a query asks of an event beside its day. */
export interface AuditFilter {
  readonly moduleType?: string;
  readonly moduleId?: string;
  readonly orderId?: string;
  readonly event?: string;
}

type IndexedProperty = keyof AuditFilter;
const INDEXED: readonly IndexedProperty[] = ["moduleType", "moduleId", "orderId", "event"];

export class AuditSegment {
  readonly #events: AuditEvent[] = [];
  readonly #places: Record<IndexedProperty, Map<string, number[]>> = {
    moduleType: new Map(),
    moduleId: new Map(),
    orderId: new Map(),
    event: new Map(),
  };

  /** `start` is the position in the whole trail of the segment's first event. */
  constructor(readonly day: string, readonly start: number) {}

  get size(): number {
    return this.#events.length;
  }

  append(event: AuditEvent): void {
    const place = this.#events.push(event) - 1;
    for (const property of INDEXED) {
      const value = event[property];
      if (value === null) continue;
      const places = this.#places[property].get(value);
      if (places === undefined) this.#places[property].set(value, [place]);
      else places.push(place);
    }
  }

  at(position: number): AuditEvent | undefined {
    return this.#events[position - this.start];
  }

  /** The events before `position` that match, newest first, with their positions. */
  *matches(filter: AuditFilter, position: number): Generator<{ position: number; event: AuditEvent }> {
    const properties = INDEXED.filter((property) => filter[property] !== undefined);
    const candidates = this.#candidates(filter, properties);
    const end = position - this.start;
    let index = candidates === null ? Math.min(end, this.#events.length) : countBelow(candidates, end);
    while (--index >= 0) {
      const place = candidates === null ? index : candidates[index];
      const event = place === undefined ? undefined : this.#events[place];
      if (place === undefined || event === undefined) throw new Error(`audit index out of range at ${index}`);
      if (properties.every((property) => event[property] === filter[property])) {
        yield { position: this.start + place, event };
      }
    }
  }

  /** The shortest list that holds every match; null where nothing is asked that is indexed. */
  #candidates(filter: AuditFilter, properties: readonly IndexedProperty[]): readonly number[] | null {
    let shortest: readonly number[] | null = null;
    for (const property of properties) {
      const places = this.#places[property].get(filter[property] ?? "") ?? [];
      if (shortest === null || places.length < shortest.length) shortest = places;
    }
    return shortest;
  }
}

/** How many of the ascending numbers are below `limit`. */
function countBelow(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
