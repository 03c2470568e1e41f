// The units and loads of a run: outages, the settlement of hours, and the shares of products.

import { describe, expect, test } from "bun:test";
import { PERIOD_KINDS } from "../../../../engine/market/listing-rule.ts";
import { dollarsOf } from "../../../../engine/market/units.ts";
import { PhysicalAssets } from "../../../../sim/personas/physical/physical-assets.ts";
import { shareOf } from "../../../../sim/personas/physical/product-shares.ts";
import { SpotProcess } from "../../../../sim/spot/spot-process.ts";
import { contract, HOUR, START } from "../support.ts";
import { NodeCalendars } from "../../../../sim/spot/node-calendars.ts";

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
  const downAt = (units: readonly { isUpAt(time: number): boolean }[], time: number) =>
    units.map((unit) => !unit.isUpAt(time));

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
