// Any character, for random texts: `fc.string({ unit: codePoint })`.
//
// The same texts as of the unit "binary" of fast-check, from the same seeds. But to make a first one, fast-check lists all 1.1
// million characters. That takes over a second of processor time in each process, and 150 MB, which every later collection of
// garbage goes through again.

import fc from "fast-check";

/** Halves of pairs, which are no characters. */
const SURROGATES = { first: 0xd800, count: 0x800 };
const LAST = 0x10ffff;

export const codePoint: fc.Arbitrary<string> = fc.nat({ max: LAST - SURROGATES.count }).map(characterAt, placeOf);

function characterAt(place: number): string {
  return String.fromCodePoint(place < SURROGATES.first ? place : place + SURROGATES.count);
}

/** fast-check asks for it, to find the steps to a text that it knows. Throws if this is not one character. */
function placeOf(value: unknown): number {
  const code = typeof value === "string" ? value.codePointAt(0) : undefined;
  const place = code === undefined || code < SURROGATES.first ? code : code - SURROGATES.count;
  if (place === undefined || place < 0 || characterAt(place) !== value) {
    throw new Error(`${value} is not one character`);
  }
  return place;
}
