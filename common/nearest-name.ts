// Finds the name that a caller probably meant by a mistyped one. Case is ignored.
//
// A name is near if at most a third of its letters are wrong, missing, too many or swapped with their neighbour. If no name
// is near, the shortest name that contains the given text, or is part of it, is taken. Cost: the product of the two lengths
// for each name, so the given text is cut at MAX_LENGTH.

const MAX_LENGTH = 60;
/** A shorter text is part of too many names. */
const MIN_PART = 3;

/** Null if no name fits. Of equally near names, the first. */
export function nearestName(given: string, names: Iterable<string>): string | null {
  const text = given.slice(0, MAX_LENGTH).toLowerCase();
  let nearest: { readonly name: string; readonly distance: number } | null = null;
  let related: string | null = null;
  for (const name of names) {
    const candidate = name.toLowerCase();
    const distance = distanceOf(text, candidate);
    const isNear = distance <= Math.max(text.length, candidate.length) / 3;
    if (isNear && (nearest === null || distance < nearest.distance)) nearest = { name, distance };
    const isRelated = text.length >= MIN_PART && (candidate.includes(text) || text.includes(candidate));
    if (isRelated && (related === null || name.length < related.length)) related = name;
  }
  return nearest?.name ?? related;
}

/** The least number of letters to replace, add, leave out or swap with their neighbour (optimal string alignment). */
function distanceOf(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? Infinity) + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[right.length] ?? 0;
}
