// How the news of a step becomes public: from nothing to all of it, in twenty parts, the same however often it is asked for.

import { expect, test } from "bun:test";
import { NewsPath } from "../../../sim/information/news-path.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";

const shares = Array.from({ length: 20 }, (_, part) => part / 20);

test("a step begins with nothing, is a bridge that goes on to all of its change, and stays at its last part", () => {
  // Each part of the walk is as long as the others, so the bridge is a straight line.
  const even = new NewsPath(4, { fork: () => ({ normal: () => 1 }) } as never);
  for (const [part, share] of shares.entries()) {
    expect(even.publicPart(7, share)).toBeCloseTo(part / 20, 9);
    expect(even.publicPart(7, share + 0.0499)).toBeCloseTo(part / 20, 9);
  }
  expect(even.publicPart(7, 1)).toBeCloseTo(0.95, 9);
  // One number of twenty differs: the bridge still begins at 0, and its walk has the deviation of one number after all parts.
  let drawn = 0;
  const jump = new NewsPath(4, { fork: () => ({ normal: () => drawn++ === 4 ? 1 : 0 }) } as never);
  const scale = Math.sqrt(1 / 20);
  for (const [part, share] of shares.entries()) {
    const walk = part > 4 ? scale : 0;
    expect(jump.publicPart(0, share)).toBeCloseTo(walk + (1 - scale) * part / 20, 9);
  }
});

test("a step depends on its number alone: not on others, nor on whether it was forgotten meanwhile", () => {
  const made = (kept: number) => new NewsPath(kept, new SeededRandom(5).fork("news paths"));
  const pathOf = (path: NewsPath, step: number) => shares.map((share) => path.publicPart(step, share));
  const long = made(50);
  const alone = pathOf(made(3), 11);
  for (let step = 0; step < 40; step++) long.publicPart(step, 0.5);
  expect(pathOf(long, 11)).toEqual(alone);
  const short = made(3);
  expect(pathOf(short, 11)).toEqual(alone);
  expect(pathOf(short, 14)).not.toEqual(alone);
  expect(pathOf(short, 12)).not.toEqual(alone);
  expect(pathOf(short, 11)).toEqual(alone);
});

test("what is public at the middle of a step is half of it on the mean, with the deviation of a bridge", () => {
  const path = new NewsPath(4, new SeededRandom(6));
  const middles = Array.from({ length: 2_000 }, (_, step) => path.publicPart(step, 0.5));
  const mean = middles.reduce((sum, each) => sum + each, 0) / middles.length;
  const variance = middles.reduce((sum, each) => sum + (each - mean) ** 2, 0) / middles.length;
  expect(mean).toBeWithin(0.46, 0.54);
  expect(variance).toBeWithin(0.22, 0.28);
});
