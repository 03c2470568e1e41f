// The price levels of a book, each side best first. A level has a rank that ascends from the best price to the worst: the
// price for asks, its negative for bids. 32 neighbouring ranks of a side share a block, with one bitmap of the levels that
// have orders. A hash finds a block by its number (rank / 32) and side; a linked list keeps a side's blocks in order.
//
// Invariants: a bit is set if and only if its level has orders; a block exists if and only if one of its bits is set.
// Blocks 0 and 1 are the sentinels of the two lists and hold no levels, so no level has the number 0. The number of a level
// is block x 32 + rank mod 32. Both sides share the same arrays. The side is random, so a branch on it would be
// mispredicted half of the time; the code computes with the side instead.
//
// Cost: a level by price, the best level and the next one O(1); a new block costs one `add` of SortedIntegers. Allocates
// only when it grows, by doubling. Memory: 670 bytes a block, which in the worst case has orders at a single price.

import { IntegerMap } from "./integer-map.ts";
import { BUY, SELL, type Side } from "./order-book.ts";
import { lowestBit, SortedIntegers } from "./sorted-integers.ts";

export const NO_LEVEL = 0;

const WIDTH = 32;
const SENTINELS = 2;
const INITIAL_BLOCKS = 4;

export class PriceLevels {
  /** By level: the slots of its first and last order, the number of its orders and their volume in kW. */
  heads = new Int32Array(INITIAL_BLOCKS * WIDTH);
  tails = new Int32Array(INITIAL_BLOCKS * WIDTH);
  orderCounts = new Int32Array(INITIAL_BLOCKS * WIDTH);
  volumes = new Float64Array(INITIAL_BLOCKS * WIDTH);

  /** By block: the price of its best level, and the price step from level to level: -1 for bids, 1 for asks. */
  private prices = new Float64Array(INITIAL_BLOCKS);
  private directions = new Int32Array(INITIAL_BLOCKS);
  private bitmaps = new Int32Array(INITIAL_BLOCKS);
  /** By block: its neighbours in the list. Free blocks are linked by `nextBlocks`. */
  private nextBlocks = Int32Array.of(BUY, SELL, 0, 0);
  private previousBlocks = Int32Array.of(BUY, SELL, 0, 0);
  private freeBlock = 0;
  private usedBlocks = SENTINELS;

  private readonly blocksByNumber = new IntegerMap();
  private readonly blockNumbers = [new SortedIntegers(), new SortedIntegers()] as const;

  /** By side: its best level, and the rank of that level. They follow from the rest; every order asks for them. */
  private readonly bestLevels = Int32Array.of(NO_LEVEL, NO_LEVEL);
  private readonly bestRanks = Float64Array.of(Infinity, Infinity);

  /** NO_LEVEL if the side is empty. */
  best(side: Side): number {
    return this.bestLevels[side]!;
  }

  /** The next level with orders; NO_LEVEL after the last. */
  next(level: number): number {
    const block = level >> 5;
    const greater = this.bitmaps[block]! & (-2 << (level & 31));
    return greater !== 0 ? block * WIDTH + lowestBit(greater) : this.firstOf(this.nextBlocks[block]!);
  }

  /** The first level with orders at a price or a worse one; NO_LEVEL if there is none. */
  from(side: Side, price: number): number {
    const rank = price * (2 * side - 1);
    const number = numberOf(rank);
    const block = this.blocksByNumber.get(number * 2 + side);
    if (block === 0) return this.firstOf(this.blockFollowing(side, number));
    const reached = this.bitmaps[block]! & (-1 << (rank & 31));
    return reached !== 0 ? block * WIDTH + lowestBit(reached) : this.firstOf(this.nextBlocks[block]!);
  }

  priceOf(level: number): number {
    const block = level >> 5;
    return this.prices[block]! + (level & 31) * this.directions[block]!;
  }

  sideOf(level: number): Side {
    return this.directions[level >> 5]! < 0 ? BUY : SELL;
  }

  /** The level of a price, marked as one with orders: the caller must add an order to it. */
  open(side: Side, price: number): number {
    const rank = price * (2 * side - 1);
    const number = numberOf(rank);
    const block = this.blocksByNumber.get(number * 2 + side) || this.addBlock(side, number);
    const offset = rank & 31;
    this.bitmaps[block]! |= 1 << offset;
    const level = block * WIDTH + offset;
    if (rank < this.bestRanks[side]!) this.setBest(side, level, rank);
    return level;
  }

  /** Must be called when the last order of a level leaves. */
  close(level: number): void {
    const block = level >> 5;
    const left = this.bitmaps[block]! & ~(1 << (level & 31));
    this.bitmaps[block] = left;
    const side = this.sideOf(level);
    if (left === 0) this.removeBlock(block);
    if (level === this.bestLevels[side]) this.findBest(side);
  }

  private findBest(side: Side): void {
    const level = this.firstOf(this.nextBlocks[side]!);
    this.setBest(side, level, level === NO_LEVEL ? Infinity : this.priceOf(level) * (2 * side - 1));
  }

  private setBest(side: Side, level: number, rank: number): void {
    this.bestLevels[side] = level;
    this.bestRanks[side] = rank;
  }

  private firstOf(block: number): number {
    return block < SENTINELS ? NO_LEVEL : block * WIDTH + lowestBit(this.bitmaps[block]!);
  }

  private addBlock(side: Side, number: number): number {
    const next = this.blockFollowing(side, number);
    const previous = this.previousBlocks[next]!;
    let block = this.freeBlock;
    if (block !== 0) this.freeBlock = this.nextBlocks[block]!;
    else {
      block = this.usedBlocks++;
      if (block === this.bitmaps.length) this.grow();
    }
    // `0 - x` is never -0; `-x` would be for block 0.
    this.prices[block] = side === BUY ? 0 - number * WIDTH : number * WIDTH;
    this.directions[block] = side === BUY ? -1 : 1;
    this.nextBlocks[block] = next;
    this.previousBlocks[block] = previous;
    this.nextBlocks[previous] = block;
    this.previousBlocks[next] = block;
    this.blocksByNumber.insert(number * 2 + side, block);
    this.blockNumbers[side].add(number);
    return block;
  }

  private removeBlock(block: number): void {
    const level = block * WIDTH;
    const side = this.sideOf(level);
    const number = this.priceOf(level) * this.directions[block]! / WIDTH;
    this.blocksByNumber.delete(number * 2 + side);
    this.blockNumbers[side].remove(number);
    const next = this.nextBlocks[block]!;
    const previous = this.previousBlocks[block]!;
    this.nextBlocks[previous] = next;
    this.previousBlocks[next] = previous;
    this.nextBlocks[block] = this.freeBlock;
    this.freeBlock = block;
  }

  /** The block after a number; the sentinel if there is none. */
  private blockFollowing(side: Side, number: number): number {
    const next = this.blockNumbers[side].after(number);
    return next === null ? side : this.blocksByNumber.get(next * 2 + side);
  }

  private grow(): void {
    const blocks = this.bitmaps.length * 2;
    this.heads = grown(this.heads, new Int32Array(blocks * WIDTH));
    this.tails = grown(this.tails, new Int32Array(blocks * WIDTH));
    this.orderCounts = grown(this.orderCounts, new Int32Array(blocks * WIDTH));
    this.volumes = grown(this.volumes, new Float64Array(blocks * WIDTH));
    this.prices = grown(this.prices, new Float64Array(blocks));
    this.directions = grown(this.directions, new Int32Array(blocks));
    this.bitmaps = grown(this.bitmaps, new Int32Array(blocks));
    this.nextBlocks = grown(this.nextBlocks, new Int32Array(blocks));
    this.previousBlocks = grown(this.previousBlocks, new Int32Array(blocks));
  }
}

/** The number of the block that holds a rank. */
function numberOf(rank: number): number {
  return (rank | 0) === rank ? rank >> 5 : Math.floor(rank / WIDTH);
}

/** Copies the smaller array to the beginning of the larger one, and returns the larger one. */
export function grown<Numbers extends Int32Array | Float64Array>(smaller: Numbers, larger: Numbers): Numbers {
  larger.set(smaller);
  return larger;
}
