// Ranges of whole numbers, both ends included. Lists of them are ascending and disjoint.

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** What of `ranges` is not in `removed`. */
export function without(ranges: readonly Range[], removed: readonly Range[]): Range[] {
  const rest: Range[] = [];
  let next = 0;
  for (const { from, to } of ranges) {
    let first = from;
    while (next < removed.length && removed[next]!.to < first) next += 1;
    for (let at = next; at < removed.length && removed[at]!.from <= to; at += 1) {
      if (removed[at]!.from > first) rest.push({ from: first, to: removed[at]!.from - 1 });
      first = Math.max(first, removed[at]!.to + 1);
    }
    if (first <= to) rest.push({ from: first, to });
  }
  return rest;
}

/** What of the ranges is after one number and up to another. */
export function between(ranges: readonly Range[], after: number, upTo: number): Range[] {
  return ranges
    .map(({ from, to }) => ({ from: Math.max(from, after + 1), to: Math.min(to, upTo) }))
    .filter(({ from, to }) => from <= to);
}

export function isIn(ranges: readonly Range[], number: number): boolean {
  return ranges.some(({ from, to }) => from <= number && number <= to);
}

/** How many numbers are in them. */
export function sizeOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0);
}
