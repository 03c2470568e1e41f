import { describe, expect, test } from "bun:test";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";

const DRAWS = 40_000;

function draws<Value>(count: number, draw: () => Value): Value[] {
  return Array.from({ length: count }, draw);
}

function moments(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const central = (power: number) => values.reduce((sum, value) => sum + (value - mean) ** power, 0) / values.length;
  return { mean, variance: central(2), kurtosis: central(4) / central(2) ** 2 };
}

describe("the seeded generator", () => {
  test("is xoshiro128** 1.1: from state 1, 2, 3, 4 it gives the numbers of the published program", () => {
    const random = SeededRandom.fromState([1, 2, 3, 4]);
    const [first, ...others] = draws(10, () => random.word());
    expect([first, ...others.slice(0, 3)]).toEqual([11520, 0, 5927040, 70819200]);
    expect(others.slice(3)).toEqual([2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804]);
  });

  test("gives the same numbers for the same seed, and different numbers for similar seeds", () => {
    const first = (seed: number) => {
      const random = new SeededRandom(seed);
      return [...draws(20, () => random.next()), random.normal(), random.exponential(), random.integer(1, 100)];
    };
    expect(first(7)).toEqual(first(7));
    const seeds = [0, 1, 2, -1, 7, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 52];
    expect(new Set(seeds.map((seed) => first(seed)[0])).size).toBe(seeds.length);
  });

  test.each([NaN, 0.5, Infinity, 2 ** 53])("rejects the seed %d", (seed) => {
    expect(() => new SeededRandom(seed)).toThrow("safe integer");
  });

  test("is uniform over a range, including both ends, for any seed", () => {
    for (const seed of [0, 1, -1, 0x5bd1e995, 2 ** 31]) {
      const random = new SeededRandom(seed);
      const counts = Map.groupBy(draws(4000, () => random.integer(0, 3)), (value) => value);
      expect([...counts.keys()].toSorted()).toEqual([0, 1, 2, 3]);
      for (const { length } of counts.values()) expect(Math.abs(length - 1000)).toBeLessThan(150);
    }
  });

  test("reaches the odd numbers of a range of more than 32 bits", () => {
    const random = new SeededRandom(1);
    const values = draws(1000, () => random.integer(-(2 ** 51), 2 ** 51));
    const odd = values.filter((value) => value % 2 !== 0).length;
    expect(Math.abs(odd - 500)).toBeLessThan(80);
    expect(values.every(Number.isSafeInteger)).toBe(true);
    expect(Math.max(...values)).toBeGreaterThan(2 ** 50);
    expect(Math.min(...values)).toBeLessThan(-(2 ** 50));
  });

  test("draws uniforms, normals and exponentials with the right moments", () => {
    const random = new SeededRandom(3);
    const uniform = moments(draws(DRAWS, () => random.next()));
    expect(uniform.mean).toBeCloseTo(1 / 2, 1.7);
    expect(uniform.variance).toBeCloseTo(1 / 12, 2);
    const normal = moments(draws(DRAWS, () => random.normal()));
    expect(Math.abs(normal.mean)).toBeLessThan(0.02);
    expect(Math.abs(normal.variance - 1)).toBeLessThan(0.03);
    expect(Math.abs(normal.kurtosis - 3)).toBeLessThan(0.15);
    const exponential = moments(draws(DRAWS, () => random.exponential()));
    expect(Math.abs(exponential.mean - 1)).toBeLessThan(0.02);
    expect(Math.abs(exponential.variance - 1)).toBeLessThan(0.06);
  });
});

describe("a named stream", () => {
  test("doesn't depend on the numbers drawn so far", () => {
    const words = (random: SeededRandom) => draws(10, () => random.word());
    const used = new SeededRandom(5);
    draws(101, () => used.normal());
    expect(words(used.fork("spot"))).toEqual(words(new SeededRandom(5).fork("spot")));
  });

  test("depends on its name, its seed and the stream it is forked from", () => {
    const first = (random: SeededRandom) => random.word();
    const seed = new SeededRandom(5);
    const forks = ["", "a", "b", "ab", "ba"].map((name) => seed.fork(name));
    const streams = [seed, ...forks, seed.fork("a").fork("b"), new SeededRandom(6).fork("a")];
    expect(new Set(streams.map(first)).size).toBe(streams.length);
  });

  test("is uncorrelated with other streams", () => {
    const [one, other] = [new SeededRandom(5).fork("node 1"), new SeededRandom(5).fork("node 2")];
    let sum = 0;
    for (let draw = 0; draw < DRAWS; draw++) sum += (one.next() - 0.5) * (other.next() - 0.5);
    expect(Math.abs(sum / DRAWS * 12)).toBeLessThan(0.02);
  });
});
