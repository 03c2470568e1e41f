import { expect, test } from "bun:test";
import { sorted } from "../../web/components/sorting.tsx";

const ROWS = [{ id: "a-10", value: 3 }, { id: "a-9", value: null }, { id: "b", value: -1 }, { id: "c", value: 3 }];

function ids(column: "id" | "value", descending: boolean): string[] {
  return sorted(ROWS, { column, descending }, (row, column) => row[column]).map(({ id }) => id);
}

test("numbers are sorted both ways; equal rows keep their order, and absent values come last", () => {
  expect(ids("value", false)).toEqual(["b", "a-10", "c", "a-9"]);
  expect(ids("value", true)).toEqual(["a-10", "c", "b", "a-9"]);
});

test("names are sorted as people do, numbers in them included", () => {
  expect(ids("id", false)).toEqual(["a-9", "a-10", "b", "c"]);
});
