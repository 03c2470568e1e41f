import { expect, test } from "bun:test";
import { drawsOf, pricesOf, spotTables } from "../../bench/spot.ts";
import { SeededRandom } from "../../sim/random/seeded-random.ts";
import { coarseClock } from "./coarse-clock.ts";

test("the bench makes its table, without a figure that is missing", () => {
  const table = spotTables({ hours: 1_000, rounds: 2 });
  for (const row of ["all", "an hour"]) expect(table).toContain(`| ${row} `);
  expect(table).not.toMatch(/NaN|Infinity/);
});

test("an hour draws two uniform and three normal numbers, a day three normal ones, for every seed", () => {
  const [week, day] = [drawsOf(7 * 24), drawsOf(6 * 24)];
  const normal = (draws: Uint8Array) => draws.reduce((sum, isNormal) => sum + isNormal, 0);
  expect(week.length - day.length).toBe(24 * 5 + 3);
  expect(normal(week) - normal(day)).toBe(24 * 3 + 3);
});

test("prices are the same if the draws are counted", () => {
  const random = new SeededRandom(1);
  const counted = pricesOf(500, { next: () => random.next(), normal: () => random.normal() });
  expect(counted).toEqual(pricesOf(500, new SeededRandom(1)));
});

test("a clock that ticks in 10 ms gives finite figures", () => {
  expect(spotTables({ hours: 100, rounds: 1 }, coarseClock())).not.toMatch(/NaN|Infinity|∞|\| 0 /);
});
