// An index for any ids: hashing with chains (Knuth, The Art of Computer Programming 3, 6.4). Ids and chain links are stored by
// slot, so the hash table holds only the first slot of each chain and stays small. Removing an id leaves no tombstone. Only
// one book can use it, because slots must be its own.
//
// Invariants: a slot is in at most one chain, that of its id's hash; there are at least twice as many chains as ids.
//
// Cost: O(1) expected; allocates only when it grows, by doubling. Limit: it is slow if ids are chosen to collide.

import { hashOf } from "./integer-map.ts";
import { NO_SLOT } from "./order-book.ts";
import { grown } from "./price-levels.ts";
import type { SlotIndex } from "./slot-index.ts";

const INITIAL_CHAINS = 16;

export class HashedSlots implements SlotIndex {
  /** The first slot of each chain. */
  private heads = new Int32Array(INITIAL_CHAINS);
  /** At slot x 2 the id of the slot, then the next slot of its chain. */
  private entries = new Float64Array(INITIAL_CHAINS * 2);
  private shift = Math.clz32(INITIAL_CHAINS - 1);
  private count = 0;

  get(id: number): number {
    return this.find(id, this.heads[this.chainOf(id)]!);
  }

  insert(id: number, slot: number): boolean {
    const chain = this.chainOf(id);
    const first = this.heads[chain]!;
    if (this.find(id, first) !== NO_SLOT) return false;
    if (slot * 2 >= this.entries.length) {
      this.entries = grown(this.entries, new Float64Array(this.entries.length * 2));
    }
    this.entries[slot * 2] = id;
    this.entries[slot * 2 + 1] = first;
    this.heads[chain] = slot;
    this.count += 1;
    if (this.count * 2 > this.heads.length) this.grow();
    return true;
  }

  delete(id: number): number {
    const { entries } = this;
    const chain = this.chainOf(id);
    const first = this.heads[chain]!;
    if (first === NO_SLOT) return NO_SLOT;
    if (entries[first * 2] === id) {
      this.heads[chain] = entries[first * 2 + 1]!;
      this.count -= 1;
      return first;
    }
    for (let previous = first;;) {
      const slot = entries[previous * 2 + 1]! | 0;
      if (slot === NO_SLOT) return NO_SLOT;
      if (entries[slot * 2] === id) {
        entries[previous * 2 + 1] = entries[slot * 2 + 1]!;
        this.count -= 1;
        return slot;
      }
      previous = slot;
    }
  }

  private chainOf(id: number): number {
    return hashOf(id) >>> this.shift;
  }

  private find(id: number, first: number): number {
    const { entries } = this;
    let slot = first;
    while (slot !== NO_SLOT && entries[slot * 2] !== id) slot = entries[slot * 2 + 1]! | 0;
    return slot;
  }

  private grow(): void {
    const { heads, entries } = this;
    this.heads = new Int32Array(heads.length * 2);
    this.shift -= 1;
    for (const first of heads) {
      for (let slot = first; slot !== NO_SLOT;) {
        const next = entries[slot * 2 + 1]!;
        const chain = this.chainOf(entries[slot * 2]!);
        entries[slot * 2 + 1] = this.heads[chain]!;
        this.heads[chain] = slot;
        slot = next;
      }
    }
  }
}
