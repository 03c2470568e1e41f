import { describe, expect, test } from "bun:test";
import { SPOT_EVENT_TYPES, type SpotEventRequest, type SpotEventType } from "../../../sim/spot/spot-prices.ts";
import { size } from "../../support/sizes.ts";
import { mean } from "../../support/laboratory/averages.ts";
import { HOUR_MS, pricesOf, spotOf, START } from "./support.ts";

const HOURS = 48;
const SEEDS = Array.from({ length: size(12, 100) }, (_, at) => at + 1);
const DEARER: readonly SpotEventType[] = ["heat_wave", "cold_snap", "plant_outage", "line_congestion", "fuel_shock"];

const UNMOVED = new Map<string, number>();

/** The points of some hours after events. */
function pointsAfter(seed: number, events: readonly SpotEventRequest[], hours = HOURS) {
  const spot = spotOf(seed);
  for (const event of events) spot.trigger(event);
  return spot.advanceTo(START + hours * HOUR_MS);
}

/** Mean prices at a node with and without an event, over all seeds. */
function meansWith(node: string, event: Omit<SpotEventRequest, "durationHours">) {
  const meanAfter = (events: readonly SpotEventRequest[]) =>
    mean(SEEDS.map((seed) => mean(pricesOf(pointsAfter(seed, events), node))));
  const without = UNMOVED.get(node) ?? meanAfter([]);
  UNMOVED.set(node, without);
  return { withEvent: meanAfter([{ ...event, durationHours: HOURS }]), without };
}

const round = (value: number) => Math.round(value * 1e6) / 1e6;

describe("an event", () => {
  test.each([...SPOT_EVENT_TYPES])(
    "%s moves the prices of its node in its direction, and the other node's less, except if the line is the cause",
    (type) => {
      const request = { type, node: "WEST", size: 1 };
      const [west, north] = ["WEST", "NORTH"].map((node) => {
        const { withEvent, without } = meansWith(node, request);
        return (withEvent - without) / without;
      }) as [number, number];
      if (DEARER.includes(type)) expect(west).toBeGreaterThan(0.1);
      else expect(west).toBeLessThan(-0.15);
      if (type === "line_congestion") return expect(north).toBe(0);
      expect(north / west).toBeGreaterThan(0.2);
      expect(north / west).toBeLessThan(0.8);
    },
  );

  test.each([...SPOT_EVENT_TYPES])("%s moves prices more if it is larger", (type) => {
    const [small, large] = [0.5, 2].map((size) => {
      const { withEvent, without } = meansWith("WEST", { type, node: null, size });
      return Math.abs(withEvent - without);
    });
    expect(large).toBeGreaterThan((small ?? NaN) * 1.5);
  });

  test("without a node acts on both, but congestion on the second only", () => {
    const both = (type: SpotEventType) =>
      ["NORTH", "WEST"].map((node) => {
        const { withEvent, without } = meansWith(node, { type, node: null, size: 1 });
        return withEvent / without;
      });
    for (const ratio of both("fuel_shock")) expect(ratio).toBeGreaterThan(1.2);
    const [north, west] = both("line_congestion");
    expect(north).toBe(1);
    expect(west).toBeGreaterThan(1.1);
    const points = pointsAfter(1, [{ type: "line_congestion", node: null, size: 2, durationHours: 10 }], 4);
    expect(points.every(({ congested }) => congested)).toBe(true);
  });

  test("reaches the other node less if the line is congested", () => {
    const outage = { type: "plant_outage", node: "WEST", size: 1, durationHours: HOURS } as const;
    const congestion = { type: "line_congestion", node: "WEST", size: 1, durationHours: HOURS } as const;
    const north = (events: readonly SpotEventRequest[]) =>
      mean(SEEDS.map((seed) => mean(pricesOf(pointsAfter(seed, events, HOURS / 2), "NORTH"))));
    const [none, free, congested] = [[], [outage], [outage, congestion]].map(north) as [number, number, number];
    expect(congested - none).toBeGreaterThan(0);
    expect(congested - none).toBeLessThan((free - none) * 0.6);
  });

  test("has a fuel factor if it is a fuel shock: the mean of its courses until its size is known", () => {
    const spot = spotOf(1);
    spot.trigger({ type: "plant_outage", node: null, size: 1, durationHours: 10 });
    expect(["NORTH", "WEST"].map((node) => spot.fuelFactor(node))).toEqual([1, 1]);
    spot.trigger({ type: "fuel_shock", node: "WEST", size: 1, durationHours: 10 });
    expect(spot.fuelFactor("NORTH")).toBe(1);
    const factors = [2 / 3, 1, 4 / 3].map((size) => Math.exp(0.35 * size));
    expect(spot.fuelFactor("WEST")).toBeCloseTo(mean(factors), 10);
    spot.advanceTo(START + HOUR_MS);
    expect(factors.some((factor) => Math.abs(factor - spot.fuelFactor("WEST")) < 1e-9)).toBe(true);
    spot.advanceTo(START + 15 * HOUR_MS);
    expect(spot.fuelFactor("WEST")).toBe(1);
    expect(() => spot.fuelFactor("EAST")).toThrow("unknown node EAST");
  });

  test("moves expected prices when it is announced, and spot prices when it begins", () => {
    const [still, shaken] = [spotOf(1), spotOf(1)];
    const [announcedTime, startTime] = [START + HOUR_MS, START + 3 * HOUR_MS];
    shaken.trigger({ type: "fuel_shock", node: null, size: 1, durationHours: 6, startTime, announcedTime });
    const growthAt = (minutes: number) => {
      const [before, after] = [still, shaken].map((spot) => {
        spot.advanceTo(START + minutes * 60_000);
        const expected = spot.expectedPrice("WEST", START + 4 * HOUR_MS, START + 5 * HOUR_MS, "base");
        return { expected, present: spot.current("WEST").priceCents };
      });
      return [after!.expected / before!.expected, after!.present / before!.present].map((ratio) => ratio > 1.1);
    };
    expect([55, 60, 175, 180].map(growthAt)).toEqual([[false, false], [true, false], [true, false], [true, true]]);
    expect(shaken.activeEvents.map(({ startTime }) => startTime)).toEqual([startTime]);
  });

  test("acts from the next 5 minutes", () => {
    const [still, shaken] = [spotOf(1), spotOf(1)];
    still.advanceTo(START + 20 * 60_000);
    shaken.advanceTo(START + 20 * 60_000);
    shaken.trigger({ type: "plant_outage", node: "NORTH", size: 3, durationHours: 6 });
    expect(shaken.current("NORTH")).toEqual(still.current("NORTH"));
    const next = START + 25 * 60_000;
    expect(pricesOf(shaken.advanceTo(next), "NORTH")[0]).toBeGreaterThan(
      (pricesOf(still.advanceTo(next), "NORTH")[0] ?? NaN) * 1.5,
    );
  });

  test.each([...SPOT_EVENT_TYPES])(
    "%s changes only the current point when it is recomputed",
    (type) => {
      const time = START + 2 * HOUR_MS + 35 * 60_000;
      const [still, shaken] = [spotOf(1), spotOf(1)];
      for (const spot of [still, shaken]) spot.advanceTo(time);
      const hourly = () => shaken.history(3).map(({ priceCents }) => priceCents);
      const before = hourly();
      shaken.trigger({ type, node: "WEST", size: 2, durationHours: 6 });
      const [north, west] = shaken.reprice();
      expect([north, west]).toEqual([shaken.current("NORTH"), shaken.current("WEST")]);
      expect([north?.time, west?.time]).toEqual([time, time]);
      const changeAt = (node: string) => shaken.current(node).priceCents - still.current(node).priceCents;
      const change = changeAt("WEST");
      expect(Math.sign(change)).toBe(DEARER.includes(type) ? 1 : -1);
      expect(Math.abs(changeAt("NORTH"))).toBeLessThan(Math.abs(change));
      const after = hourly();
      expect(after.slice(0, -2)).toEqual(before.slice(0, -2));
      // The current point is the eighth of its hour.
      for (const [at, moved] of [[-2, changeAt("NORTH")], [-1, change]] as const) {
        expect(Math.abs((after.at(at) ?? NaN) - (before.at(at) ?? NaN) - moved / 8)).toBeLessThanOrEqual(1);
      }
    },
  );

  test("leaves a point unchanged if it is recomputed without an event", () => {
    const [still, renewed] = [spotOf(3), spotOf(3)];
    for (const minutes of [0, 5, 50, 60, 125]) {
      for (const spot of [still, renewed]) spot.advanceTo(START + minutes * 60_000);
      renewed.reprice();
      expect(renewed.history(5)).toEqual(still.history(5));
      expect(renewed.current("NORTH")).toEqual(still.current("NORTH"));
    }
  });

  test("is announced with an expected size and end, and is known to have others later", () => {
    const seen = new Set<string>();
    for (let seed = 1; seed <= 60; seed++) {
      const spot = spotOf(seed);
      const request = { type: "heat_wave", node: null, size: 3, durationHours: 8 } as const;
      const [startTime, endTime] = [START, START + 8 * HOUR_MS];
      expect(spot.trigger(request)).toEqual({ ...request, id: "event-1", startTime, endTime });
      const shown = [0, 0.4, 0.5, 1.9, 2, 3.9].map((hours) => {
        spot.advanceTo(START + hours * HOUR_MS);
        return spot.activeEvents.map(({ size, endTime }) => [round(size), round((endTime - START) / HOUR_MS)])[0]!;
      });
      const [size, hours] = shown.at(-1) as [number, number];
      expect(shown).toEqual([[3, 8], [3, 8], [size, 8], [size, 8], [size, hours], [size, hours]]);
      seen.add(`${size} ${hours}`);
    }
    expect([...seen].toSorted()).toEqual([2, 3, 4].flatMap((size) => [12, 4, 8].map((hours) => `${size} ${hours}`)));
  });

  test("acts fully for half of its duration, fades, and is over at its end", () => {
    const spot = spotOf(1);
    spot.trigger({ type: "heat_wave", node: null, size: 1, durationHours: 8 });
    spot.advanceTo(START + 3 * HOUR_MS);
    const hours = (spot.activeEvents[0]!.endTime - START) / HOUR_MS;
    const remaining = [0.5, 0.75, 0.875, 1].map((share) => {
      spot.advanceTo(START + share * hours * HOUR_MS);
      return spot.activeEvents.map((each) => each.remaining);
    });
    expect(remaining).toEqual([[1], [0.5], [0.25], []]);
  });

  test("that may be a false alarm acts less, and then as one or fully", () => {
    const outcomes = Array.from({ length: 60 }, (_, at) => {
      const [spot, sure] = [spotOf(at + 1), spotOf(at + 1)];
      const request = { type: "fuel_shock", node: null, size: 1, durationHours: 8 } as const;
      spot.trigger({ ...request, falseAlarmChance: 0.25 });
      sure.trigger(request);
      expect(spot.fuelFactor("WEST") - 1).toBeCloseTo(0.75 * (sure.fuelFactor("WEST") - 1), 10);
      spot.advanceTo(START + HOUR_MS);
      expect(spot.activeEvents).toHaveLength(spot.fuelFactor("WEST") === 1 ? 0 : 1);
      return spot.activeEvents.length;
    });
    const alarms = outcomes.filter((active) => active === 0).length;
    expect(alarms).toBeGreaterThan(5);
    expect(alarms).toBeLessThan(27);
  });

  test("begins when it is told to, not before, and then at once", () => {
    const [still, shaken] = [spotOf(1), spotOf(1)];
    const startTime = START + HOUR_MS;
    expect(shaken.trigger({ type: "fuel_shock", node: null, size: 3, durationHours: 6, startTime }).startTime).toBe(
      startTime,
    );
    const at = (minutes: number) =>
      [still, shaken].map((spot) => {
        spot.advanceTo(START + minutes * 60_000);
        return spot.current("WEST").priceCents;
      }) as [number, number];
    const [before, same] = at(55);
    expect(same).toBe(before);
    expect(shaken.activeEvents).toEqual([]);
    const [usual, dearer] = at(60);
    expect(dearer / usual).toBeGreaterThan(1.5);
  });

  test.each([...SPOT_EVENT_TYPES])("%s wears off: prices return to those without it", (type) => {
    const settled = START + (1.5 * HOURS + 72) * HOUR_MS;
    for (const seed of SEEDS.slice(0, 4)) {
      const [still, shaken] = [spotOf(seed), spotOf(seed)];
      shaken.trigger({ type, node: null, size: 2, durationHours: HOURS });
      still.advanceTo(settled);
      shaken.advanceTo(settled);
      const after = [still, shaken].map((spot) => spot.advanceTo(settled + 24 * HOUR_MS));
      for (const [at, point] of after[0]!.entries()) {
        expect(Math.abs(point.priceCents - after[1]![at]!.priceCents)).toBeLessThanOrEqual(1);
      }
    }
  });

  test("makes spikes likelier if it brings scarcity, and drops if it brings surplus", () => {
    const share = (type: SpotEventType, regime: string) => {
      const events = [{ type, node: null, size: 1.5, durationHours: HOURS }];
      const points = SEEDS.flatMap((seed) => pointsAfter(seed, events, HOURS / 2));
      return points.filter((point) => point.regime === regime).length / points.length;
    };
    expect(share("plant_outage", "spike")).toBeGreaterThan(share("renewable_surplus", "spike") + 0.1);
    expect(share("renewable_surplus", "drop")).toBeGreaterThan(share("plant_outage", "drop") + 0.2);
  });

  test.each([
    [{ type: "earthquake" as SpotEventType }, "type must be one of heat_wave, "],
    [{ node: "EAST" }, "node must be one of NORTH, WEST, not EAST"],
    [{ size: 0 }, "size must be from 0.1 to 5, not 0"],
    [{ size: NaN }, "size must be"],
    [{ durationHours: -1 }, "durationHours must be from 0.25 to 8760, not -1"],
    [{ durationHours: Infinity }, "durationHours must be"],
    [{ falseAlarmChance: 1.1 }, "falseAlarmChance must be from 0 to 1, not 1.1"],
  ])("%p is rejected without effect", (wrong, message) => {
    const spot = spotOf(1);
    const request = { type: "heat_wave", node: null, size: 1, durationHours: 4, ...wrong } as const;
    expect(() => spot.trigger(request)).toThrow(message);
    expect(spot.activeEvents).toEqual([]);
  });

  test("is rejected while a hundred others act", () => {
    const spot = spotOf(1);
    const request = { type: "demand_drop", node: null, size: 0.1, durationHours: 1 } as const;
    for (let count = 0; count < 100; count++) spot.trigger(request);
    expect(() => spot.trigger(request)).toThrow("wait until one has ended");
    spot.advanceTo(START + 2 * HOUR_MS);
    expect(spot.trigger(request).id).toBe("event-101");
  });
});
