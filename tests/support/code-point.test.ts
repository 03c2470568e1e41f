import { expect, test } from "bun:test";
import fc from "fast-check";
import { codePoint } from "./code-point.ts";

test("is every character, and no half of a pair", () => {
  const drawn = fc.sample(codePoint, { numRuns: 5_000, seed: 1 });
  expect(drawn.filter((text) => [...text].length !== 1 || !text.isWellFormed())).toEqual([]);
  expect(drawn.some((text) => text.length === 2)).toBe(true);
  for (const text of ["\0", "\ud7ff", "\ue000", "\u{10ffff}"]) {
    expect(codePoint.canShrinkWithoutContext(text)).toBe(true);
  }
  for (const other of ["", "ab", "\ud800", "\udfff", 7, null]) {
    expect(codePoint.canShrinkWithoutContext(other)).toBe(false);
  }
});

test("texts of it have the names that have caused faults in other programs", () => {
  const drawn = fc.sample(fc.string({ unit: codePoint, maxLength: 30 }), { numRuns: 2_000, seed: 1 });
  expect(drawn).toContain("__proto__");
});
