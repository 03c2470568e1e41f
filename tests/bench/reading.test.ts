import { expect, test } from "bun:test";
import { readingTables } from "../../bench/reading.ts";
import { coarseClock } from "./coarse-clock.ts";

test("the bench makes its tables, without a figure that is missing", () => {
  const tables = readingTables({ orders: [1_000], rounds: 1 });
  for (const row of ["| 1,000  | none ", "| 1,000  | 1 ", "| 1,000  | 8 ", "| a frame "]) expect(tables).toContain(row);
  expect(tables).not.toMatch(/NaN|Infinity|undefined/);
});

test("a clock that ticks in 10 ms gives finite figures", () => {
  expect(readingTables({ orders: [1_000], rounds: 1 }, coarseClock())).not.toMatch(/NaN|Infinity|∞|\| 0 /);
});
