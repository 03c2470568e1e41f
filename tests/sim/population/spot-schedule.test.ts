// The market events of an experiment: each once, when it is due, in the order of their times, at the node that it names.

import { expect, test } from "bun:test";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import type { ScheduledSpotEvent } from "../../../sim/personas/settings.ts";
import { Population } from "../../../sim/population/population.ts";
import { SpotSchedule } from "../../../sim/population/spot-schedule.ts";
import { marketSpotPrices } from "../../../sim/spot/market-spot.ts";
import { HOUR, START } from "../personas/support.ts";

const MARKET = builtInMarket();
const event = (afterHours: number, node: ScheduledSpotEvent["node"], size = 1): ScheduledSpotEvent => (
  { afterHours, type: "heat_wave", node, size, durationHours: 6, aheadHours: 0, falseAlarmChance: 0 }
);

test("an event is told when it is announced, by the order of announcements, and each time is that of the next step", () => {
  const told: unknown[] = [];
  const start = START + 60_000;
  const prices = { nodes: ["NORTH", "WEST"], trigger: (one: unknown) => (told.push(one), one) };
  const ahead = (afterHours: number, aheadHours: number, size: number) => ({
    ...event(afterHours, 2, size),
    aheadHours,
  });
  const events = [ahead(5, 3, 1), ahead(3, 0, 2), ahead(4, 6, 3), ahead(5, 3, 4)];
  const schedule = new SpotSchedule(prices as never, events, start);
  const at = (minutes: number) =>
    schedule.triggerDue(START + minutes * 60_000).map((each) => {
      const { size, node, startTime, announcedTime } = each as typeof each & { announcedTime: number };
      return [size, node, (startTime - START) / 60_000, (announcedTime - START) / 60_000];
    });
  expect(at(0)).toEqual([[3, "WEST", 245, -115]]);
  expect([at(124), at(125)]).toEqual([[], [[1, "WEST", 305, 125], [4, "WEST", 305, 125]]]);
  expect([at(184), at(185), at(600)]).toEqual([[], [[2, "WEST", 185, 185]], []]);
  expect(told).toHaveLength(4);
});

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
