// Heap cells that work allocates: objects, strings, functions and whatever else the garbage collector keeps.
//
// The count is exact only if nothing is collected meanwhile. A collection makes it too small, so callers take the greatest
// of a few.

import { heapStats } from "bun:jsc";

/** Cells that are there after the work and were not before. */
export function cellsOf(work: () => void): number {
  return Math.max(0, counted(work) - counted(() => {}));
}

function counted(work: () => void): number {
  Bun.gc(true);
  const before = cells();
  work();
  return cells() - before;
}

/** `objectCount` is that of the last collection; the counts by type are of now. */
function cells(): number {
  let sum = 0;
  const counts = heapStats().objectTypeCounts;
  for (const type in counts) sum += counts[type] ?? 0;
  return sum;
}
