// The two ways to say how long a run is: hours of market time, and wake-ups.

import { expect, test } from "bun:test";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import { simulate } from "../../../sim/headless/simulate.ts";

const definition = builtInMarket();
const thin = { ...presetExperiment("thin"), seed: 3 };
const HOUR = 3_600_000;

test.each([0.5, 1, 2.25])("a run of %d hours ends at that time, with what a run of as many steps did", (hours) => {
  const byHours = simulate({ experiment: { ...thin, hours }, definition });
  expect(Date.parse(byHours.endedAt) - Date.parse(byHours.startedAt)).toBe(hours * HOUR);
  const bySteps = simulate({ experiment: { ...thin, steps: byHours.steps }, definition });
  const { orders, changes, trades, volumeMw } = byHours.totals;
  expect(bySteps).toMatchObject({ steps: byHours.steps, totals: { orders, changes, trades, volumeMw } });
  expect(Date.parse(bySteps.endedAt)).toBeLessThanOrEqual(Date.parse(byHours.endedAt));
  expect(bySteps.personas.map(({ cash }) => cash)).toEqual(byHours.personas.map(({ cash }) => cash));
});

test("a longer run begins as a shorter one", () => {
  const short = simulate({ experiment: { ...thin, hours: 1 }, definition });
  const long = simulate({ experiment: { ...thin, hours: 2 }, definition });
  expect(long.startedAt).toBe(short.startedAt);
  expect(long.steps).toBeGreaterThan(short.steps);
});
