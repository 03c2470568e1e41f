import { expect, test } from "bun:test";
import { RefusalPause } from "../../../sim/personas/refusal-pause.ts";

test("a persona waits ten seconds after a refusal, twice as long after each further one, and at most 15 minutes", () => {
  const pause = new RefusalPause();
  expect(pause.isWaitingAt(0)).toBe(false);
  const waits = [10, 20, 40, 80, 160, 320, 640, 900, 900, 900, 900, 900, 900];
  for (const seconds of waits) {
    pause.refusedAt(5);
    expect([seconds, pause.isWaitingAt(5 + seconds * 1_000 - 1), pause.isWaitingAt(5 + seconds * 1_000)])
      .toEqual([seconds, true, false]);
  }
  pause.accepted();
  expect(pause.isWaitingAt(6)).toBe(true);
  pause.refusedAt(1_000_000);
  expect([pause.isWaitingAt(1_009_999), pause.isWaitingAt(1_010_000)]).toEqual([true, false]);
});
