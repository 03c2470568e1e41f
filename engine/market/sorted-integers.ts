// A set of integers that finds the least member above any integer. It is a 32-way tree of bitmaps. A hash holds the bitmaps
// by height and prefix, so memory grows with the members and not with their range.
//
// Cost: O(1): add, remove and `after` read at most one bitmap at each of the ten heights on the way up and one on the way
// down; one or two if members are close together. Limit: integers from -2^48 to 2^48.

import { IntegerMap } from "./integer-map.ts";

const HEIGHTS = 10;
const WAYS = 32;
/** Added to make every integer non-negative, under one root. */
const BIAS = 2 ** 48;

export class SortedIntegers {
  private readonly words = new IntegerMap();

  add(integer: number): void {
    let member = integer + BIAS;
    for (let height = 0; height < HEIGHTS; height++) {
      const key = keyOf(member, height);
      const word = this.words.get(key);
      this.words.set(key, word | 1 << (member & 31));
      if (word !== 0) return;
      member = Math.floor(member / WAYS);
    }
  }

  /** The integer must be a member. */
  remove(integer: number): void {
    let member = integer + BIAS;
    for (let height = 0; height < HEIGHTS; height++) {
      const key = keyOf(member, height);
      const word = this.words.get(key) & ~(1 << (member & 31));
      if (word !== 0) return this.words.set(key, word);
      this.words.delete(key);
      member = Math.floor(member / WAYS);
    }
  }

  /** The least member greater than `integer`; null if there is none. */
  after(integer: number): number | null {
    let member = integer + BIAS;
    for (let height = 0; height < HEIGHTS; height++) {
      const greater = this.words.get(keyOf(member, height)) & (-2 << (member & 31));
      if (greater !== 0) return this.leastUnder(Math.floor(member / WAYS) * WAYS + lowestBit(greater), height);
      member = Math.floor(member / WAYS);
    }
    return null;
  }

  private leastUnder(prefix: number, height: number): number {
    let member = prefix;
    for (let below = height - 1; below >= 0; below--) {
      member = member * WAYS + lowestBit(this.words.get(member * 16 + below));
    }
    return member - BIAS;
  }
}

/** The position of the lowest bit that is set, 0 to 31. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** The key of the bitmap that holds a member and its 31 neighbours. */
function keyOf(member: number, height: number): number {
  return Math.floor(member / WAYS) * 16 + height;
}
