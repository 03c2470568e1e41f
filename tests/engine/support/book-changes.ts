// The changes between two books, as change.book has them: slow and plain.

import type { BookLevel } from "../../../protocol/modules/registry.ts";

export interface Sides {
  readonly bids: BookLevel[];
  readonly asks: BookLevel[];
}

/** Each changed level as it is now, best first; volume 0 if it is not shown any more. */
export function changesOf(before: Sides, now: Sides): Sides {
  return { bids: changedLevels(before.bids, now.bids, -1), asks: changedLevels(before.asks, now.asks, 1) };
}

function changedLevels(before: readonly BookLevel[], now: readonly BookLevel[], direction: 1 | -1): BookLevel[] {
  const changed = now.filter((level) => !before.some((earlier) => Bun.deepEquals(earlier, level)));
  const gone = before.filter(({ price }) => !now.some((level) => level.price === price));
  return [...changed, ...gone.map(({ price }) => ({ price, volume: 0, orderCount: 0 }))]
    .sort((a, b) => (a.price - b.price) * direction);
}
