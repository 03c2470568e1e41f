// The market events of an experiment: each once, when it is due, in the order of their times, at the node that it names.

import { expect, test } from "bun:test";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import type { ScheduledSpotEvent } from "../../../sim/personas/settings.ts";
import { Population } from "../../../sim/population/population.ts";
import { marketSpotPrices } from "../../../sim/spot/market-spot.ts";
import { HOUR, START } from "../personas/support.ts";

const MARKET = builtInMarket();
const event = (afterHours: number, node: ScheduledSpotEvent["node"], size = 1): ScheduledSpotEvent => (
  { afterHours, type: "heat_wave", node, size, durationHours: 6, aheadHours: 0, falseAlarmChance: 0 }
);

test("the events of an experiment come once, when they are due and not earlier, at their nodes", () => {
  const events = [event(2, 2), event(0, null), event(1, "WEST", 2), event(1, 1, 3), event(30, null)];
  const settings = { ...presetExperiment("thin"), events };
  const spot = marketSpotPrices(MARKET, 1, START);
  const population = new Population({ market: MARKET, settings, seed: 1, spot, startTime: START });
  const at = (hours: number) =>
    population.advanceSpotTo(START + hours * HOUR).events.map((
      { node, size, startTime },
    ) => [node, size, (startTime - START) / HOUR]);
  expect([0, 0.99, 1, 1, 2.5, 29].map(at)).toEqual([
    [[null, 1, 0]],
    [],
    [["WEST", 2, 1], ["NORTH", 3, 1]],
    [],
    [["WEST", 1, 2]],
    [],
  ]);
  expect([at(30), at(100)]).toEqual([[[null, 1, 30]], []]);
});
