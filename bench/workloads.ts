// Order flow generated from a seed, in the format of `mkt replay --format ops` (engine/replay/ops-file.ts).
//
// 55 % are limit orders at a geometrically distributed distance from a mid price that moves at random, 35 % cancels of
// random live orders, and 10 % marketable orders: limit orders priced through the opposite best price. The sizes of
// marketable orders keep the number of live orders about constant: 5,000 for `SHALLOW`; 100,000 for `DEEP`, which also
// starts with them. Ids are a permutation of the positive 31-bit integers. The generator keeps a book of its own to
// know the live orders.

import { SeededRandom } from "../sim/random/seeded-random.ts";
import { sweep } from "../engine/market/matching.ts";
import { BUY, opposite, SELL, type Side } from "../engine/market/order-book.ts";
import { PriceTimeBook } from "../engine/market/price-time-book.ts";
import { CANCEL, NEW_ORDER } from "../engine/replay/ops-file.ts";

export interface Workload {
  /** Approximate number of live orders. */
  readonly liveOrders: number;
  /** Limit orders at the start, before the mix. */
  readonly prologue: number;
  /** Mean distance of a limit order from the mid, in ticks. */
  readonly meanDistance: number;
  /** Probability that the mid moves by a tick with an operation. */
  readonly midMoves: number;
}

export const SHALLOW: Workload = { liveOrders: 5_000, prologue: 0, meanDistance: 20, midMoves: 1 / 8 };
export const DEEP: Workload = { liveOrders: 100_000, prologue: 100_000, meanDistance: 100, midMoves: 1 / 100 };

const HEADER_BYTES = 32;
const RECORD_BYTES = 16;
/** The kind byte of a record, for information. */
const KIND = { limit: 0, cancel: 1, marketable: 2 } as const;

const LIMIT_SHARE = 0.55;
const CANCEL_SHARE = 0.35;
const FIRST_MID = 100_000;
const MAX_QUANTITY = 100;
const MAX_ID = 2 ** 31 - 1;

/** The file of this many operations; the same seed gives the same file. */
export function makeOperations(workload: Workload, operations: number, seed: number): Uint8Array {
  const maker = new OperationMaker(workload, operations, seed);
  for (let index = 0; index < operations; index++) maker.make(index);
  return maker.finish();
}

class OperationMaker {
  readonly #file: Uint8Array;
  readonly #view: DataView;
  readonly #random;
  readonly #book = new PriceTimeBook();
  /** Ids of live orders, and of some traded ones, which are dropped when drawn. */
  readonly #live: number[] = [];
  #mid = FIRST_MID;
  #nextId;
  #greatestId = 0;
  #lowestPrice = Infinity;
  #highestPrice = -Infinity;

  constructor(readonly workload: Workload, operations: number, seed: number) {
    this.#file = new Uint8Array(HEADER_BYTES + operations * RECORD_BYTES);
    this.#view = new DataView(this.#file.buffer);
    this.#random = new SeededRandom(seed);
    this.#nextId = this.#random.integer(1, MAX_ID);
    this.#file.set(new TextEncoder().encode("LOBW"));
    [1, operations].forEach((word, index) => this.#view.setUint32(4 + index * 4, word, true));
    this.#view.setUint32(24, seed, true);
  }

  make(index: number): void {
    const random = this.#random;
    if (random.next() < this.workload.midMoves) this.#mid += random.next() < 0.5 ? -1 : 1;
    const kind = index < this.workload.prologue ? 0 : random.next();
    const at = HEADER_BYTES + index * RECORD_BYTES;
    const side = random.next() < 0.5 ? BUY : SELL;
    if (kind < LIMIT_SHARE) return this.#submit(at, index, KIND.limit, side, this.#limitPrice(side), this.#quantity());
    if (kind < LIMIT_SHARE + CANCEL_SHARE) {
      const id = this.#drawLive();
      if (id !== null) return this.#cancel(at, id);
    }
    this.#submit(at, index, KIND.marketable, side, this.#marketablePrice(side), this.#marketableQuantity());
  }

  finish(): Uint8Array {
    this.#view.setUint32(12, this.#greatestId, true);
    if (this.#highestPrice >= this.#lowestPrice) {
      this.#view.setInt32(16, this.#lowestPrice, true);
      this.#view.setInt32(20, this.#highestPrice, true);
    }
    return this.#file;
  }

  #submit(at: number, priority: number, kind: number, side: Side, price: number, quantity: number): void {
    const id = this.#takeId();
    this.#write(at, NEW_ORDER, side, kind, id, price, quantity);
    this.#lowestPrice = Math.min(this.#lowestPrice, price);
    this.#highestPrice = Math.max(this.#highestPrice, price);
    const remaining = sweep(this.#book, side, price, quantity, () => {});
    if (remaining === 0) return;
    this.#book.add(id, side, price, remaining, 0, priority);
    this.#live.push(id);
  }

  #cancel(at: number, id: number): void {
    const side = this.#book.sideOf(this.#book.slotOf(id));
    this.#book.remove(id);
    this.#write(at, CANCEL, side, KIND.cancel, id, 0, 0);
  }

  #write(at: number, op: number, side: Side, kind: number, id: number, price: number, quantity: number): void {
    this.#file.set([op, side, kind, 0], at);
    this.#view.setUint32(at + 4, id, true);
    this.#view.setInt32(at + 8, price, true);
    this.#view.setUint32(at + 12, quantity, true);
  }

  /** A random live order; null if there is none. */
  #drawLive(): number | null {
    const live = this.#live;
    while (live.length > 0) {
      const index = this.#random.integer(0, live.length - 1);
      const id = live[index];
      const last = live.pop();
      if (index < live.length && last !== undefined) live[index] = last;
      if (id !== undefined && this.#book.slotOf(id) !== 0) return id;
    }
    return null;
  }

  #limitPrice(side: Side): number {
    const distance = 1 + Math.floor(Math.log(1 - this.#random.next()) / Math.log(1 - 1 / this.workload.meanDistance));
    return side === BUY ? this.#mid - distance : this.#mid + distance;
  }

  #quantity(): number {
    return this.#random.integer(1, MAX_QUANTITY);
  }

  /** A price through the opposite best price, or through the mid if that side is empty. */
  #marketablePrice(side: Side): number {
    const best = this.#book.bestPrice(opposite(side)) ?? this.#mid;
    const through = this.#random.integer(0, this.workload.meanDistance);
    return side === BUY ? best + through : best - through;
  }

  /** Fills part of an order while there are too few live orders, about three orders while there are too many. */
  #marketableQuantity(): number {
    return this.#random.integer(1, this.#book.orderCount < this.workload.liveOrders ? 50 : 300);
  }

  /** Each id once: a linear congruential generator of full period modulo 2^31 (Knuth 3.2.1.2), without 0. */
  #takeId(): number {
    const id = this.#nextId;
    do this.#nextId = (Math.imul(this.#nextId, 1_103_515_245) + 12_345) & MAX_ID; while (this.#nextId === 0);
    this.#greatestId = Math.max(this.#greatestId, id);
    return id;
  }
}
