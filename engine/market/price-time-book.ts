// The fast order book: orders in slots of typed arrays. The orders of a level are a linked list, and so are the free slots.
// The fields of an order that are used together are stored together: its links, its terms. An index finds an order by its id.
//
// Invariants: those of OrderBook; slot 0 is never used; a used slot is in the index of ids and in the list of one level;
// the list of a level runs from its head to its tail.
//
// Cost: add, remove, reduce, slotOf, first, firstFrom, next and best price O(1); depth O(levels returned). None of them
// grows with the number of orders. Allocates only when it grows, by doubling, and in `depth`.
// Limits: 2^26 blocks of 32 prices, 2^31 orders; memory is never freed.

import { HashedSlots } from "./hashed-slots.ts";
import { type BookDepthLevel, NO_SLOT, type OrderBook, type Side } from "./order-book.ts";
import { grown, NO_LEVEL, PriceLevels } from "./price-levels.ts";
import type { SlotIndex } from "./slot-index.ts";

const INITIAL_SLOTS = 16;
const MAX_PRICE = 2 ** 50;

/** Offsets in `links`, from slot x 4. Free slots are linked by NEXT. */
const NEXT = 0;
const PREVIOUS = 1;
const LEVEL = 2;
const PARTY = 3;
/** Offsets in `terms`, from slot x 3. */
const QUANTITY = 0;
const PRIORITY = 1;
const ID = 2;

export class PriceTimeBook implements OrderBook {
  private readonly levels = new PriceLevels();
  private links = new Int32Array(INITIAL_SLOTS * 4);
  private terms = new Float64Array(INITIAL_SLOTS * 3);
  private freeSlot = NO_SLOT;
  private usedSlots = 1;
  private count = 0;

  /** `slots`: the index of ids; it may be shared with other books if no id is ever in two of them. */
  constructor(private readonly slots: SlotIndex = new HashedSlots()) {}

  get orderCount(): number {
    return this.count;
  }

  add(id: number, side: Side, price: number, quantity: number, party: number, priority: number): void {
    if ((id | 0) !== id && !Number.isSafeInteger(id)) throw new RangeError(`${id} is not an order id`);
    if ((price | 0) !== price && !(Number.isInteger(price) && Math.abs(price) <= MAX_PRICE)) {
      throw new RangeError(`${price} is not a price`);
    }
    if (!(quantity > 0)) throw new RangeError(`${quantity} is not a quantity`);
    const slot = this.freeSlot !== NO_SLOT ? this.freeSlot : this.usedSlots;
    if (!this.slots.insert(id, slot)) throw new Error(`order ${id} is in the book already`);
    this.take(slot);

    const { levels, links, terms } = this;
    const level = levels.open(side, price);
    const last = levels.tails[level]!;
    if (last === NO_SLOT) levels.heads[level] = slot;
    else links[last * 4 + NEXT] = slot;
    levels.tails[level] = slot;
    levels.orderCounts[level]! += 1;
    levels.volumes[level]! += quantity;

    links[slot * 4 + NEXT] = NO_SLOT;
    links[slot * 4 + PREVIOUS] = last;
    links[slot * 4 + LEVEL] = level;
    links[slot * 4 + PARTY] = party;
    terms[slot * 3 + QUANTITY] = quantity;
    terms[slot * 3 + PRIORITY] = priority;
    terms[slot * 3 + ID] = id;
    this.count += 1;
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
    const { terms } = this;
    const left = terms[slot * 3 + QUANTITY]! - quantity;
    if (!(quantity > 0 && left >= 0)) {
      throw new RangeError(`order ${this.idOf(slot)} has ${this.quantityOf(slot)} kW left, not ${quantity}`);
    }
    if (left === 0) {
      this.slots.delete(this.idOf(slot));
      this.unlink(slot);
      return;
    }
    terms[slot * 3 + QUANTITY] = left;
    this.levels.volumes[this.levelOf(slot)]! -= quantity;
  }

  slotOf(id: number): number {
    return this.slots.get(id);
  }

  first(side: Side): number {
    return this.levels.heads[this.levels.best(side)]!;
  }

  next(slot: number): number {
    const next = this.links[slot * 4 + NEXT]!;
    return next !== NO_SLOT ? next : this.levels.heads[this.levels.next(this.levelOf(slot))]!;
  }

  /** The first order of a side at a price or a worse one; NO_SLOT if there is none. */
  firstFrom(side: Side, price: number): number {
    return this.levels.heads[this.levels.from(side, price)]!;
  }

  idOf(slot: number): number {
    return this.terms[slot * 3 + ID]!;
  }

  sideOf(slot: number): Side {
    return this.levels.sideOf(this.levelOf(slot));
  }

  priceOf(slot: number): number {
    return this.levels.priceOf(this.levelOf(slot));
  }

  quantityOf(slot: number): number {
    return this.terms[slot * 3 + QUANTITY]!;
  }

  partyOf(slot: number): number {
    return this.links[slot * 4 + PARTY]!;
  }

  priorityOf(slot: number): number {
    return this.terms[slot * 3 + PRIORITY]!;
  }

  bestPrice(side: Side): number | null {
    const level = this.levels.best(side);
    return level === NO_LEVEL ? null : this.levels.priceOf(level);
  }

  /** The number of a side's best level; NO_LEVEL if the side is empty. A number is valid until the book changes. */
  bestLevel(side: Side): number {
    return this.levels.best(side);
  }

  /** The number of the next level; NO_LEVEL after the last. */
  nextLevel(level: number): number {
    return this.levels.next(level);
  }

  priceOfLevel(level: number): number {
    return this.levels.priceOf(level);
  }

  /** kW. */
  volumeOfLevel(level: number): number {
    return this.levels.volumes[level]!;
  }

  orderCountOfLevel(level: number): number {
    return this.levels.orderCounts[level]!;
  }

  depth(side: Side, levelCount: number): BookDepthLevel[] {
    const { levels } = this;
    const depth: BookDepthLevel[] = [];
    for (let level = levels.best(side); level !== NO_LEVEL && depth.length < levelCount; level = levels.next(level)) {
      depth.push({
        price: levels.priceOf(level),
        volume: levels.volumes[level]!,
        orderCount: levels.orderCounts[level]!,
      });
    }
    return depth;
  }

  private levelOf(slot: number): number {
    return this.links[slot * 4 + LEVEL]!;
  }

  /** Marks a slot as used: the first free one, or the first that was never used. */
  private take(slot: number): void {
    if (slot === this.freeSlot) {
      this.freeSlot = this.links[slot * 4 + NEXT]!;
      return;
    }
    this.usedSlots += 1;
    if (slot * 4 === this.links.length) this.grow();
  }

  /** Removes an order from its level and frees its slot. */
  private unlink(slot: number): void {
    const { levels, links } = this;
    const level = links[slot * 4 + LEVEL]!;
    const next = links[slot * 4 + NEXT]!;
    const previous = links[slot * 4 + PREVIOUS]!;
    if (previous === NO_SLOT) levels.heads[level] = next;
    else links[previous * 4 + NEXT] = next;
    if (next === NO_SLOT) levels.tails[level] = previous;
    else links[next * 4 + PREVIOUS] = previous;
    levels.volumes[level]! -= this.terms[slot * 3 + QUANTITY]!;
    const orderCount = levels.orderCounts[level]! - 1;
    levels.orderCounts[level] = orderCount;
    if (orderCount === 0) levels.close(level);
    links[slot * 4 + NEXT] = this.freeSlot;
    this.freeSlot = slot;
    this.count -= 1;
  }

  private grow(): void {
    this.links = grown(this.links, new Int32Array(this.links.length * 2));
    this.terms = grown(this.terms, new Float64Array(this.terms.length * 2));
  }
}
