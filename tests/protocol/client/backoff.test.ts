import { expect, test } from "bun:test";
import { Backoff } from "../../../protocol/client/backoff.ts";

test("waits double up to the longest, each is between half and the whole, and a reset starts over", () => {
  const longest = new Backoff(250, 10_000, () => 0.999999);
  const waits = Array.from({ length: 8 }, () => Math.round(longest.nextMs()));
  expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
  longest.reset();
  expect(Math.round(longest.nextMs())).toBe(250);
  const shortest = new Backoff(250, 10_000, () => 0);
  expect([shortest.nextMs(), shortest.nextMs()]).toEqual([125, 250]);
});
