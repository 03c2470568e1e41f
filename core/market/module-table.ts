// The modules of one type, in order and indexed. snapshot.ts has one table for each type.
//
// The order and each index are made when a query first needs them, and kept up from then on. So a snapshot is read about as
// fast as its JSON text is parsed.
//
// Invariants: once the order is made, each module is in it once; and once in one bucket of every index that is made, under its
// current values. No bucket is empty. The rank of a module never changes once the order is made.
// Cost: get, and put and remove before the first list, are one look-up. Making the order sorts all modules; making an index
// visits each once. From then on put and remove depend on the number of indexes made, not on the size of a bucket. find
// depends on the size of the smallest bucket that contains all matches, or only on `limit` if that bucket contains nothing
// else: also for a page in the middle of the list.

import type { AnyModuleData, ModuleType } from "../../protocol/modules/registry.ts";
import { type Bucket, type Condition, type Entry, ModuleIndex } from "./module-index.ts";
import { compareRanked, OrderedList, type Ranked } from "./ordered-list.ts";
import { type RevisionCounter, Revisions } from "./revisions.ts";
import { CREATION_TIMES, type IndexedProperties, indexesFor } from "./snapshot-indexes.ts";
import type { ModulePosition, SnapshotQuery } from "./snapshot-reader.ts";

interface Page {
  readonly total: number;
  readonly modules: AnyModuleData[];
  readonly next: ModulePosition | null;
}

/** The rank of a module that is not ordered yet. */
const UNRANKED = NaN;

export class ModuleTable {
  readonly #entries = new Map<string, Entry>();
  /** All modules; null until a query needs their order. */
  #order: Bucket | null = null;
  /** The indexes that queries have needed. */
  readonly #indexes: ModuleIndex[] = [];
  /** The property with the creation time, for types that are listed newest first. */
  readonly #creationTime: string | undefined;
  #seen: number;
  readonly revisions: Revisions;

  /** `previous`: the table that this one replaces. Ranks of new modules follow after its ranks. */
  constructor(private readonly type: ModuleType, counter: RevisionCounter, previous?: ModuleTable) {
    this.revisions = new Revisions(counter);
    this.#seen = previous === undefined ? 0 : previous.#seen;
    this.#creationTime = CREATION_TIMES[type];
  }

  get #newestFirst(): boolean {
    return this.#creationTime !== undefined;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(id: string): AnyModuleData | undefined {
    return this.#entries.get(id)?.data;
  }

  first(): AnyModuleData | undefined {
    return this.#ordered().first()?.data;
  }

  /** A module that `previous` holds keeps its rank, so a new snapshot does not change the order of a list. */
  put(data: AnyModuleData, previous?: ModuleTable): void {
    const known = this.#entries.get(data.id);
    this.revisions.changed(known?.data, data);
    if (known !== undefined) {
      for (const index of this.#indexes) index.move(known, data);
      known.data = data;
      return;
    }
    const rank = this.#creationTime === undefined ? previous?.rankOf(data.id) ?? this.#seen++ : UNRANKED;
    const entry: Entry = { rank, id: data.id, data };
    this.#entries.set(entry.id, entry);
    if (this.#order === null) return;
    this.#rank(entry);
    this.#order.add(entry);
    for (const index of this.#indexes) index.add(entry);
  }

  remove(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.revisions.changed(entry.data, undefined);
    this.#entries.delete(id);
    this.#order?.remove(entry);
    for (const index of this.#indexes) index.remove(entry);
  }

  /** The rank of a module of a type that is listed in the order first seen. */
  rankOf(id: string): number | undefined {
    return this.#entries.get(id)?.rank;
  }

  find({ equals = {}, where, after, limit }: SnapshotQuery): Page {
    const conditions = Object.entries(equals).filter(([, value]) => value !== undefined);
    const { bucket, rest } = this.#narrow(conditions);
    const start = after === undefined ? undefined : this.#startAt(after);
    if (rest.length === 0 && where === undefined) return this.#pageOf(bucket, start, limit);
    const modules: AnyModuleData[] = [];
    let last: Entry | undefined;
    let total = 0;
    let more = false;
    for (const entry of this.#newestFirst ? bucket.descending() : bucket.ascending()) {
      const { data } = entry;
      if (!rest.every(([property, value]) => data[property] === value)) continue;
      if (where !== undefined && !where(data)) continue;
      total += 1;
      if (start !== undefined && !this.#isAfter(entry, start)) continue;
      more = modules.length >= limit;
      if (more) continue;
      modules.push(data);
      last = entry;
    }
    return { total, modules, next: more ? this.#positionOf(last) : null };
  }

  /** A page of a bucket in which every module matches. */
  #pageOf(bucket: Bucket, start: Ranked | undefined, limit: number): Page {
    const modules: AnyModuleData[] = [];
    let last: Entry | undefined;
    for (const entry of this.#newestFirst ? bucket.descending(start) : bucket.ascending(start)) {
      if (modules.length >= limit) return { total: bucket.size, modules, next: this.#positionOf(last) };
      modules.push(entry.data);
      last = entry;
    }
    return { total: bucket.size, modules, next: null };
  }

  #positionOf(entry: Entry | undefined): ModulePosition | null {
    return entry === undefined ? null : { rank: this.#newestFirst ? entry.rank : null, id: entry.id };
  }

  #startAt({ rank, id }: ModulePosition): Ranked {
    if (this.#newestFirst && rank !== null) return { rank, id };
    const entry = this.#entries.get(id);
    if (entry === undefined) throw new Error(`no module ${id} to continue after`);
    return entry;
  }

  #isAfter(entry: Ranked, start: Ranked): boolean {
    return this.#newestFirst ? compareRanked(entry, start) < 0 : compareRanked(entry, start) > 0;
  }

  /** The smallest bucket that contains every match, and the conditions that still have to be tested. */
  #narrow(conditions: readonly Condition[]): { bucket: Bucket; rest: readonly Condition[] } {
    const id = conditions.find(([property]) => property === "id");
    if (id !== undefined) return { bucket: this.#single(id[1]), rest: conditions };
    let bucket = this.#ordered();
    let answered: IndexedProperties = [];
    for (const properties of indexesFor(this.type, conditions)) {
      const candidate = this.#index(properties).bucketFor(conditions);
      if (answered.length > 0 && candidate.size >= bucket.size) continue;
      bucket = candidate;
      answered = properties;
    }
    return { bucket, rest: conditions.filter(([property]) => !answered.includes(property)) };
  }

  #single(id: unknown): Bucket {
    const bucket: Bucket = new OrderedList();
    const entry = typeof id === "string" ? this.#entries.get(id) : undefined;
    if (entry === undefined) return bucket;
    this.#rank(entry);
    bucket.add(entry);
    return bucket;
  }

  #ordered(): Bucket {
    if (this.#order !== null) return this.#order;
    const entries = [...this.#entries.values()];
    for (const entry of entries) this.#rank(entry);
    const order: Bucket = new OrderedList();
    for (const entry of entries.sort(compareRanked)) order.append(entry);
    return this.#order = order;
  }

  #index(properties: IndexedProperties): ModuleIndex {
    const known = this.#indexes.find((index) => index.properties === properties);
    if (known !== undefined) return known;
    const index = new ModuleIndex(properties, this.#ordered().ascending());
    this.#indexes.push(index);
    return index;
  }

  /** A module without a readable time counts as the oldest. */
  #rank(entry: Entry): void {
    if (this.#creationTime === undefined || !Number.isNaN(entry.rank)) return;
    const time = entry.data[this.#creationTime];
    entry.rank = typeof time === "string" ? Date.parse(time) || 0 : 0;
  }
}
