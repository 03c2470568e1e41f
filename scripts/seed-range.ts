// The seeds of a range such as 201..220, or of one number.

/** Throws if it is neither. */
export function seedsOf(range: string): number[] {
  const [first = NaN, last = first] = range.split("..").map(Number);
  if (!Number.isInteger(first) || !Number.isInteger(last) || last < first) {
    throw new Error(`--seeds: a number or a range such as 201..220, not ${range}`);
  }
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}
