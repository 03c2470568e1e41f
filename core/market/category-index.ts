// The events of one category, with an index by type and product, by contract, by entity and by order.
//
// Invariant: each entry is in the log of the category, in one facet (its type and product), and in the log of each contract,
// entity and order that it is about.
// Cost: `add` is constant, and so is the drop of an event. `select` takes a few binary searches for each log that it compares.
// Limit: a facet stays for the life of this object.

import { type KeyFields, productCodeOf } from "./event-keys.ts";
import { EventEntry, EventLog, hasEntry, positionAfter, type ReadableLog } from "./event-log.ts";
import type { BufferedEvent, EventFilter } from "./event-reader.ts";
import { KeyIndex } from "./key-index.ts";

/** The logs to read for a filter, and which of their entries match. */
export type Selection =
  /** All entries match. */
  | { readonly kind: "whole"; readonly logs: readonly EventLog[]; readonly exactFrom: number }
  /** For a filter with ids. */
  | {
    readonly kind: "keyed";
    readonly logs: readonly ReadableLog[];
    readonly matches: (entry: EventEntry) => boolean;
    /** The logs know of every matching event after this number, or of the number of those that they have forgotten. */
    readonly exactFrom: number;
  };

export class CategoryIndex {
  readonly log = new EventLog();
  /** By type, then by product code; null stands for events about no product. */
  readonly #facets = new Map<string, Map<string | null, EventLog>>();
  readonly #contracts = new KeyIndex();
  readonly #entities = new KeyIndex();
  readonly #orders = new KeyIndex();
  /** Entries in the newer generation of the key indexes. */
  #young = 0;
  /** Evicted events of a restored buffer, of which nothing but their number is known, are after `after` and up to `upTo`. */
  #unseen = { after: -Infinity, upTo: -Infinity };

  /** `capacity`: buffered events. `evictedKept`: entries of evicted events. */
  constructor(private readonly capacity: number, private readonly evictedKept: number) {}

  add(event: BufferedEvent, { contracts, entities, orders }: KeyFields): void {
    const { data } = event;
    const facet = this.#facetOf(event);
    const entry = new EventEntry(event, facet);
    this.log.push(entry);
    facet.push(entry);
    for (const field of contracts) this.#contracts.add(data[field], entry);
    for (const field of entities) this.#entities.add(data[field], entry);
    for (const field of orders) this.#orders.add(data[field], entry);
    this.#dropOldest();
  }

  /** The number of evicted events. */
  get evicted(): number {
    return this.log.evictedLength + this.log.forgottenLength;
  }

  /** No event after this number was evicted; -Infinity if none was. */
  get evictedUpTo(): number {
    const { evictedLength, lastForgotten } = this.log;
    if (evictedLength > 0) return this.log.entryAt(evictedLength - 1).sequence;
    return Math.max(lastForgotten, this.#unseen.upTo);
  }

  /** Before the first `add`: `count` events between these numbers were evicted elsewhere, and are forgotten. */
  forgetUnseen(count: number, between: { readonly after: number; readonly upTo: number }): void {
    this.#unseen = between;
    this.log.forgetUnseen(count, between.after + 1);
  }

  select(filter: EventFilter, since: number): Selection {
    const facets = this.#facetsFor(filter);
    const keyed = this.#keyLogs(filter);
    if (keyed.length === 0) {
      const exactFrom = facets === null && since <= this.#unseen.after ? -Infinity : this.#unseen.upTo;
      return { kind: "whole", logs: facets ?? [this.log], exactFrom };
    }
    const logs = shortestAfter(since, [...keyed.map((log) => [log]), ...facets === null ? [] : [facets]]);
    const others = keyed.filter((log) => !logs.includes(log));
    const facetSet = facets === null || logs === facets ? null : new Set(facets);
    return {
      kind: "keyed",
      logs,
      matches: (entry) =>
        (facetSet === null || facetSet.has(entry.facet)) && others.every((log) => hasEntry(log, entry.sequence)),
      exactFrom: Math.max(this.log.lastForgotten, this.#unseen.upTo),
    };
  }

  #dropOldest(): void {
    if (this.log.length > this.capacity) {
      const evicted = this.log.evict();
      evicted.facet.evict();
      evicted.event = null;
      if (this.log.evictedLength > this.evictedKept) this.log.forget().facet.forget();
    }
    this.#young += 1;
    if (this.#young <= this.capacity + this.evictedKept) return;
    this.#young = 0;
    for (const index of [this.#contracts, this.#entities, this.#orders]) index.beginGeneration();
  }

  #facetOf({ type, data }: BufferedEvent): EventLog {
    const productCode = productCodeOf(data);
    let byProduct = this.#facets.get(type);
    if (byProduct === undefined) this.#facets.set(type, byProduct = new Map());
    let facet = byProduct.get(productCode);
    if (facet === undefined) byProduct.set(productCode, facet = new EventLog());
    return facet;
  }

  /** The facets that hold exactly the events of these types and this product; null if the filter names neither. */
  #facetsFor({ types, productCode }: EventFilter): EventLog[] | null {
    const wanted = types !== undefined && types.length > 0 ? new Set(types) : null;
    if (wanted === null && productCode === undefined) return null;
    const ofTypes = wanted === null
      ? [...this.#facets.values()]
      : [...wanted].flatMap((type) => this.#facets.get(type) ?? []);
    return ofTypes.flatMap((byProduct) =>
      productCode === undefined ? [...byProduct.values()] : byProduct.get(productCode) ?? []
    );
  }

  /** One for each id that the filter names. */
  #keyLogs({ contractId, entityId, orderId }: EventFilter): ReadableLog[] {
    const { lastForgotten } = this.log;
    const named: ReadableLog[] = [];
    if (orderId !== undefined) named.push(this.#orders.logOf(orderId, lastForgotten));
    if (contractId !== undefined) named.push(this.#contracts.logOf(contractId, lastForgotten));
    if (entityId !== undefined) named.push(this.#entities.logOf(entityId, lastForgotten));
    return named;
  }
}

/** The candidate with the fewest entries after `since`. */
function shortestAfter(since: number, candidates: readonly (readonly ReadableLog[])[]): readonly ReadableLog[] {
  const entriesAfter = (logs: readonly ReadableLog[]) =>
    logs.reduce((sum, log) => sum + log.size - positionAfter(log, since), 0);
  return candidates
    .map((logs) => ({ logs, entries: entriesAfter(logs) }))
    .reduce((shortest, candidate) => candidate.entries < shortest.entries ? candidate : shortest).logs;
}
