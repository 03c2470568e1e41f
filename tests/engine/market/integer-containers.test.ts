// The containers of integers against plain ones. The keys are close together, far apart, negative, and such that many of them
// have the same place.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { hashOf, IntegerMap } from "../../../engine/market/integer-map.ts";
import { SortedIntegers } from "../../../engine/market/sorted-integers.ts";
import { size } from "../../support/sizes.ts";

/** They begin at the last place of a small table, so their cluster goes on at its front. */
const COLLIDING = Array.from({ length: 200_000 }, (_, key) => key).filter((key) => hashOf(key) >>> 27 === 31)
  .slice(0, 12);
const key = fc.oneof(
  fc.constantFrom(...COLLIDING),
  fc.integer({ min: -40, max: 40 }),
  fc.constantFrom(-(2 ** 48) + 1, 2 ** 48 - 1, 2 ** 40, -(2 ** 40), 2 ** 32, 2 ** 32 + 1, 31, 32, 1023, 1024),
);
const step = fc.record({ kind: fc.constantFrom("add", "add", "remove"), key });
const steps = fc.array(step, { maxLength: 300 });

test("a map of integers has, gives and removes what a Map does", () => {
  fc.assert(
    fc.property(steps, (list) => {
      const [map, plain] = [new IntegerMap(), new Map<number, number>()];
      for (const [at, { kind, key }] of list.entries()) {
        const known = plain.get(key) ?? 0;
        if (kind === "remove") {
          expect(map.delete(key)).toBe(known);
          plain.delete(key);
        } else if (at % 2 === 0) {
          expect(map.insert(key, at + 1)).toBe(known === 0);
          if (known === 0) plain.set(key, at + 1);
        } else {
          map.set(key, at + 1);
          plain.set(key, at + 1);
        }
        for (const { key } of list) expect(map.get(key)).toBe(plain.get(key) ?? 0);
      }
    }),
    { numRuns: size(15, 2_000) },
  );
});

test("a sorted set of integers finds the next one above any integer", () => {
  fc.assert(
    fc.property(steps, (list) => {
      const [sorted, plain] = [new SortedIntegers(), new Set<number>()];
      for (const { kind, key } of list) {
        if (kind === "add") {
          sorted.add(key);
          plain.add(key);
        } else if (plain.delete(key)) sorted.remove(key);
        const above = [...plain].filter((member) => member > key);
        expect(sorted.after(key)).toBe(above.length === 0 ? null : Math.min(...above));
        const all: number[] = [];
        for (let next = sorted.after(-(2 ** 48)); next !== null; next = sorted.after(next)) all.push(next);
        expect(all).toEqual([...plain].sort((one, other) => one - other));
      }
    }),
    { numRuns: size(30, 5_000) },
  );
});
