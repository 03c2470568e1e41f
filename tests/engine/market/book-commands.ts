// Random commands on a book of many parties with scarce and changing credit.

import { BUY, SELL, type Side } from "../../../engine/market/order-book.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import type { ReferenceBook, RestingOrder } from "./reference-book.ts";

const UNLIMITED = { allowed: true, quantity: Infinity, notional: Infinity };

export interface Terms {
  readonly allowed: boolean;
  readonly quantity: number;
  readonly notional: number;
}

export type Command =
  /** Matched as far as credit allows, or with everybody. */
  | { kind: "submit"; order: RestingOrder; isLimited: boolean }
  /** Not matched. */
  | { kind: "rest"; order: RestingOrder }
  | { kind: "remove"; id: number }
  | { kind: "reduce"; id: number; quantity: number }
  | { kind: "change"; pair: readonly [number, number]; terms: Terms }
  | { kind: "changeAll"; parties: number; terms: Terms };

const PRICES: readonly ((random: SeededRandom, side: Side) => number)[] = [
  (random) => random.integer(-8, 8),
  (random) => random.integer(1, 40),
  (random) => random.integer(-200, 200),
  (random) => random.integer(0, 3) * 1_000 - random.integer(0, 40),
  (random) => random.integer(-1_000_000, 1_000_000),
  // Almost all orders cross.
  (random, side) => random.integer(0, 30) * (side === BUY ? 1 : -1),
  (random) => random.integer(0, 9) > 0 ? random.integer(90, 110) : random.integer(-1, 1) * 2 ** random.integer(0, 50),
];

export class CommandMaker {
  readonly #random: SeededRandom;
  readonly #price;
  readonly #parties: number;
  readonly #greatestOrders: number;
  readonly #idSpan: number;
  /** Otherwise everybody may trade, and nothing changes that. */
  readonly #hasLimits: boolean;
  readonly #ids: number[] = [];
  #commands = 0;
  #isClosed = false;

  constructor(seed: number, readonly lot: number) {
    const random = this.#random = new SeededRandom(seed);
    this.#price = PRICES[seed % PRICES.length]!;
    this.#parties = [2, 3, 6, 12][random.integer(0, 3)]!;
    this.#greatestOrders = [6, 30, 150, 300][random.integer(0, 3)]!;
    this.#idSpan = [100, 2 ** 31, 2 ** 53 - 1][random.integer(0, 2)]!;
    this.#hasLimits = random.integer(0, 2) > 0;
  }

  next(reference: ReferenceBook): Command {
    const random = this.#random;
    this.#commands += 1;
    if (this.#commands === 1) return { kind: "changeAll", parties: this.#parties, terms: UNLIMITED };
    // A full book empties to a third, so the space that it grew is used again.
    if (reference.orderCount >= this.#greatestOrders) this.#isClosed = true;
    if (reference.orderCount <= this.#greatestOrders / 3) this.#isClosed = false;
    const kind = random.integer(1, 100);
    if (kind <= 4 && this.#hasLimits) return { kind: "change", pair: this.#pair(), terms: this.#terms() };
    if (kind === 5 && this.#hasLimits) return { kind: "changeAll", parties: this.#parties, terms: this.#terms() };
    if (kind <= (this.#isClosed ? 60 : 17)) return { kind: "remove", id: this.#knownId(reference) };
    if (kind <= (this.#isClosed ? 80 : 25)) {
      return { kind: "reduce", id: this.#knownId(reference), quantity: random.integer(1, 9) * this.lot };
    }
    const id = random.integer(0, 50) === 0 ? this.#knownId(reference) : random.integer(-this.#idSpan, this.#idSpan);
    this.#ids.push(id);
    const side = random.next() < 0.5 ? BUY : SELL;
    const [price, quantity] = [this.#price(random, side), random.integer(1, 12) * this.lot];
    const order = { id, side, price, quantity, party: random.integer(0, this.#parties - 1), priority: this.#commands };
    return kind > 95
      ? { kind: "rest", order }
      : { kind: "submit", order, isLimited: this.#hasLimits && random.next() < 0.8 };
  }

  /** Mostly the id of a resting order, else of a recent one. */
  #knownId(reference: ReferenceBook): number {
    const random = this.#random;
    const orders = reference.orders(random.next() < 0.5 ? BUY : SELL);
    const resting = orders[random.integer(0, orders.length - 1)];
    if (resting !== undefined && random.integer(0, 7) > 0) return resting.id;
    return this.#ids[random.integer(Math.max(0, this.#ids.length - 50), this.#ids.length - 1)] ?? 0;
  }

  #pair(): readonly [number, number] {
    const one = this.#random.integer(0, this.#parties - 1);
    return [one, (one + this.#random.integer(1, this.#parties - 1)) % this.#parties];
  }

  /** Usage is never released, so limits let less trade over a run. */
  #terms(): Terms {
    const random = this.#random;
    return {
      allowed: random.integer(0, 3) > 0,
      quantity: random.integer(0, 2) === 0 ? Infinity : random.integer(0, 400) * this.lot,
      notional: random.integer(0, 3) === 0 ? Infinity : 10 ** random.integer(0, 6) * random.integer(0, 9),
    };
  }
}
