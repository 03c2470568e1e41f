// Plants, loads and batteries of an experiment's own: what they do at expected prices, what they earn, what their traders see.

import { describe, expect, test } from "bun:test";
import { dollarsOf } from "../../../../engine/market/units.ts";
import { batterySettings, loadSettings, plantSettings } from "../../../../sim/personas/physical/asset-settings.ts";
import { Battery } from "../../../../sim/personas/physical/battery.ts";
import { bestCourse, type Machine } from "../../../../sim/personas/physical/best-course.ts";
import { OwnLoad } from "../../../../sim/personas/physical/own-load.ts";
import { PhysicalAssets } from "../../../../sim/personas/physical/physical-assets.ts";
import { Plant } from "../../../../sim/personas/physical/plant.ts";
import { SeededRandom } from "../../../../sim/random/seeded-random.ts";
import { CALENDARS, constantSpot, contract, HOUR, START } from "../support.ts";

const plantOf = (given: object) =>
  new Plant(plantSettings.parse({ name: "mine", node: "NORTH", capacityMw: 50, cost: 2_000, ...given }), () => 1);
const batteryOf = (given: object) =>
  new Battery(batterySettings.parse({ name: "cell", node: "NORTH", powerMw: 10, capacityMwh: 20, ...given }));

/** MW in each hour, which are then settled at these prices. */
function outputsOf(asset: Plant | Battery, prices: readonly number[], settled = prices): number[] {
  asset.plan(START, prices);
  const at = contract(0, { type: "hour", deliveryStart: START, deliveryEnd: START + HOUR });
  return settled.map((price, hour) => {
    const start = START + hour * HOUR;
    const output = asset.viewIn(at, start)?.output ?? NaN;
    asset.settle({ start, from: start, end: start + HOUR, price, fuelFactor: 1 });
    return output / 1_000;
  });
}

describe("a plant of one's own", () => {
  test("runs where prices pay for it, and earns them less its cost", () => {
    const plant = plantOf({});
    expect(outputsOf(plant, [1_900, 2_100, 1_000, 3_000])).toEqual([0, 50, 0, 50]);
    expect(dollarsOf(plant.result)).toBe(50 * (1 + 10));
  });

  test("does what it has planned, also if the price turns out to be another", () => {
    const plant = plantOf({});
    expect(outputsOf(plant, [3_000, 1_000], [500, 9_000])).toEqual([50, 0]);
    expect(dollarsOf(plant.result)).toBe(50 * -15);
  });

  test("changes its output by at most its ramp, and begins and ends at its minimum", () => {
    const plant = plantOf({ minimumMw: 20, rampMw: 15 });
    expect(outputsOf(plant, [-5_000, 2_100, 5_000, 5_000, 5_000, 0, 0])).toEqual([0, 20, 35, 50, 35, 20, 0]);
    expect(outputsOf(plantOf({ rampMw: 20 }), [9_000, 9_000, 9_000, 0])[0]).toBeCloseTo(50 / 3, 2);
  });

  test("runs for its minimum run, through hours that do not pay", () => {
    expect(outputsOf(plantOf({ minimumMw: 10, minimumRunHours: 3 }), [9_000, 1_000, 1_000, 1_000])).toEqual(
      [50, 10, 10, 0],
    );
    expect(outputsOf(plantOf({ minimumMw: 50, minimumRunHours: 3 }), [2_500, 1_000, 1_000])).toEqual([0, 0, 0]);
  });

  test("starts if that pays for the start, and pays for each", () => {
    const gain = 50 * 10;
    expect(outputsOf(plantOf({ minimumMw: 50, startCost: gain + 1 }), [3_000, 0])).toEqual([0, 0]);
    const plant = plantOf({ minimumMw: 50, startCost: gain - 1 });
    expect(outputsOf(plant, [3_000, 0, 3_000])).toEqual([50, 0, 50]);
    expect(dollarsOf(plant.result)).toBe(2);
  });

  test("burns fuel at its heat rate", () => {
    const plant = plantOf({ heatRate: 7, cost: 100 });
    expect(plant.viewIn(contract(0), START)?.unitCost).toBe(2_200);
  });

  test("is stopped by an outage, and starts again after it", () => {
    const plant = plantOf({ minimumMw: 50, minimumRunHours: 4, startCost: 10 });
    plant.plan(START, [3_000, 3_000, 3_000, 3_000]);
    plant.goDown("outage", START + HOUR / 2, START + HOUR);
    const hour = contract(1, { type: "hour", deliveryStart: START, deliveryEnd: START + HOUR });
    expect(plant.viewIn(hour, START + HOUR / 2)).toMatchObject({ output: 0, capacity: 25_000 });
    plant.settle({ start: START, from: START, end: START + HOUR, price: 3_000, fuelFactor: 1 });
    expect(dollarsOf(plant.result)).toBe(50 * 10 / 2 - 10);
    plant.goDown("next", START + HOUR, START + 3 * HOUR);
    plant.plan(START + HOUR, [3_000, 3_000, 3_000]);
    const after = contract(2, { type: "base", deliveryStart: START + HOUR, deliveryEnd: START + 4 * HOUR });
    expect(plant.viewIn(after, START + HOUR)?.planned).toBeCloseTo(50_000 / 3, 6);
    expect(plant.viewIn(contract(3), START)?.planned).toBeNull();
    expect(plant.viewIn(contract(4, { node: "WEST" }), START)).toBeNull();
  });
});

describe("a battery of one's own", () => {
  test("charges at low prices and discharges at high ones, with its losses and its wear", () => {
    const battery = batteryOf({ efficiency: 0.8, cost: 300 });
    expect(outputsOf(battery, [1_000, 1_000, 1_000, 4_000, 4_000])).toEqual([-6.25, -9.375, -9.375, 10, 10]);
    expect(dollarsOf(battery.result)).toBe(-25 * 10 + 20 * (40 - 3));
  });

  test("does nothing if the difference does not pay for its losses, and sells what it has", () => {
    expect(outputsOf(batteryOf({ efficiency: 0.5 }), [1_000, 1_900]).map(Math.abs)).toEqual([0, 0]);
    const full = batteryOf({ storedMwh: 20 });
    expect(full.viewIn(contract(0), START)).toMatchObject({ stored: 20_000, capacity: 10_000 });
    expect(outputsOf(full, [2_000, 1_000, 3_000])).toEqual([10, 0, 10]);
  });
});

describe("the energy of a battery of one's own", () => {
  test("is whole steps, four of them in an hour at full power or in all that it stores", () => {
    const stored = (capacityMwh: number, storedMwh: number) =>
      batteryOf({ capacityMwh, storedMwh }).viewIn(contract(0), START)?.stored;
    expect([stored(5, 0.7), stored(20, 4)]).toEqual([1_250, 5_000]);
  });

  test("has no step more because 2.1 MWh at 0.3 MW are a little more than 7 hours in binary", () => {
    expect(outputsOf(batteryOf({ powerMw: 0.3, capacityMwh: 2.1, storedMwh: 2.1 }), [2_000])).toEqual([0.3]);
  });

  test("grows by no more than its power allows, is planned on from what it is, and is traded if that pays for its wear", () => {
    const battery = batteryOf({ efficiency: 0.9, cost: 400 });
    expect(outputsOf(battery, [1_000, 1_400])).toEqual([0, 0]);
    // Three steps of 2.5 MWh. Four would take 11.1 MWh.
    expect(outputsOf(battery, [1_000, 3_000], [1_000])).toEqual([-8.333]);
    const bothHours = { deliveryStart: START, deliveryEnd: START + 2 * HOUR };
    expect(battery.viewIn(contract(0, bothHours), START)).toMatchObject({
      stored: 7_500,
      unitCost: 400,
      planned: (7_500 - 8_333) / 2,
    });
    expect(battery.viewIn(contract(0, { node: "WEST" }), START)).toBeNull();
    expect(outputsOf(battery, [3_000])).toEqual([7.5]);
  });
});

test("a load of one's own has the hours that it is given", () => {
  const profile = Array.from({ length: 24 }, (_, hour) => hour === 6 ? 13 : 1);
  const settings = loadSettings.parse({ name: "mill", node: "NORTH", loadMw: 3, tariff: 4_500, profile, weekend: 0.5 });
  const load = new OwnLoad(settings, CALENDARS.at("NORTH"));
  // START is 06:00 on a Monday.
  const hour = (after: number) => {
    const deliveryStart = START + after * HOUR;
    return contract(0, { type: "hour", deliveryStart, deliveryEnd: deliveryStart + HOUR });
  };
  expect(load.viewIn(hour(0), START)).toMatchObject({ output: -26_000, planned: -26_000, capacity: 0 });
  expect(load.viewIn(hour(1), START)).toMatchObject({ output: -26_000, planned: -2_000, unitCost: 4_500 });
  expect(load.viewIn(contract(0, { node: "WEST" }), START)).toBeNull();
  expect(load.size).toBe(6_000);
  expect(load.viewIn(hour(5 * 24), START)?.planned).toBe(-13_000);
  load.settle({ start: START, from: START, end: START + HOUR, price: 5_000, fuelFactor: 1 });
  expect(dollarsOf(load.result)).toBe(26 * -5);
});

test("the best course is the best of all courses", () => {
  const random = new SeededRandom(1);
  const machine: Machine = {
    states: 3,
    movesFrom: (state) => [0, 1, 2].map((next) => ({ state: next, output: next, cost: 40 * Math.abs(next - state) })),
  };
  for (let round = 0; round < 20; round++) {
    const prices = Array.from({ length: 5 }, () => random.integer(-100, 100));
    const worthOf = (courses: readonly number[]) =>
      courses.reduce((sum, state, at) => sum + state * prices[at]! - 40 * Math.abs(state - (courses[at - 1] ?? 1)), 0);
    const all = Array.from({ length: 3 ** 5 }, (_, code) => prices.map((_, at) => Math.floor(code / 3 ** at) % 3));
    const found = bestCourse(machine, 1, prices).map(({ state }) => state);
    expect(worthOf(found)).toBe(Math.max(...all.map(worthOf)));
  }
});

test("the plan of an hour knows the prices that were expected five minutes before it", () => {
  let price = 1_000;
  const spot = constantSpot(() => price);
  const assets = new PhysicalAssets({ spot, nodes: ["NORTH", "WEST"], calendars: CALENDARS, startTime: START });
  const plant = assets.addOwn({
    kind: "plant",
    settings: plantSettings.parse({ name: "mine", node: "WEST", capacityMw: 50, cost: 2_000 }),
  });
  const outputAt = (time: number, expected: number) => {
    price = expected;
    spot.advanceTo(time);
    assets.advanceTo(time);
    return plant.viewIn(contract(0, { node: "WEST" }), time)?.output;
  };
  const outputs = [
    outputAt(START, 1_000),
    outputAt(START + HOUR / 12, 3_000),
    outputAt(START + HOUR, 1_000),
    outputAt(START + 2 * HOUR, 3_000),
  ];
  expect(outputs).toEqual([0, 0, 50_000, 0]);
  expect(assets.addUnit({ capacity: 1, heatRate: 1, fuelPrice: 1, variableCost: 1 }).node).toBe("NORTH");
});
