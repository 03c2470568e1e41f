// Waits for the next event that matches a filter. A wait ends once.
//
// Each wait is indexed by the property of its filter that the fewest events have: its order, else its contract, its entity,
// its types, its product, its category. An event looks up its own order, contract and so on, so waits for other ones cost
// nothing.

import { type KeyFields, matches } from "./event-keys.ts";
import type { BufferedEvent, EventFilter } from "./event-reader.ts";

interface Waiter {
  readonly filter: EventFilter;
  readonly wake: () => void;
}

type Index = Map<string, Set<Waiter>>;

/** The key of a wait whose filter is empty. */
const ANY = "any";

export class EventWaiters {
  readonly #all = new Set<Waiter>();
  readonly #orders: Index = new Map();
  readonly #contracts: Index = new Map();
  readonly #entities: Index = new Map();
  readonly #types: Index = new Map();
  readonly #products: Index = new Map();
  readonly #categories: Index = new Map();

  get count(): number {
    return this.#all.size;
  }

  /** The result ends the wait without a call of `wake`. */
  add(filter: EventFilter, wake: () => void): () => void {
    const waiter: Waiter = { filter, wake };
    this.#all.add(waiter);
    const [index, keys] = this.#placeOf(filter);
    for (const key of keys) {
      const waiters = index.get(key);
      if (waiters === undefined) index.set(key, new Set([waiter]));
      else waiters.add(waiter);
    }
    return () => this.#remove(waiter);
  }

  /** Wakes every wait that the event matches. */
  wakeFor(event: BufferedEvent, { contracts, entities, orders }: KeyFields): void {
    const { data } = event;
    for (const field of orders) this.#wake(this.#orders, data[field], event);
    for (const field of contracts) this.#wake(this.#contracts, data[field], event);
    for (const field of entities) this.#wake(this.#entities, data[field], event);
    this.#wake(this.#types, event.type, event);
    this.#wake(this.#products, data["productCode"], event);
    this.#wake(this.#categories, event.category, event);
    this.#wake(this.#categories, ANY, event);
  }

  wakeAll(): void {
    for (const waiter of [...this.#all]) this.#end(waiter);
  }

  #wake(index: Index, key: unknown, event: BufferedEvent): void {
    const waiters = typeof key === "string" ? index.get(key) : undefined;
    if (waiters === undefined) return;
    for (const waiter of [...waiters]) if (matches(waiter.filter, event)) this.#end(waiter);
  }

  #end(waiter: Waiter): void {
    if (this.#remove(waiter)) waiter.wake();
  }

  #remove(waiter: Waiter): boolean {
    if (!this.#all.delete(waiter)) return false;
    const [index, keys] = this.#placeOf(waiter.filter);
    for (const key of keys) {
      const waiters = index.get(key);
      waiters?.delete(waiter);
      if (waiters?.size === 0) index.delete(key);
    }
    return true;
  }

  #placeOf(
    { orderId, contractId, entityId, types = [], productCode, category }: EventFilter,
  ): [Index, readonly string[]] {
    if (orderId !== undefined) return [this.#orders, [orderId]];
    if (contractId !== undefined) return [this.#contracts, [contractId]];
    if (entityId !== undefined) return [this.#entities, [entityId]];
    if (types.length > 0) return [this.#types, types];
    if (productCode !== undefined) return [this.#products, [productCode]];
    return [this.#categories, [category ?? ANY]];
  }
}
