import { expect, test } from "bun:test";
import { drawsOf, pricesOf } from "../../bench/spot.ts";
import { SeededRandom } from "../../sim/random/seeded-random.ts";

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
