// An index for ids that are given in ascending order from 1, as an engine gives them: an array of pages, each with the slots
// of 4,096 neighbouring ids. An id costs two reads and no hash. All books of an engine share one index.
//
// Invariant: a page exists if and only if one of its ids is present.
//
// Cost: O(1). Memory: 8 bytes for every 4,096 ids up to the greatest, and 16 KB for a page; so ids should be present in runs.
// Limits: ids from 0 to 2^43.

import { NO_SLOT } from "./order-book.ts";
import type { SlotIndex } from "./slot-index.ts";

const PAGE_SIZE = 4096;
const MAX_ID = 2 ** 43;

interface Page {
  readonly slots: Int32Array;
  /** Ids that are present. */
  count: number;
}

export class PagedSlots implements SlotIndex {
  private readonly pages: (Page | null)[] = [];

  get(id: number): number {
    const page = this.pages[pageOf(id)];
    return page == null ? NO_SLOT : page.slots[id & (PAGE_SIZE - 1)]!;
  }

  insert(id: number, slot: number): boolean {
    if (!(id >= 0 && id <= MAX_ID)) throw new RangeError(`${id} is not an id from 0 to 2^43`);
    const at = pageOf(id);
    let page = this.pages[at];
    if (page == null) page = this.addPage(at);
    else if (page.slots[id & (PAGE_SIZE - 1)] !== NO_SLOT) return false;
    page.slots[id & (PAGE_SIZE - 1)] = slot;
    page.count += 1;
    return true;
  }

  delete(id: number): number {
    const at = pageOf(id);
    const page = this.pages[at];
    if (page == null) return NO_SLOT;
    const slot = page.slots[id & (PAGE_SIZE - 1)]!;
    if (slot === NO_SLOT) return NO_SLOT;
    page.slots[id & (PAGE_SIZE - 1)] = NO_SLOT;
    page.count -= 1;
    if (page.count === 0) this.pages[at] = null;
    return slot;
  }

  private addPage(at: number): Page {
    // Without gaps, so the array stays a plain one.
    while (this.pages.length <= at) this.pages.push(null);
    return this.pages[at] = { slots: new Int32Array(PAGE_SIZE), count: 0 };
  }
}

function pageOf(id: number): number {
  return Math.floor(id / PAGE_SIZE);
}
