// The limits of what a search for modules takes: exactly as much as is allowed passes, and one more is refused.

import { expect, test } from "bun:test";
import findModules from "../../../plugins/query/find-modules.ts";
import { contractsOfProducts } from "../../../plugins/query/listed-contracts.ts";
import { emptyListNote } from "../../../plugins/query/snapshot-list.ts";
import { sortedModules } from "../../../plugins/query/module-order.ts";
import type { SnapshotReader } from "../../../core/market/snapshot-reader.ts";

const [MOST_SORTED, MOST_COUNTED] = [20_000, 6];
const [{ input }] = findModules as [typeof findModules[number]];
const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, at]));
const list = (length: number, item: unknown = 1) => Array(length).fill(item);
const filters = (value: unknown) => ({ filters: { name: value } });

test.each<[string, object, object]>([
  ["filters", { filters: names(100) }, { filters: names(101) }],
  ["characters of a property", { filters: { ["x".repeat(200)]: 1 } }, { filters: { ["x".repeat(201)]: 1 } }],
  ["characters of a value", filters("x".repeat(1000)), filters("x".repeat(1001))],
  ["values of a list", filters(list(1000)), filters(list(1001))],
  ["values of a list in a list", filters([list(100)]), filters([list(101)])],
  ["values of an operator", filters({ value: list(1000) }), filters({ value: list(1001) })],
  ["a value", filters(Number.MAX_SAFE_INTEGER), filters(2 ** 53)],
  ["a negative value", filters(Number.MIN_SAFE_INTEGER), filters(-(2 ** 53))],
])("the number of %s", (_, most, more) => {
  expect(input.safeParse({ moduleType: "ORDER", ...most }).success).toBe(true);
  expect(input.safeParse({ moduleType: "ORDER", ...more }).success).toBe(false);
});

const NUMBERS = ["price", "quantity", "side", "filledQuantity", "remainingQuantity", "averagePrice", "none"];

/** A snapshot in which `total` orders match. */
const snapshotOf = (total: number) => {
  const modules = Array.from({ length: total }, (_, at) => ({ id: `ORD-${at}`, price: at }));
  return { count: () => 1, find: () => ({ total, modules }) } as unknown as SnapshotReader;
};

test("as many modules can be sorted as are allowed, and one more can't", () => {
  const sorted = (total: number) =>
    sortedModules(snapshotOf(total), "ORDER", {}, { sort: "-price", limit: 1, list: "l", filters: {} });
  expect(sorted(MOST_SORTED).items.map(({ id }) => id)).toEqual([`ORD-${MOST_SORTED - 1}`]);
  expect(() => sorted(MOST_SORTED + 1)).toThrow(`at most ${MOST_SORTED} can be sorted`);
});

test.each([[1, false], [2, true], [MOST_COUNTED, true], [MOST_COUNTED + 1, false]])(
  "an empty list with %d filters says how many each of them matches: %p",
  (count, isCounted) => {
    const given = Object.fromEntries(NUMBERS.slice(0, count).map((name) => [name, 0]));
    const context = { snapshot: snapshotOf(7), now: 0, timezone: "UTC" } as never;
    expect(emptyListNote("ORDER", given, context).note === undefined).toBe(!isCounted);
  },
);

test("the contracts of further products are listed up to as many as are allowed, and those of the first in any case", () => {
  const listed = (...counts: number[]) => {
    const find = (_: string, { equals }: { equals: { productId: string } }) => ({
      modules: Array.from(
        { length: counts[Number(equals.productId)]! },
        (_, at) => ({ id: `${at}`, deliveryStart: "2030-01-01" }),
      ),
    });
    const snapshot = { find, get: () => undefined } as unknown as SnapshotReader;
    return contractsOfProducts(snapshot, Object.keys(counts)).length;
  };
  expect([listed(100, 30), listed(100, 31), listed(131), listed(131, 1), listed(60, 70, 1)]).toEqual([2, 1, 1, 1, 2]);
});
