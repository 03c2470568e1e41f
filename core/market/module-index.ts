// One index of a module table: a bucket of modules, in the table's order, for each value of one property or two.
// A table makes it when a query first needs it.
//
// Invariants: each module is in exactly one bucket, under its current values. No bucket is empty.
// Cost: add, remove and move are one look-up and one change of an ordered list.

import type { AnyModuleData } from "../../protocol/modules/registry.ts";
import { OrderedList } from "./ordered-list.ts";

/** A module in its table. */
export interface Entry {
  /** NaN until it is needed. */
  rank: number;
  readonly id: string;
  data: AnyModuleData;
}

export type Bucket = OrderedList<Entry>;
/** The value is never undefined. */
export type Condition = readonly [property: string, value: unknown];

const EMPTY: Bucket = new OrderedList();

export class ModuleIndex {
  readonly #buckets = new Map<unknown, Bucket>();

  /** `ordered`: the modules of the table, in its order. */
  constructor(readonly properties: readonly string[], ordered: Iterable<Entry>) {
    for (const entry of ordered) this.#bucket(this.#keyOf(entry.data)).append(entry);
  }

  add(entry: Entry): void {
    this.#bucket(this.#keyOf(entry.data)).add(entry);
  }

  remove(entry: Entry): void {
    this.#take(this.#keyOf(entry.data), entry);
  }

  move(entry: Entry, data: AnyModuleData): void {
    if (this.properties.every((property) => entry.data[property] === data[property])) return;
    this.#take(this.#keyOf(entry.data), entry);
    this.#bucket(this.#keyOf(data)).add(entry);
  }

  /** The modules that match; the conditions fix every property of the index. */
  bucketFor(conditions: readonly Condition[]): Bucket {
    const [first = "", second] = this.properties;
    const firstValue = valueIn(conditions, first);
    const key = second === undefined ? firstValue : pairKey(firstValue, valueIn(conditions, second));
    return this.#buckets.get(key) ?? EMPTY;
  }

  /** The bucket of a key, which gets a module next. */
  #bucket(key: unknown): Bucket {
    const known = this.#buckets.get(key);
    if (known !== undefined) return known;
    const created: Bucket = new OrderedList();
    this.#buckets.set(key, created);
    return created;
  }

  #take(key: unknown, entry: Entry): void {
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) throw new Error(`no bucket holds ${entry.id}`);
    bucket.remove(entry);
    if (bucket.size === 0) this.#buckets.delete(key);
  }

  #keyOf(values: Readonly<Record<string, unknown>>): unknown {
    const [first = "", second] = this.properties;
    return second === undefined ? values[first] : pairKey(values[first], values[second]);
  }
}

/** One string for two values. The length prefix makes it unique. */
function pairKey(first: unknown, second: unknown): string {
  const head = String(first);
  return `${head.length} ${head} ${String(second)}`;
}

/** The value that the conditions ask of a property; undefined if none does. */
export function valueIn(conditions: readonly Condition[], wanted: string): unknown {
  for (const [property, value] of conditions) if (property === wanted) return value;
  return undefined;
}
