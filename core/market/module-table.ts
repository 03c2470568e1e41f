// The modules of one type, in order and indexed. snapshot.ts has one table for each type.
//
// Invariants: each module is once in `#all` and once in one bucket of every index, under its current values. No bucket is
// empty. The rank of a module never changes.
// Cost: put and remove depend on the number of indexes, not on the size of a bucket. find depends on the size of the
// smallest bucket that contains all matches, or only on `limit` if that bucket contains nothing else.

import type { AnyModuleData, ModuleType } from "../../protocol/modules/registry.ts";
import { OrderedList } from "./ordered-list.ts";
import { CREATION_TIMES, SNAPSHOT_INDEXES } from "./snapshot-indexes.ts";
import type { SnapshotQuery } from "./snapshot-reader.ts";

interface Entry {
  readonly rank: number;
  readonly id: string;
  data: AnyModuleData;
}

type Bucket = OrderedList<Entry>;
type Condition = readonly [property: string, value: unknown];

export class ModuleTable {
  readonly #entries = new Map<string, Entry>();
  readonly #all: Bucket = new OrderedList();
  readonly #indexes: readonly ModuleIndex[];
  /** The property with the creation time, for types that are listed newest first. */
  readonly #creationTime: string | undefined;
  #seen = 0;

  constructor(type: ModuleType) {
    this.#indexes = (SNAPSHOT_INDEXES[type] ?? []).map((properties) => new ModuleIndex(properties));
    this.#creationTime = CREATION_TIMES[type];
  }

  get size(): number {
    return this.#entries.size;
  }

  get(id: string): AnyModuleData | undefined {
    return this.#entries.get(id)?.data;
  }

  first(): AnyModuleData | undefined {
    return this.#all.first()?.data;
  }

  put(data: AnyModuleData): void {
    const known = this.#entries.get(data.id);
    if (known !== undefined) {
      for (const index of this.#indexes) index.move(known, data);
      known.data = data;
      return;
    }
    const entry: Entry = { rank: this.#rankOf(data), id: data.id, data };
    this.#entries.set(entry.id, entry);
    this.#all.add(entry);
    for (const index of this.#indexes) index.add(entry);
  }

  remove(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#all.remove(entry);
    for (const index of this.#indexes) index.remove(entry);
  }

  find({ equals = {}, where, limit }: SnapshotQuery): { total: number; modules: AnyModuleData[] } {
    const conditions = Object.entries(equals).filter(([, value]) => value !== undefined);
    const { bucket, rest } = this.#narrow(conditions);
    const modules: AnyModuleData[] = [];
    const entries = this.#creationTime === undefined ? bucket.ascending() : bucket.descending();
    if (rest.length === 0 && where === undefined) {
      for (const { data } of entries) {
        if (modules.length >= limit) break;
        modules.push(data);
      }
      return { total: bucket.size, modules };
    }
    let total = 0;
    for (const { data } of entries) {
      if (!rest.every(([property, value]) => data[property] === value)) continue;
      if (where !== undefined && !where(data)) continue;
      total += 1;
      if (modules.length < limit) modules.push(data);
    }
    return { total, modules };
  }

  /** The smallest bucket that contains every match, and the conditions that still have to be tested. */
  #narrow(conditions: readonly Condition[]): { bucket: Bucket; rest: readonly Condition[] } {
    const id = conditions.find(([property]) => property === "id");
    if (id !== undefined) return { bucket: this.#single(id[1]), rest: conditions };
    let bucket = this.#all;
    let answered: readonly string[] = [];
    for (const index of this.#indexes) {
      const candidate = index.bucketFor(conditions);
      if (candidate === null) continue;
      const better = candidate.size < bucket.size ||
        (candidate.size === bucket.size && index.properties.length > answered.length);
      if (!better) continue;
      bucket = candidate;
      answered = index.properties;
    }
    return { bucket, rest: conditions.filter(([property]) => !answered.includes(property)) };
  }

  #single(id: unknown): Bucket {
    const bucket: Bucket = new OrderedList();
    const entry = typeof id === "string" ? this.#entries.get(id) : undefined;
    if (entry !== undefined) bucket.add(entry);
    return bucket;
  }

  /** A module without a readable time counts as the oldest. */
  #rankOf(data: AnyModuleData): number {
    if (this.#creationTime === undefined) return this.#seen++;
    const time = data[this.#creationTime];
    return typeof time === "string" ? Date.parse(time) || 0 : 0;
  }
}

const EMPTY: Bucket = new OrderedList();

class ModuleIndex {
  readonly #buckets = new Map<unknown, Bucket>();

  constructor(readonly properties: readonly string[]) {}

  add(entry: Entry): void {
    this.#put(this.#keyOf(entry.data), entry);
  }

  remove(entry: Entry): void {
    this.#take(this.#keyOf(entry.data), entry);
  }

  move(entry: Entry, data: AnyModuleData): void {
    if (this.properties.every((property) => entry.data[property] === data[property])) return;
    this.#take(this.#keyOf(entry.data), entry);
    this.#put(this.#keyOf(data), entry);
  }

  /** Null if the conditions do not fix every property of the index. */
  bucketFor(conditions: readonly Condition[]): Bucket | null {
    const wanted: Record<string, unknown> = {};
    for (const [property, value] of conditions) {
      if (this.properties.includes(property)) wanted[property] = value;
    }
    if (!this.properties.every((property) => Object.hasOwn(wanted, property))) return null;
    return this.#buckets.get(this.#keyOf(wanted)) ?? EMPTY;
  }

  #put(key: unknown, entry: Entry): void {
    const bucket = this.#buckets.get(key);
    if (bucket !== undefined) return bucket.add(entry);
    const created: Bucket = new OrderedList();
    created.add(entry);
    this.#buckets.set(key, created);
  }

  #take(key: unknown, entry: Entry): void {
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) throw new Error(`no bucket holds ${entry.id}`);
    bucket.remove(entry);
    if (bucket.size === 0) this.#buckets.delete(key);
  }

  /** The value itself; for two properties, one string. The length prefix makes it unique. */
  #keyOf(values: Readonly<Record<string, unknown>>): unknown {
    const [first = "", second] = this.properties;
    if (second === undefined) return values[first];
    const head = String(values[first]);
    return `${head.length} ${head} ${String(values[second])}`;
  }
}
