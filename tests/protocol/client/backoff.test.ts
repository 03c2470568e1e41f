import { expect, test } from "bun:test";
import { Backoff } from "../../../protocol/client/backoff.ts";

test.each([[0, 0.5], [0.5, 0.75], [1, 1]])(
  "with %d drawn, waits are %d of those that double up to the longest",
  (drawn, share) => {
    const backoff = new Backoff(100, 1_000, () => drawn);
    const waits = () => Array.from({ length: 6 }, () => backoff.nextMs());
    const expected = [100, 200, 400, 800, 1_000, 1_000].map((wait) => wait * share);
    expect(waits()).toEqual(expected);
    backoff.reset();
    expect(waits()).toEqual(expected);
  },
);

test("a first wait beyond the longest is cut, too, and thousands of failures are no problem", () => {
  const backoff = new Backoff(500, 200, () => 1);
  for (let failure = 0; failure < 3_000; failure += 1) expect(backoff.nextMs()).toBe(200);
});
