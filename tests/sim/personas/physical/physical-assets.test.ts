// The units and loads of a run: outages, the settlement of hours, and the shares of products.

import { describe, expect, test } from "bun:test";
import { PERIOD_KINDS } from "../../../../engine/market/listing-rule.ts";
import { dollarsOf } from "../../../../engine/market/units.ts";
import { batterySettings, loadSettings, plantSettings } from "../../../../sim/personas/physical/asset-settings.ts";
import { PhysicalAssets } from "../../../../sim/personas/physical/physical-assets.ts";
import type { Plant } from "../../../../sim/personas/physical/plant.ts";
import { shareOf } from "../../../../sim/personas/physical/product-shares.ts";
import { SeededRandom } from "../../../../sim/random/seeded-random.ts";
import { NodeCalendars } from "../../../../sim/spot/node-calendars.ts";
import type { SpotEventRequest } from "../../../../sim/spot/spot-prices.ts";
import { SpotProcess } from "../../../../sim/spot/spot-process.ts";
import { generatorParameters } from "../../../../sim/strategies/physical-parameters.ts";
import { CALENDARS, constantSpot, contract, HOUR, START } from "../support.ts";

const NODES = ["NORTH", "WEST"] as const;
const UNIT = { capacity: 100_000, heatRate: 7, fuelPrice: 300, variableCost: 200 };
const STEP = HOUR / 12;

/** Spot prices with a plant of two units and a load at each node. */
function market(seed = 1, startTime = START) {
  const spot = new SpotProcess({ seed, startTime, timezone: "America/Chicago", nodes: NODES });
  const calendars = new NodeCalendars(() => "America/Chicago");
  const assets = new PhysicalAssets({ spot, nodes: NODES, calendars, startTime });
  const units = [1, 2, 3, 4].map(() => assets.addUnit(UNIT));
  const loads = [1, 2].map(() => assets.addLoad({ load: 50_000, tariff: 4_000 }));
  let time = startTime;
  const advance = (until: number) => {
    for (; time <= until; time += STEP) {
      spot.advanceTo(time);
      assets.advanceTo(time);
    }
  };
  return { spot, assets, units, loads, advance };
}

function downAt(units: readonly { isUpAt(time: number): boolean }[], time: number): boolean[] {
  return units.map((unit) => !unit.isUpAt(time));
}

describe("units and loads", () => {
  test("are put at the nodes in turn", () => {
    const { units, loads } = market();
    expect([...units, ...loads].map(({ node }) => node)).toEqual(["NORTH", "WEST", "NORTH", "WEST", "NORTH", "WEST"]);
  });

  test.each([1, 2, 3])("are settled at the price of each hour as it ends (seed %d)", (seed) => {
    const { spot, units: [, unit], loads: [load], advance } = market(seed);
    advance(START + 30 * HOUR + STEP);
    const hours = spot.history(31).filter(({ time }) => time >= START && time < START + 30 * HOUR);
    expect(hours).toHaveLength(60);
    let earned = 0;
    let margin = 0;
    for (const { time, node, priceCents } of hours) {
      if (node === "WEST") earned += Math.max(0, priceCents - 2_300) * 60 * UNIT.capacity;
      else margin += (4_000 - priceCents) * 60 * (load?.loadAt(time) ?? NaN);
    }
    expect(unit?.result).toBe(earned);
    expect(load?.result).toBe(margin);
    expect(dollarsOf(load?.result ?? 0)).not.toBe(0);
  });

  test("are settled in the hour of the start from then on", () => {
    const late = START + HOUR / 2;
    const { spot, loads: [load], advance } = market(1, late);
    advance(START + HOUR + STEP);
    const price = spot.history(2).find(({ time, node }) => time === START && node === "NORTH")?.priceCents ?? NaN;
    expect(load?.result).toBe((4_000 - price) * 30 * (load?.loadAt(START) ?? NaN));
  });
});

describe("a plant outage", () => {
  test("takes down one unit at its node until it ends, at once", () => {
    const { spot, assets, units, advance } = market();
    advance(START);
    spot.trigger({ type: "plant_outage", node: "WEST", size: 1, durationHours: 6 });
    assets.advanceTo(START);
    expect(downAt(units, START)).toEqual([false, true, false, false]);
    // By now the market knows its end, which is not the announced one with this seed.
    advance(START + 2 * HOUR);
    const { endTime } = spot.activeEvents[0]!;
    expect(endTime).not.toBe(START + 6 * HOUR);
    expect(downAt(units, endTime - 1)).toEqual([false, true, false, false]);
    expect(downAt(units, endTime)).toEqual([false, false, false, false]);
  });

  test("takes from its unit what the rest of the hour earns", () => {
    const { spot, units: [, first, , second], advance } = market();
    advance(START + HOUR / 4);
    spot.trigger({ type: "plant_outage", node: "WEST", size: 1, durationHours: 6 });
    advance(START + HOUR);
    const margin = spot.history(2).find(({ node }) => node === "WEST")!.priceCents - 2_300;
    expect(margin).toBeGreaterThan(0);
    expect([first, second].map((unit) => unit?.result)).toEqual([15, 60].map((minutes) => margin * minutes * 100_000));
  });

  test("that was a false alarm lets its unit run again", () => {
    const { spot, assets, units, advance } = market();
    advance(START);
    spot.trigger({ type: "plant_outage", node: "WEST", size: 1, durationHours: 5, falseAlarmChance: 0.99 });
    assets.advanceTo(START);
    expect(downAt(units, START + HOUR)).toEqual([false, true, false, false]);
    advance(START + HOUR / 2);
    expect(downAt(units, START + HOUR)).toEqual([false, false, false, false]);
  });

  test("at both nodes takes down one unit at each, the next outage the next ones, and a third none", () => {
    const { spot, assets, units, advance } = market();
    advance(START);
    const outage = { type: "plant_outage", node: null, size: 1, durationHours: 5 } as const;
    for (const down of [[true, true, false, false], [true, true, true, true], [true, true, true, true]]) {
      spot.trigger(outage);
      assets.advanceTo(START);
      expect(downAt(units, START)).toEqual(down);
    }
  });

  test("is the only event that takes down a unit", () => {
    const { spot, assets, units, advance } = market();
    advance(START);
    for (const type of ["heat_wave", "fuel_shock", "line_congestion"] as const) {
      spot.trigger({ type, node: null, size: 1, durationHours: 5 });
    }
    assets.advanceTo(START);
    expect(downAt(units, START)).toEqual([false, false, false, false]);
  });
});

describe("the shares of the products in an hour", () => {
  test("sum to 1 if all of them deliver in it", () => {
    const base = PERIOD_KINDS.map((type) => shareOf({ type, shape: type === "peak" ? "peak" : "base" }));
    const peak = (["week", "month", "quarter", "year"] as const).map((type) => shareOf({ type, shape: "peak" }));
    expect([...base, ...peak].reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
    expect(Math.min(...base, ...peak)).toBeGreaterThan(0);
  });
});

describe("a load", () => {
  test("is highest in the evening and lowest at night, less at weekends, with its mean over a weekday", () => {
    const { loads: [load] } = market();
    const midnight = Date.UTC(2026, 2, 2, 6);
    const day = Array.from({ length: 24 }, (_, hour) => load?.loadAt(midnight + hour * HOUR) ?? NaN);
    expect(day.indexOf(Math.max(...day))).toBe(18);
    expect(day.indexOf(Math.min(...day))).toBe(3);
    expect(day.reduce((sum, each) => sum + each, 0) / 24).toBeCloseTo(50_000, -1);
    const saturday = load?.loadAt(midnight + (5 * 24 + 18) * HOUR) ?? NaN;
    expect(saturday / Math.max(...day)).toBeCloseTo(0.9, 3);
  });

  test("is bought for each product by its share and its hours", () => {
    const { loads: [load] } = market();
    const quantity = (changes: object) => load?.termsOf(contract(0, changes))?.quantity ?? NaN;
    const evening = Date.UTC(2026, 2, 4, 0);
    expect(quantity({ type: "hour", deliveryStart: evening, deliveryEnd: evening + HOUR }))
      .toBe(shareOf({ type: "hour", shape: "base" }) * (load?.loadAt(evening) ?? NaN));
    expect(quantity({ type: "peak", shape: "peak" })).toBeGreaterThan(
      shareOf({ type: "peak", shape: "peak" }) * 50_000,
    );
    expect(quantity({ type: "weekend" })).toBeLessThan(shareOf({ type: "weekend", shape: "base" }) * 50_000);
    expect(load?.termsOf(contract(0, { node: "WEST" }))).toBeNull();
  });
});

describe("an asset of one's own", () => {
  const ownPlant = { name: "mine", node: "WEST", capacityMw: 50, heatRate: 7, cost: 200 };
  /** WEST is dear in these hours after START, NORTH in all others. */
  const DEAR = [0, 1, 3, 4, 8];

  test("is planned from its first whole hour on, for two days, by the prices of each hour at its node", () => {
    const spot = constantSpot((node, from, until, shape) => {
      if (until - from !== HOUR || shape !== "base") return NaN;
      return (node === "WEST") === DEAR.includes((from - START) / HOUR) ? 3_000 : 1_000;
    });
    const startTime = START + HOUR / 2;
    const assets = new PhysicalAssets({ spot, nodes: NODES, calendars: CALENDARS, startTime });
    const battery = batterySettings.parse({ name: "cell", node: "NORTH", powerMw: 10, capacityMwh: 20 });
    assets.addOwn({ kind: "battery", settings: battery });
    const plant = assets.addOwn({ kind: "plant", settings: plantSettings.parse(ownPlant) });
    const over = (from: number, until = from + 1) =>
      contract(0, { node: "WEST", deliveryStart: START + from * HOUR, deliveryEnd: START + until * HOUR });
    const plannedFrom = (first: number) =>
      [0, 1, 2, 3, 4].map((hour) => plant.viewIn(over(first + hour), startTime)?.planned);
    expect(plant.viewIn(over(0), startTime)).toMatchObject({ output: 0, planned: null });
    expect(plannedFrom(1)).toEqual([50_000, 0, 50_000, 50_000, 0]);
    expect([49, 50].map((until) => plant.viewIn(over(1, until), startTime)?.planned)).toEqual([4 * 50_000 / 48, null]);
    for (const time of [startTime, START + 4 * HOUR]) {
      spot.advanceTo(time);
      assets.advanceTo(time);
    }
    expect(plannedFrom(4)).toEqual([50_000, 0, 0, 0, 50_000]);
  });

  test("pays what its fuel costs at its node, and is settled once with what it does in the hour", () => {
    const spot = constantSpot((_node, from) => from === START ? 100_000 : 90_000);
    spot.trigger({ type: "fuel_shock", node: "WEST", size: 1, durationHours: 6 });
    spot.advanceTo(START);
    const assets = new PhysicalAssets({ spot, nodes: NODES, calendars: CALENDARS, startTime: START });
    const plant = assets.addOwn({ kind: "plant", settings: plantSettings.parse(ownPlant) });
    const unit = [assets.addUnit(UNIT), assets.addUnit(UNIT)][1]!;
    const settings = batterySettings.parse({ ...{ name: "cell", node: "WEST" }, powerMw: 10, capacityMwh: 10 });
    const battery = assets.addOwn({ kind: "battery", settings: { ...settings, storedMwh: 10 } });
    const fuel = spot.fuelFactor("WEST");
    expect(fuel).toBeGreaterThan(spot.fuelFactor("NORTH"));
    expect([plant, unit].map((each) => each.termsOf(contract(0, { node: "WEST" }), START)?.unitCost))
      .toEqual([2_100 * fuel + 200, 2_100 * fuel + 200]);
    spot.advanceTo(START + HOUR);
    assets.advanceTo(START + HOUR);
    const price = spot.history(2).find(({ node }) => node === "WEST")!.priceCents;
    const cost = Math.round(2_100 * spot.fuelFactor("WEST") + 200);
    expect(plant.result).toBe((price - cost) * 50_000 * 60);
    expect(battery.result).toBe(price * 10_000 * 60);
  });

  test("is in the time zone of its node", () => {
    const zones = new NodeCalendars((node) => node === "NORTH" ? "America/Chicago" : "Europe/Berlin");
    const assets = new PhysicalAssets({
      spot: constantSpot(() => 0),
      nodes: NODES,
      calendars: zones,
      startTime: START,
    });
    // START is 06:00 in Chicago and 13:00 in Berlin.
    const profile = Array.from({ length: 24 }, (_, hour) => hour === 13 ? 24 : 0);
    const settings = loadSettings.parse({ name: "mill", node: "WEST", loadMw: 1, profile });
    const load = assets.addOwn({ kind: "load", settings });
    expect(load.viewIn(contract(0, { node: "WEST" }), START)?.output).toBe(-24_000);
    assets.calendar.moveTo(START);
    expect(assets.calendar.hour).toBe(6);
  });
});

test("units and loads have the figures that they are given, each its own within an interval", () => {
  const { assets } = market();
  const given = generatorParameters.parse({ capacityMw: 50.5, heatRate: [6, 10], fuelPrice: 250, variableCost: 40 });
  const share = new SeededRandom(5).next();
  expect(assets.addFor("generator", given, new SeededRandom(5))).toMatchObject({
    parameters: { capacity: 50_500, heatRate: 6 + 4 * share, fuelPrice: 250, variableCost: 40 },
  });
  expect(assets.addFor("retailer", undefined, new SeededRandom(5))).toMatchObject({
    parameters: { load: (100 + 200 * share) * 1_000, tariff: 4_000 },
  });
  expect(assets.addFor("maker", undefined, new SeededRandom(5))).toBeNull();
});

describe("the next plant outage at a node", () => {
  /** It is known to be a false alarm half an hour after its beginning. */
  const SHORT = { type: "plant_outage", node: "WEST", size: 1, durationHours: 5, falseAlarmChance: 0.99 } as const;
  const LONG = { ...SHORT, falseAlarmChance: 0 };

  test("takes down the unit after the last one that is up as it begins, an own plant too", () => {
    const { spot, assets, units: [, first, , second], advance } = market();
    const settings = plantSettings.parse({ name: "mine", node: "WEST", capacityMw: 5 });
    const own = assets.addOwn({ kind: "plant", settings }) as Plant;
    const downIn = (hours: number) => downAt([first!, second!, own], START + hours * HOUR);
    const begin = (time: number, outage: SpotEventRequest) => {
      spot.trigger(outage);
      assets.advanceTo(time);
    };
    advance(START);
    begin(START, LONG);
    begin(START, SHORT);
    expect(downIn(1)).toEqual([true, true, false]);
    const now = START + HOUR / 2;
    advance(now);
    expect(downIn(1)).toEqual([true, false, false]);
    begin(now, LONG);
    expect(downIn(1)).toEqual([true, false, true]);
    begin(now, LONG);
    expect(downIn(1)).toEqual([true, true, true]);
  });
});
