// The whole table is that of scripts/event-drift.ts.

import { expect, test } from "bun:test";
import { driftAfter } from "../../../scripts/event-drift.ts";
import { size } from "../../support/sizes.ts";

test.each(
  [
    ["calm", "plant_outage", 1],
    ["stress", "heat_wave", 2],
    ["volatile", "renewable_surplus", 1],
  ] as const,
)("in %s no forecast drifts after a %s of size %d", (preset, type, eventSize) => {
  const drifts = driftAfter({ preset, type, size: eventSize, seeds: size(16, 200), firstSeed: 100_001 });
  expect(drifts.map(({ minutes }) => minutes)).toEqual([10, 30, 60, 120, 240, 360]);
  for (const { mean, error } of drifts) {
    expect(error).toBeGreaterThan(0);
    expect(Math.abs(mean)).toBeLessThan(4 * error);
  }
});
