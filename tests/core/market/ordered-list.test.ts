import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { OrderedList, type Ranked } from "../../../core/market/ordered-list.ts";
import { size } from "../../support/sizes.ts";

const ids = (items: Iterable<Ranked>) => Array.from(items, ({ id }) => id);

/** Ranks have many items each, or one, or one has all; ids have one to four digits. */
const RANKS = { shared: (number: number) => number >> 3, own: (number: number) => number, one: () => 7 } as const;

/** The plain rule: by rank, then shorter ids, then the ids as texts. */
const comesAfter = (one: Ranked, other: Ranked) =>
  one.rank - other.rank || one.id.length - other.id.length || (one.id < other.id ? -1 : Number(one.id > other.id));

function compare(list: OrderedList<Ranked>, plain: readonly Ranked[], starts: readonly Ranked[]): void {
  const sorted = plain.toSorted(comesAfter);
  expect([list.size, list.first()]).toEqual([sorted.length, sorted[0]]);
  expect(ids(list.ascending())).toEqual(ids(sorted));
  expect(ids(list.descending())).toEqual(ids(sorted.toReversed()));
  for (const start of starts) {
    expect(ids(list.ascending(start))).toEqual(ids(sorted.filter((item) => comesAfter(item, start) > 0)));
    expect(ids(list.descending(start))).toEqual(ids(sorted.filter((item) => comesAfter(item, start) < 0).reverse()));
  }
}

describe.each(["ascending", "descending", "as they come"] as const)("items that are added %s", (order) => {
  test("and removed anywhere are sorted, from any start, which need not be there", () => {
    const numbers = fc.uniqueArray(fc.nat(1_500), { maxLength: 1_100 });
    const filled = fc.tuple(fc.constantFrom(...Object.keys(RANKS) as (keyof typeof RANKS)[]), numbers, fc.nat(1_100));
    const starts = fc.array(fc.nat(1_600), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(filled, starts, ([ranks, numbers, removed], started) => {
        const itemOf = (number: number): Ranked => ({ rank: RANKS[ranks](number), id: String(number) });
        const items = numbers.map(itemOf);
        if (order !== "as they come") items.sort(comesAfter);
        if (order === "descending") items.reverse();
        const list = new OrderedList<Ranked>();
        for (const item of items) list.add(item);
        // Near the items, beyond both ends, and at some of them.
        const places = [...started.map(itemOf), ...items.slice(0, 2), { rank: -1, id: "" }, { rank: 9_999, id: "x" }];
        compare(list, items, places);
        const gone = numbers.map(itemOf).slice(0, removed).map(({ id }) => items.find((item) => item.id === id)!);
        for (const item of gone) list.remove(item);
        const left = items.filter((item) => !gone.includes(item));
        compare(list, left, places);
        for (const item of gone.slice(0, 300)) list.add(item);
        compare(list, [...left, ...gone.slice(0, 300)], places);
      }),
      { numRuns: size(6, 200) },
    );
  });
});

test("items that are appended take any number of places, and others find theirs among them", () => {
  for (const count of [0, 1, 255, 256, 257, 513]) {
    const list = new OrderedList<Ranked>();
    const items = Array.from({ length: count }, (_, at) => ({ rank: 2 * at, id: String(at) }));
    for (const item of items) list.append(item);
    compare(list, items, items.slice(254, 258));
    const between = { rank: count, id: "between" };
    list.add(between);
    compare(list, [...items, between], [between]);
    for (const item of [...items, between]) list.remove(item);
    compare(list, [], [between]);
  }
});

test("removing a missing item throws", () => {
  const list = new OrderedList<{ rank: number; id: string }>();
  list.add({ rank: 1, id: "a" });
  expect(() => list.remove({ rank: 1, id: "a" })).toThrow("not in the list");
  expect(list.size).toBe(1);
});
