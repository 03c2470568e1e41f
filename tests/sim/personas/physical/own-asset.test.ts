// What was planned for each hour, what a load is over the deliveries of each product, and how often a plant starts.

import { describe, expect, test } from "bun:test";
import { dollarsOf } from "../../../../engine/market/units.ts";
import { plantSettings } from "../../../../sim/personas/physical/asset-settings.ts";
import { HourlyPlan } from "../../../../sim/personas/physical/own-asset.ts";
import { Plant } from "../../../../sim/personas/physical/plant.ts";
import { RetailLoad } from "../../../../sim/personas/physical/retail-load.ts";
import type { TradedContract } from "../../../../sim/personas/traded-contract.ts";
import { CALENDARS, contract, HOUR, START } from "../support.ts";

describe("an hourly plan", () => {
  const plan = new HourlyPlan();
  plan.set(START, [3, 5, 10].map((output) => ({ state: output, output, cost: 0 })));

  test.each([
    ["before it", -0.01, 0],
    ["at its start", 0, 3],
    ["late in its first hour", 0.99, 3],
    ["at the start of its second hour", 1, 5],
    ["late in its last hour", 2.99, 10],
    ["after it", 3, 0],
  ])("has the output of the hour %s", (_when, hours, output) => {
    expect(plan.at(START + hours * HOUR)).toBe(output);
  });

  test.each([
    ["its mean over a delivery within it", 1, 3, 7.5],
    ["its mean over all of it", 0, 3, 6],
    ["nothing of a delivery that begins before it", -1, 2, null],
    ["nothing of a delivery that ends after it", 2, 4, null],
    ["nothing of an empty delivery", 1, 1, null],
  ])("knows %s", (_what, from, until, expected) => {
    const delivery = contract(0, { deliveryStart: START + from * HOUR, deliveryEnd: START + until * HOUR });
    expect(plan.over(delivery)).toBe(expected);
  });
});

describe("the load of customers", () => {
  /** 24 MW at noon, 2 MW in the first hours, on weekdays; half at weekends. */
  const profile = Array.from({ length: 24 }, (_, hour) => hour < 6 ? 2 : hour === 12 ? 24 : 10);
  const MEAN = (6 * 2 + 24 + 17 * 10) / 24;
  const PEAK_MEAN = (24 + 15 * 10) / 16;
  const load = new RetailLoad(
    "NORTH",
    { load: MEAN * 1_000, tariff: 4_500, profile, weekend: 0.5 },
    CALENDARS.at("NORTH"),
  );
  /** START is 06:00 on a Monday. */
  const midnight = START - 6 * HOUR;
  const of = (changes: Partial<TradedContract>, day = 0, hour = 0) => {
    const deliveryStart = midnight + (24 * day + hour) * HOUR;
    return load.termsOf(contract(0, { deliveryStart, deliveryEnd: deliveryStart + HOUR, ...changes }));
  };

  test.each<[string, Partial<TradedContract>, number, number, number]>([
    ["an hour", { type: "hour" }, 0, 12, 0.15 * 24],
    ["an hour at night", { type: "hour" }, 1, 3, 0.15 * 2],
    ["an hour at the weekend", { type: "hour" }, 5, 12, 0.15 * 12],
    ["a weekday", { type: "base" }, 4, 0, 0.15 * MEAN],
    ["a day of the weekend", { type: "base" }, 5, 0, 0.15 * MEAN / 2],
    ["a day's peak", { type: "peak", shape: "peak" }, 0, 6, 0.05 * PEAK_MEAN],
    ["a weekend", { type: "weekend" }, 5, 0, 0.05 * MEAN / 2],
    ["a week", { type: "week" }, 0, 0, 0.1 * MEAN * 6 / 7],
    ["a month", { type: "month" }, 0, 0, 0.14 * MEAN * 6 / 7],
    ["a quarter", { type: "quarter" }, 0, 0, 0.14 * MEAN * 6 / 7],
    ["a year", { type: "year" }, 0, 0, 0.14 * MEAN * 6 / 7],
    ["a week's peak hours", { type: "week", shape: "peak" }, 0, 0, 0.01 * PEAK_MEAN],
    ["a month's peak hours", { type: "month", shape: "peak" }, 0, 0, 0.04 * PEAK_MEAN],
    ["a quarter's peak hours", { type: "quarter", shape: "peak" }, 0, 0, 0.02 * PEAK_MEAN],
    ["a year's peak hours", { type: "year", shape: "peak" }, 0, 0, 0.01 * PEAK_MEAN],
  ])("over %s is the product's share of what is used then", (_what, changes, day, hour, megawatts) => {
    expect(of(changes, day, hour)?.quantity).toBeCloseTo(megawatts * 1_000, 1);
    expect(of(changes, day, hour)?.unitCost).toBe(4_500);
  });

  test("is nothing at another node, and earns the tariff less the price for the part of the hour", () => {
    expect(of({ node: "WEST" })).toBeNull();
    const noon = midnight + 12 * HOUR;
    load.settle({ start: noon, from: noon + HOUR / 4, end: noon + HOUR, price: 6_000, fuelFactor: 1 });
    expect(dollarsOf(load.result)).toBe(24 * 0.75 * -15);
  });
});

describe("a plant of one's own", () => {
  const settings = { name: "mine", node: "NORTH", capacityMw: 50, minimumMw: 50, cost: 2_000, startCost: 10 };
  const run = (hours: readonly number[], outage: readonly [number, number] | null = null) => {
    const plant = new Plant(plantSettings.parse(settings), () => 1);
    plant.plan(START, hours);
    if (outage !== null) plant.goDown("outage", START + outage[0] * HOUR, START + outage[1] * HOUR);
    for (const [hour, price] of hours.entries()) {
      const start = START + hour * HOUR;
      plant.settle({ start, from: start, end: start + HOUR, price, fuelFactor: 1 });
    }
    return dollarsOf(plant.result);
  };

  test("pays for one start however long it runs, and for another after a stop", () => {
    expect(run([3_000, 3_000, 3_000])).toBe(3 * 500 - 10);
    expect(run([0, 3_000, 0, 0, 3_000])).toBe(2 * 500 - 20);
  });

  test("starts anew, and pays for it, after an outage at the end of an hour, not after one that is over by then", () => {
    expect(run([3_000, 3_000], [0.5, 1])).toBe(1.5 * 500 - 20);
    expect(run([3_000, 3_000], [0.25, 0.75])).toBe(1.5 * 500 - 10);
  });
});
