// The fast book: orders in slots of typed arrays, linked into the queues of their levels, free slots linked into a list.
//
// Invariants: those of OrderBook; slot 0 is never used; a slot that is in use is in the index of ids and in the queue of
// one level, and each queue runs from its level's head to its tail.
//
// Cost: add, remove, reduce, slotOf, first, next and best price O(1); depth O(levels asked for), whatever the number of
// orders. Nothing is allocated but when it grows, by doubling, and by `depth`.
// Limits: 2^26 blocks of 32 prices, 2^31 orders; memory is not given back.

import { IntegerIndex } from "./integer-index.ts";
import { type BookDepthLevel, BUY, NO_SLOT, type OrderBook, SELL, type Side } from "./order-book.ts";
import { grown, NO_LEVEL, PriceLevels } from "./price-levels.ts";

const INITIAL_SLOTS = 16;
const GREATEST_PRICE = 2 ** 50;

export class PriceTimeBook implements OrderBook {
  private readonly bids = new PriceLevels();
  private readonly asks = new PriceLevels();
  private readonly slots = new IntegerIndex();

  /** By slot. */
  private ids = new Float64Array(INITIAL_SLOTS);
  private quantities = new Float64Array(INITIAL_SLOTS);
  private priorities = new Float64Array(INITIAL_SLOTS);
  private parties = new Int32Array(INITIAL_SLOTS);
  /** Level x 2 + side. */
  private places = new Int32Array(INITIAL_SLOTS);
  /** In a level's queue; free slots are linked by `followers`. */
  private followers = new Int32Array(INITIAL_SLOTS);
  private predecessors = new Int32Array(INITIAL_SLOTS);
  private freeSlot = NO_SLOT;
  private usedSlots = 1;

  get orderCount(): number {
    return this.slots.size;
  }

  add(id: number, side: Side, price: number, quantity: number, party: number, priority: number): void {
    if ((id | 0) !== id && !Number.isSafeInteger(id)) throw new RangeError(`${id} is no order id`);
    if ((price | 0) !== price && !(Number.isInteger(price) && Math.abs(price) <= GREATEST_PRICE)) {
      throw new RangeError(`${price} is no price`);
    }
    if (!(quantity > 0)) throw new RangeError(`${quantity} is no quantity`);
    const slot = this.freeSlot !== NO_SLOT ? this.freeSlot : this.usedSlots;
    if (!this.slots.insert(id, slot)) throw new Error(`order ${id} is in the book already`);
    this.take(slot);

    const levels = side === BUY ? this.bids : this.asks;
    const level = levels.open(side === BUY ? 0 - price : price);
    const last = levels.tails[level]!;
    if (last === NO_SLOT) levels.heads[level] = slot;
    else this.followers[last] = slot;
    levels.tails[level] = slot;
    levels.orderCounts[level]! += 1;
    levels.volumes[level]! += quantity;

    this.ids[slot] = id;
    this.quantities[slot] = quantity;
    this.priorities[slot] = priority;
    this.parties[slot] = party;
    this.places[slot] = level * 2 + side;
    this.followers[slot] = NO_SLOT;
    this.predecessors[slot] = last;
  }

  remove(id: number): boolean {
    const slot = this.slots.delete(id);
    if (slot === NO_SLOT) return false;
    this.unlink(slot);
    return true;
  }

  reduce(id: number, quantity: number): void {
    const slot = this.slots.get(id);
    if (slot === NO_SLOT) throw new Error(`order ${id} is not in the book`);
    this.reduceAt(slot, quantity);
  }

  reduceAt(slot: number, quantity: number): void {
    const left = this.quantities[slot]! - quantity;
    if (!(quantity > 0 && left >= 0)) {
      throw new RangeError(`order ${this.ids[slot]} has ${this.quantities[slot]} kW left, not ${quantity}`);
    }
    if (left === 0) {
      this.slots.delete(this.ids[slot]!);
      this.unlink(slot);
      return;
    }
    this.quantities[slot] = left;
    const place = this.places[slot]!;
    this.levelsAt(place).volumes[place >> 1]! -= quantity;
  }

  slotOf(id: number): number {
    return this.slots.get(id);
  }

  first(side: Side): number {
    const levels = side === BUY ? this.bids : this.asks;
    return levels.heads[levels.best()]!;
  }

  next(slot: number): number {
    const follower = this.followers[slot]!;
    if (follower !== NO_SLOT) return follower;
    const place = this.places[slot]!;
    const levels = this.levelsAt(place);
    return levels.heads[levels.next(place >> 1)]!;
  }

  idOf(slot: number): number {
    return this.ids[slot]!;
  }

  sideOf(slot: number): Side {
    return (this.places[slot]! & 1) === BUY ? BUY : SELL;
  }

  priceOf(slot: number): number {
    const place = this.places[slot]!;
    return (place & 1) === BUY ? 0 - this.bids.rankOf(place >> 1) : this.asks.rankOf(place >> 1);
  }

  quantityOf(slot: number): number {
    return this.quantities[slot]!;
  }

  partyOf(slot: number): number {
    return this.parties[slot]!;
  }

  priorityOf(slot: number): number {
    return this.priorities[slot]!;
  }

  bestPrice(side: Side): number | null {
    const slot = this.first(side);
    return slot === NO_SLOT ? null : this.priceOf(slot);
  }

  depth(side: Side, levelCount: number): BookDepthLevel[] {
    const levels = side === BUY ? this.bids : this.asks;
    const depth: BookDepthLevel[] = [];
    for (let level = levels.best(); level !== NO_LEVEL && depth.length < levelCount; level = levels.next(level)) {
      const rank = levels.rankOf(level);
      depth.push({
        price: side === BUY ? 0 - rank : rank,
        volume: levels.volumes[level]!,
        orderCount: levels.orderCounts[level]!,
      });
    }
    return depth;
  }

  private levelsAt(place: number): PriceLevels {
    return (place & 1) === BUY ? this.bids : this.asks;
  }

  /** Takes the free slot that is next. */
  private take(slot: number): void {
    if (slot === this.freeSlot) {
      this.freeSlot = this.followers[slot]!;
      return;
    }
    this.usedSlots += 1;
    if (slot === this.ids.length) this.grow();
  }

  /** Takes an order out of its level and frees its slot. */
  private unlink(slot: number): void {
    const place = this.places[slot]!;
    const level = place >> 1;
    const levels = this.levelsAt(place);
    const follower = this.followers[slot]!;
    const predecessor = this.predecessors[slot]!;
    if (predecessor === NO_SLOT) levels.heads[level] = follower;
    else this.followers[predecessor] = follower;
    if (follower === NO_SLOT) levels.tails[level] = predecessor;
    else this.predecessors[follower] = predecessor;
    levels.volumes[level]! -= this.quantities[slot]!;
    const orderCount = levels.orderCounts[level]! - 1;
    levels.orderCounts[level] = orderCount;
    if (orderCount === 0) levels.close(level);
    this.followers[slot] = this.freeSlot;
    this.freeSlot = slot;
  }

  private grow(): void {
    const slots = this.ids.length * 2;
    this.ids = grown(this.ids, new Float64Array(slots));
    this.quantities = grown(this.quantities, new Float64Array(slots));
    this.priorities = grown(this.priorities, new Float64Array(slots));
    this.parties = grown(this.parties, new Int32Array(slots));
    this.places = grown(this.places, new Int32Array(slots));
    this.followers = grown(this.followers, new Int32Array(slots));
    this.predecessors = grown(this.predecessors, new Int32Array(slots));
  }
}
