// Forecasts compared with the mean of simulated prices over many seeds. Each seed is a future of the same market and is
// compared with its own forecast; the differences average out to zero.

import { describe, expect, test } from "bun:test";
import { SPOT_PARAMETERS } from "../../../sim/spot/built-in-parameters.ts";
import type { SpotParameters } from "../../../sim/spot/spot-parameters.ts";
import type { DeliveryShape, SpotEventRequest } from "../../../sim/spot/spot-prices.ts";
import { size } from "../../support/sizes.ts";
import { mean } from "../../support/laboratory/averages.ts";
import { HOUR_MS, pricesOf, spotOf, START } from "./support.ts";

const SEEDS = size(50, 1500);
/** Of a mean over the seeds. */
const MAX_ERROR = size(0.1, 0.08);
const DAY_MS = 24 * HOUR_MS;
/** In the middle of an hour, so a part of the next hour and of the next day is known. */
const NOW = START + 20 * HOUR_MS;
const KNOWN_MS = 35 * 60_000;

/** Of an event before NOW: some courses have begun to fade, and their end is known. */
const EVENT_AGE_MS = 3 * HOUR_MS;

/** A limit below which a few large spikes don't decide on the mean: the difference can be measured with few seeds. */
const LIMITED: SpotParameters = { ...SPOT_PARAMETERS, maximumPriceCents: 30_000 };

/** At WEST. Times are milliseconds after NOW. */
const base = (from: number, until: number, shape: DeliveryShape = "base") => ({ from, until, shape });
type Delivery = ReturnType<typeof base>;
const peak = (from: number, until: number) => base(from, until, "peak");

/** What was expected of each delivery, in the order of their ends, and what came. */
function future(
  seed: number,
  deliveries: readonly Delivery[],
  events: readonly SpotEventRequest[],
  parameters = LIMITED,
) {
  const spot = spotOf(seed, { parameters });
  const startTime = NOW + KNOWN_MS - EVENT_AGE_MS;
  for (const event of events) spot.trigger({ ...event, startTime });
  spot.advanceTo(NOW + KNOWN_MS);
  const expected = deliveries.map(({ from, until, shape }) =>
    spot.expectedPrice("WEST", NOW + from, NOW + until, shape)
  );
  return deliveries.map(({ from, until, shape }, at) => {
    spot.advanceTo(NOW + until - 1);
    const hours = spot.history((until - from) / HOUR_MS).filter(({ time }) => shape === "base" || isPeak(time));
    return { expected: expected[at]!, came: mean(pricesOf(hours, "WEST")) };
  });
}

/** For each delivery: mean difference of simulated and expected price, relative to the latter, and its standard error. */
function biases(deliveries: readonly Delivery[], events: readonly SpotEventRequest[] = [], parameters = LIMITED) {
  const futures = Array.from({ length: SEEDS }, (_, at) => future(at + 1, deliveries, events, parameters));
  return deliveries.map((delivery, at) => {
    const pairs = futures.map((each) => each[at]!);
    const level = mean(pairs.map(({ expected }) => expected));
    const differences = pairs.map(({ expected, came }) => (came - expected) / level);
    const difference = mean(differences);
    const error = Math.sqrt(mean(differences.map((each) => (each - difference) ** 2)) / SEEDS);
    return { delivery, difference, error };
  });
}

function expectUnbiased(results: ReturnType<typeof biases>, allowed: number, maxError = Infinity): void {
  for (const { delivery, difference, error } of results) {
    const isUnbiased = Math.abs(difference) < allowed + 3 * error && error < maxError;
    expect({ ...delivery, difference, error, isUnbiased }).toMatchObject({ isUnbiased: true });
  }
}

/** In winter, six hours behind UTC. */
function isPeak(time: number): boolean {
  const local = new Date(time - 6 * HOUR_MS);
  return local.getUTCHours() >= 6 && local.getUTCHours() < 22 && local.getUTCDay() % 6 !== 0;
}

describe("the expected price of a delivery", () => {
  const HEAT = { type: "heat_wave", node: null, size: 1, durationHours: 48 } as const;
  const FUEL = { type: "fuel_shock", node: "WEST", size: 1, durationHours: 240 } as const;
  const SURPLUS = { type: "renewable_surplus", node: "WEST", size: 1, durationHours: 10 } as const;
  const NORTHERN_OUTAGE = { type: "plant_outage", node: "NORTH", size: 1, durationHours: 24 } as const;
  const CONGESTION = { type: "line_congestion", node: null, size: 0.5, durationHours: 8 } as const;

  const NEXT_HOUR = base(HOUR_MS, 2 * HOUR_MS);
  const TOMORROW = base(16 * HOUR_MS, 40 * HOUR_MS);
  const FOURTH_WEEK = base(21 * DAY_MS, 28 * DAY_MS);
  const FIRST_DAYS = base(DAY_MS, size(4, 8) * DAY_MS);
  const LATER_DAYS = size(base(5 * DAY_MS, 8 * DAY_MS), FOURTH_WEEK);
  const TWO_DAYS = base(HOUR_MS, 49 * HOUR_MS);

  test("equals the mean of simulated prices: the next hour, and base and peak of tomorrow and of later days", () => {
    const peaks = [peak(16 * HOUR_MS, 40 * HOUR_MS), peak(LATER_DAYS.from, LATER_DAYS.until)] as const;
    expectUnbiased(biases([NEXT_HOUR, TOMORROW, peaks[0], LATER_DAYS, peaks[1]]), 0.01, MAX_ERROR);
  });

  test.each<[string, readonly Delivery[], readonly SpotEventRequest[]]>([
    ["four days of a heat wave", [base(HOUR_MS, 97 * HOUR_MS)], [HEAT]],
    ["the first and later days of a fuel shock", [FIRST_DAYS, LATER_DAYS], [FUEL]],
    ["two days of renewable surplus", [TWO_DAYS], [SURPLUS]],
    ["two days of an outage at the other node", [TWO_DAYS], [NORTHERN_OUTAGE]],
    ["an outage at the other node of a congested line", [TWO_DAYS], [NORTHERN_OUTAGE, CONGESTION]],
    ["a fuel shock that may be a false alarm", [TWO_DAYS], [{ ...FUEL, falseAlarmChance: 0.5, durationHours: 9 }]],
  ])("equals the mean of simulated prices: %s", (_, deliveries, events) => {
    expectUnbiased(biases(deliveries, events), 0.02, MAX_ERROR);
  });

  test("equals the mean of simulated prices with spikes up to the model's own limit", () => {
    const deliveries = [NEXT_HOUR, TOMORROW, ...size([], [FOURTH_WEEK])];
    expectUnbiased(biases(deliveries, [], SPOT_PARAMETERS), 0.01, size(0.4, 0.1));
  });

  test.each([
    ["low", { minimumPriceCents: 0, maximumPriceCents: 4_000 }],
    ["narrow", { minimumPriceCents: 1_500, maximumPriceCents: 3_000 }],
  ])("equals the mean of simulated prices within %s price limits", (_, limits) => {
    expectUnbiased(biases([TOMORROW], [], { ...SPOT_PARAMETERS, ...limits }), 0.05);
  });

  test("equals the mean of simulated prices in later days of tight times and of slack times", () => {
    const pairs = Array.from({ length: size(100, 1000) }, (_, at) => {
      const spot = spotOf(at + 1, { parameters: LIMITED });
      const [from, until] = [START + LATER_DAYS.from, START + LATER_DAYS.until];
      const soon = spot.expectedPrice("NORTH", from - size(4, 14) * DAY_MS, from - size(0, 7) * DAY_MS, "base");
      const expected = spot.expectedPrice("NORTH", from, until, "base");
      spot.advanceTo(until - 1);
      return { soon, expected, came: mean(pricesOf(spot.history(7 * 24), "NORTH")) };
    }).sort((one, other) => one.soon - other.soon);
    const half = pairs.length / 2;
    for (const part of [pairs.slice(0, half), pairs.slice(half)]) {
      const level = mean(part.map(({ expected }) => expected));
      const differences = part.map(({ expected, came }) => (came - expected) / level);
      const error = Math.sqrt(mean(differences.map((each) => each ** 2)) / half);
      expect(Math.abs(mean(differences))).toBeLessThan(0.03 + 2 * error);
    }
    expect(mean(pairs.slice(half).map(({ expected }) => expected))).toBeGreaterThan(
      mean(pairs.slice(0, half).map(({ expected }) => expected)) * 1.2,
    );
  });

  test("rises when a spike begins, more for the next hours than for the next days", () => {
    const rises = { hour: [] as number[], day: [] as number[] };
    for (let seed = 1; seed <= 10; seed++) {
      const spot = spotOf(seed);
      const expected = (from: number, until: number) => spot.expectedPrice("NORTH", time + from, time + until, "base");
      let time = START;
      for (let before = "base"; time < START + 20 * DAY_MS; time += HOUR_MS) {
        spot.advanceTo(time);
        const { regime } = spot.current("NORTH");
        if (before === "base" && regime === "spike") break;
        before = regime;
      }
      const usual = spotOf(seed);
      usual.advanceTo(time - HOUR_MS);
      const before = (from: number, until: number) => usual.expectedPrice("NORTH", time + from, time + until, "base");
      rises.hour.push(expected(HOUR_MS, 2 * HOUR_MS) / before(HOUR_MS, 2 * HOUR_MS));
      rises.day.push(expected(72 * HOUR_MS, 96 * HOUR_MS) / before(72 * HOUR_MS, 96 * HOUR_MS));
    }
    expect(mean(rises.hour)).toBeGreaterThan(1.5);
    expect(mean(rises.day)).toBeLessThan(1.3);
  });

  test("includes an event at once, at its node, while it acts and shortly after", () => {
    const [still, shaken] = [spotOf(1), spotOf(1)];
    shaken.trigger({ type: "plant_outage", node: "NORTH", size: 2, durationHours: 24 });
    const ratio = (node: string, from: number, until: number) => {
      const [one, other] = [still, shaken].map((spot) => spot.expectedPrice(node, START + from, START + until, "base"));
      return (other ?? NaN) / (one ?? NaN);
    };
    const north = ratio("NORTH", HOUR_MS, 12 * HOUR_MS);
    expect(north).toBeGreaterThan(1.3);
    const west = ratio("WEST", HOUR_MS, 12 * HOUR_MS);
    expect(west).toBeGreaterThan(1.1);
    expect(west).toBeLessThan(north);
    expect(ratio("NORTH", 240 * HOUR_MS, 264 * HOUR_MS)).toBeCloseTo(1, 2);
  });

  test("is before announcements what it was without the event, and the same as after if nothing was announced", () => {
    const [still, shaken] = [spotOf(1), spotOf(1)];
    const beginning = START + 1.5 * HOUR_MS;
    const of = (spot: typeof still, name: "expectedPrice" | "priceBeforeAnnouncements") =>
      spot[name]("NORTH", START + 3 * HOUR_MS, START + 24 * HOUR_MS, "base");
    shaken.trigger({ type: "plant_outage", node: "NORTH", size: 2, durationHours: 24, announcedTime: beginning });
    expect(of(shaken, "expectedPrice")).toBe(of(still, "expectedPrice"));
    for (const spot of [still, shaken]) spot.advanceTo(beginning);
    expect(shaken.announcements).toBe(1);
    expect(of(shaken, "priceBeforeAnnouncements")).toBe(of(still, "expectedPrice"));
    expect(of(shaken, "expectedPrice")).toBeGreaterThan(of(still, "expectedPrice") * 1.1);
    shaken.advanceTo(beginning + 5 * 60_000);
    expect(of(shaken, "priceBeforeAnnouncements")).toBe(of(shaken, "expectedPrice"));
  });

  test("depends far ahead only on the season, not on the seed or the current state", () => {
    const quarter = (spot: ReturnType<typeof spotOf>, month: number) =>
      spot.expectedPrice("NORTH", Date.UTC(2036, month), Date.UTC(2036, month + 3), "base");
    const [one, other] = [spotOf(1), spotOf(2)];
    other.trigger({ type: "heat_wave", node: null, size: 3, durationHours: 48 });
    expect(quarter(one, 6) / quarter(other, 6)).toBeCloseTo(1, 2);
    expect(quarter(one, 6)).toBeGreaterThan(quarter(one, 0) * 1.1);
  });

  test("uses actual prices for the past hours of a delivery in progress", () => {
    const spot = spotOf(2);
    spot.advanceTo(START + 6 * HOUR_MS - 1);
    const came = mean(pricesOf(spot.history(6), "NORTH"));
    expect(Math.abs(spot.expectedPrice("NORTH", START, START + 6 * HOUR_MS, "base") - came)).toBeLessThanOrEqual(1);
    const ahead = spot.expectedPrice("NORTH", START + 6 * HOUR_MS, START + 12 * HOUR_MS, "base");
    const whole = spot.expectedPrice("NORTH", START, START + 12 * HOUR_MS, "base");
    expect(Math.abs(whole - (came + ahead) / 2)).toBeLessThanOrEqual(1);
  });

  test("of parts, weighted by hours, is that of the whole", () => {
    const spot = spotOf(3);
    const [from, until] = [START + 5 * HOUR_MS, START + 60 * DAY_MS];
    const whole = spot.expectedPrice("WEST", from, until, "base");
    for (const hours of [1, 30, 500, 503, 504, 505, 800, 1000]) {
      const middle = START + hours * HOUR_MS + 5 * HOUR_MS;
      const parts = spot.expectedPrice("WEST", from, middle, "base") * (middle - from) +
        spot.expectedPrice("WEST", middle, until, "base") * (until - middle);
      expect(Math.abs(parts / (until - from) - whole)).toBeLessThanOrEqual(1);
    }
  });

  test("is higher for peak than for base, and covers all hours of a delivery without peak hours", () => {
    const spot = spotOf(1);
    const [from, until] = [START + 30 * DAY_MS, START + 58 * DAY_MS];
    expect(spot.expectedPrice("NORTH", from, until, "peak")).toBeGreaterThan(
      spot.expectedPrice("NORTH", from, until, "base") * 1.1,
    );
    const saturday = Date.parse("2026-01-24T06:00:00Z");
    const weekend = (shape: DeliveryShape) => spot.expectedPrice("NORTH", saturday, saturday + DAY_MS, shape);
    expect(weekend("peak")).toBe(weekend("base"));
  });

  test("rejects a delivery that ends before it begins, one of a century, and an unknown node", () => {
    expect(() => spotOf(1).expectedPrice("NORTH", START, START + 36_600 * DAY_MS, "base")).toThrow("at most 50 years");
    expect(() => spotOf(1).expectedPrice("NORTH", -Infinity, START, "base")).toThrow("at most 50 years");
    expect(() => spotOf(1).expectedPrice("NORTH", START, START, "base")).toThrow("must end after it begins");
    expect(() => spotOf(1).expectedPrice("EAST", START, START + HOUR_MS, "base")).toThrow("unknown node EAST");
  });
});
