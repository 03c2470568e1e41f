// The kinds of events, and what is wrong with a request for one.

import { expect, test } from "bun:test";
import { EVENT_PROFILES, eventFault, MAX_EVENTS } from "../../../sim/spot/spot-events.ts";
import type { SpotEventRequest } from "../../../sim/spot/spot-prices.ts";

const REQUEST = { type: "heat_wave", node: "NORTH", size: 1, durationHours: 24 } as const;

test.each<[string, Partial<SpotEventRequest> | { readonly type: string }, number, string | null]>([
  ["a usual one", {}, 0, null],
  ["all nodes", { node: null }, 0, null],
  ["the second node", { node: "WEST" }, 0, null],
  ["an unknown node", { node: "EAST" }, 0, "node must be one of NORTH, WEST, not EAST"],
  ["an unknown type", { type: "flood" }, 0, expect.stringMatching(/^type must be one of heat_wave, .*, not flood$/)],
  ["the least size", { size: 0.1 }, 0, null],
  ["a smaller size", { size: 0.09 }, 0, "size must be from 0.1 to 5, not 0.09"],
  ["the greatest size", { size: 5 }, 0, null],
  ["a greater size", { size: 5.1 }, 0, "size must be from 0.1 to 5, not 5.1"],
  ["no size", { size: NaN }, 0, "size must be from 0.1 to 5, not NaN"],
  ["a quarter of an hour", { durationHours: 0.25 }, 0, null],
  ["less", { durationHours: 0.2 }, 0, "durationHours must be from 0.25 to 8760, not 0.2"],
  ["a year", { durationHours: 8760 }, 0, null],
  ["more", { durationHours: 8761 }, 0, "durationHours must be from 0.25 to 8760, not 8761"],
  ["no false alarm", { falseAlarmChance: 0 }, 0, null],
  ["a certain false alarm", { falseAlarmChance: 1 }, 0, null],
  ["less than no chance", { falseAlarmChance: -0.1 }, 0, "falseAlarmChance must be from 0 to 1, not -0.1"],
  ["more than certain", { falseAlarmChance: 1.1 }, 0, "falseAlarmChance must be from 0 to 1, not 1.1"],
  ["the last of a hundred", {}, MAX_EVENTS - 1, null],
  ["one more", {}, MAX_EVENTS, "100 events are active already: wait until one has ended"],
  ["a fault and one more", { size: 9 }, MAX_EVENTS, "size must be from 0.1 to 5, not 9"],
])("a request for %s", (_, change, active, fault) => {
  expect(eventFault({ ...REQUEST, ...change } as SpotEventRequest, ["NORTH", "WEST"], active)).toEqual(fault);
});

test("each kind of event has its own signs and hours", () => {
  const signs = Object.entries(EVENT_PROFILES).map((
    [type, { lift = 0, level = 0, spikes = 0, drops = 0, ...hours }],
  ) => [
    type,
    ...[lift, level, spikes, drops].map(Math.sign),
    ...(hours.hours ?? []).flat(),
    hours.otherwise,
  ]);
  expect(signs).toEqual([
    ["heat_wave", 1, 0, 1, -1, 12, 21, 0.3],
    ["cold_snap", 1, 0, 1, -1, 5, 10, 17, 22, 0.5],
    ["plant_outage", 1, 0, 1, -1, undefined],
    ["line_congestion", 1, 0, 0, 0, undefined],
    ["renewable_surplus", -1, 0, -1, 1, 9, 17, 0.6],
    ["fuel_shock", 0, 1, 0, 0, undefined],
    ["demand_drop", -1, 0, -1, 1, undefined],
  ]);
});
