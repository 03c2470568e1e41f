// The price levels of one side of a book, best first. A price goes by its rank, which ascends from the best to the worst:
// the price itself for asks, its negative for bids. Levels of 32 neighbouring ranks share a block with one bitmap of those
// that have orders; a hash finds a block by its number (rank / 32), and a list links the blocks in order.
//
// Invariants: a bit is set exactly where its level has orders; a block is there exactly while one of its bits is set;
// block 0 is the entrance of the list and holds no levels, so level 0 is none. A level is block x 32 + rank mod 32.
//
// Cost: a level by rank, the best one and the one that follows O(1); a new block costs with SortedIntegers. Nothing is
// allocated but when it grows, by doubling. Memory: 660 bytes a block, so at worst for a price that stands alone.

import { IntegerIndex } from "./integer-index.ts";
import { lowestBit, SortedIntegers } from "./sorted-integers.ts";

export const NO_LEVEL = 0;

const WIDTH = 32;
const INITIAL_BLOCKS = 2;

export class PriceLevels {
  /** By level: the slots of its first and last order, its count of orders and their volume. */
  heads = new Int32Array(INITIAL_BLOCKS * WIDTH);
  tails = new Int32Array(INITIAL_BLOCKS * WIDTH);
  orderCounts = new Int32Array(INITIAL_BLOCKS * WIDTH);
  volumes = new Float64Array(INITIAL_BLOCKS * WIDTH);

  /** By block. Free ones are linked by `after`. */
  private numbers = new Float64Array(INITIAL_BLOCKS);
  private bitmaps = new Int32Array(INITIAL_BLOCKS);
  private after = new Int32Array(INITIAL_BLOCKS);
  private before = new Int32Array(INITIAL_BLOCKS);
  private freeBlock = 0;
  private usedBlocks = 1;

  private readonly blocks = new IntegerIndex();
  private readonly order = new SortedIntegers();

  /** NO_LEVEL where no level has orders. */
  best(): number {
    return this.firstOf(this.after[0]!);
  }

  /** The level that follows one with orders; NO_LEVEL after the last. */
  next(level: number): number {
    const block = level >> 5;
    const greater = this.bitmaps[block]! & (-2 << (level & 31));
    return greater !== 0 ? block * WIDTH + lowestBit(greater) : this.firstOf(this.after[block]!);
  }

  rankOf(level: number): number {
    return this.numbers[level >> 5]! * WIDTH + (level & 31);
  }

  /** The level of a rank, marked as one with orders: the caller puts one there. */
  open(rank: number): number {
    const number = (rank | 0) === rank ? rank >> 5 : Math.floor(rank / WIDTH);
    const block = this.blocks.get(number) || this.addBlock(number);
    const offset = rank & 31;
    this.bitmaps[block]! |= 1 << offset;
    return block * WIDTH + offset;
  }

  /** A level whose last order has gone. */
  close(level: number): void {
    const block = level >> 5;
    const left = this.bitmaps[block]! & ~(1 << (level & 31));
    this.bitmaps[block] = left;
    if (left === 0) this.removeBlock(block);
  }

  private firstOf(block: number): number {
    return block === 0 ? NO_LEVEL : block * WIDTH + lowestBit(this.bitmaps[block]!);
  }

  private addBlock(number: number): number {
    const following = this.blockAfter(number);
    const preceding = this.before[following]!;
    let block = this.freeBlock;
    if (block !== 0) this.freeBlock = this.after[block]!;
    else {
      block = this.usedBlocks++;
      if (block === this.bitmaps.length) this.grow();
    }
    this.numbers[block] = number;
    this.after[block] = following;
    this.before[block] = preceding;
    this.after[preceding] = block;
    this.before[following] = block;
    this.blocks.insert(number, block);
    this.order.add(number);
    return block;
  }

  private removeBlock(block: number): void {
    const number = this.numbers[block]!;
    this.blocks.delete(number);
    this.order.remove(number);
    const following = this.after[block]!;
    const preceding = this.before[block]!;
    this.after[preceding] = following;
    this.before[following] = preceding;
    this.after[block] = this.freeBlock;
    this.freeBlock = block;
  }

  /** The block that follows a number, 0 where none does. */
  private blockAfter(number: number): number {
    const following = this.order.after(number);
    return following === null ? 0 : this.blocks.get(following);
  }

  private grow(): void {
    const blocks = this.bitmaps.length * 2;
    this.heads = grown(this.heads, new Int32Array(blocks * WIDTH));
    this.tails = grown(this.tails, new Int32Array(blocks * WIDTH));
    this.orderCounts = grown(this.orderCounts, new Int32Array(blocks * WIDTH));
    this.volumes = grown(this.volumes, new Float64Array(blocks * WIDTH));
    this.numbers = grown(this.numbers, new Float64Array(blocks));
    this.bitmaps = grown(this.bitmaps, new Int32Array(blocks));
    this.after = grown(this.after, new Int32Array(blocks));
    this.before = grown(this.before, new Int32Array(blocks));
  }
}

/** The larger array, with what the smaller one holds at its beginning. */
export function grown<Numbers extends Int32Array | Float64Array>(smaller: Numbers, larger: Numbers): Numbers {
  larger.set(smaller);
  return larger;
}
