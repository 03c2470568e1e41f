import { expect, test } from "bun:test";
import fc from "fast-check";
import { OrderedList } from "../../../core/market/ordered-list.ts";

test("stays sorted while thousands of items are added and removed anywhere", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1500 }), { minLength: 2000, maxLength: 4000 }), (numbers) => {
      const list = new OrderedList<{ rank: number; id: string }>();
      const present = new Map<number, { rank: number; id: string }>();
      for (const number of numbers) {
        const known = present.get(number);
        if (known === undefined) {
          const item = { rank: number >> 3, id: String(number) };
          present.set(number, item);
          list.add(item);
        } else {
          present.delete(number);
          list.remove(known);
        }
      }
      const expected = [...present.keys()].sort((a, b) => a - b).map(String);
      expect([...list.ascending()].map(({ id }) => id)).toEqual(expected);
      expect([...list.descending()].map(({ id }) => id)).toEqual(expected.toReversed());
      expect(list.size).toBe(expected.length);
      expect(list.first()?.id).toBe(expected[0] as string);
    }),
    { numRuns: 10 },
  );
});

test("removing a missing item throws", () => {
  const list = new OrderedList<{ rank: number; id: string }>();
  list.add({ rank: 1, id: "a" });
  expect(() => list.remove({ rank: 1, id: "a" })).toThrow("not in the list");
  expect(list.size).toBe(1);
});
