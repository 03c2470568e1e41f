import { describe, expect, test } from "bun:test";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { SPOT_PARAMETERS } from "../../../sim/spot/built-in-parameters.ts";
import { HourlyPrices } from "../../../sim/spot/hourly-prices.ts";
import { noiseIn } from "../../../sim/spot/innovations.ts";
import { STEP_MS } from "../../../sim/spot/spot-process.ts";
import { HOUR_MS, pricesOf, spotOf, START, TIMEZONE } from "./support.ts";

const WEEK_MS = 7 * 24 * HOUR_MS;

describe("spot prices in 5-minute steps", () => {
  test("give a point for each node every 5 minutes, in whole cents, in order", () => {
    const points = spotOf(1).advanceTo(START + WEEK_MS);
    expect(points).toHaveLength(2 * WEEK_MS / STEP_MS);
    points.forEach(({ time, node, priceCents }, at) => {
      expect(time).toBe(START + (Math.floor(at / 2) + 1) * STEP_MS);
      expect(node).toBe(at % 2 === 0 ? "NORTH" : "WEST");
      expect(Number.isSafeInteger(priceCents)).toBe(true);
    });
  });

  test("have the hour's price as their mean, to the cent", () => {
    const spot = spotOf(3);
    spot.advanceTo(START + WEEK_MS - 1);
    const hours = new HourlyPrices(SPOT_PARAMETERS, new SeededRandom(3).fork("hours"), TIMEZONE);
    const expected: number[] = [];
    for (let time = START; time < START + WEEK_MS; time += HOUR_MS) {
      hours.step(time);
      expected.push(hours.firstCents, hours.secondCents);
    }
    expect(spot.history(WEEK_MS / HOUR_MS).map(({ priceCents }) => priceCents)).toEqual(expected);
  });

  test("move within the hour, by more in a spike than in usual hours", () => {
    const points = spotOf(2).advanceTo(START + 8 * WEEK_MS);
    const hours = Map.groupBy(points.filter(({ node }) => node === "NORTH"), ({ time }) => Math.floor(time / HOUR_MS));
    const ranges = { base: [] as number[], spike: [] as number[] };
    for (const hour of hours.values()) {
      const prices = hour.map(({ priceCents }) => priceCents);
      const regime = hour.every((point) => point.regime === "spike") ? "spike" : "base";
      ranges[regime].push(Math.max(...prices) - Math.min(...prices));
    }
    const middle = (values: number[]) => values.sort((one, other) => one - other)[values.length >> 1] ?? NaN;
    expect(middle(ranges.base)).toBeGreaterThan(20);
    expect(middle(ranges.spike)).toBeGreaterThan(middle(ranges.base) * 2);
  });

  test("don't depend on the length of each advance, nor do forecasts", () => {
    const [one, other] = [spotOf(4), spotOf(4)];
    const whole = one.advanceTo(START + 2 * HOUR_MS);
    const parts = [START + 1, START + 17 * 60_000, START + HOUR_MS, START + 2 * HOUR_MS].flatMap((time) =>
      other.advanceTo(time)
    );
    expect(parts).toEqual(whole);
    expect(other.advanceTo(START)).toEqual([]);
    const expected = (spot: typeof one) => spot.expectedPrice("WEST", START + 9 * HOUR_MS, START + WEEK_MS, "base");
    expect(expected(one)).toBe(expected(other));
  });

  test("are the same for the same seed, and different for another seed", () => {
    const points = (seed: number) => JSON.stringify(spotOf(seed).advanceTo(START + WEEK_MS));
    expect(points(5)).toBe(points(5));
    expect(points(6)).not.toBe(points(5));
  });

  test("start with the current point in the middle of an hour and of 5 minutes", () => {
    const spot = spotOf(1, { startTime: START + 22 * 60_000 + 7 });
    expect(spot.current("NORTH").time).toBe(START + 20 * 60_000);
    expect(spot.advanceTo(START + 30 * 60_000).map(({ time }) => time)).toEqual(
      [25, 25, 30, 30].map((minutes) => START + minutes * 60_000),
    );
  });

  test("have the latest point as the current one, and a history up to the hour in progress", () => {
    const spot = spotOf(1);
    const points = spot.advanceTo(START + 5 * HOUR_MS + 12 * 60_000);
    expect([spot.current("NORTH"), spot.current("WEST")]).toEqual(points.slice(-2));
    const history = spot.history(3);
    expect(history.map(({ time }) => time)).toEqual([3, 3, 4, 4, 5, 5].map((hour) => START + hour * HOUR_MS));
    const underWay = pricesOf(points, "NORTH").slice(-3);
    expect(history.at(-2)?.priceCents).toBe(Math.round(underWay.reduce((sum, price) => sum + price, 0) / 3));
  });

  test("are congested if the nodes' prices differ by more than a dollar, and otherwise equal", () => {
    const points = spotOf(8).advanceTo(START + 4 * WEEK_MS);
    const differences = { congested: [] as number[], free: [] as number[] };
    for (let at = 0; at < points.length; at += 2) {
      const [first, second] = [points[at], points[at + 1]];
      if (first === undefined || second === undefined) throw new Error("points come in pairs");
      expect(second.congested).toBe(first.congested);
      differences[first.congested ? "congested" : "free"].push(Math.abs(second.priceCents - first.priceCents));
    }
    expect(Math.min(...differences.congested)).toBeGreaterThan(100);
    expect(Math.max(...differences.free)).toBeLessThanOrEqual(100);
    expect(differences.free.length).toBeGreaterThan(differences.congested.length * 0.5);
  });

  test("reject an unknown node, one node twice, an unknown time zone and an advance of a century", () => {
    expect(() => spotOf(1).current("EAST")).toThrow("unknown node EAST");
    expect(() => spotOf(1, { nodes: ["NORTH", "NORTH"] })).toThrow("different names");
    expect(() => spotOf(1, { timezone: "Nowhere/Land" })).toThrow(RangeError);
    expect(() => spotOf(1).advanceTo(START + 100 * 365 * 24 * HOUR_MS)).toThrow("at a time");
    expect(() => spotOf(1).advanceTo(NaN)).toThrow("at a time");
  });
});

describe("the first hour of a day", () => {
  const noise = noiseIn(SPOT_PARAMETERS);
  const { sd, most } = SPOT_PARAMETERS.turbulence;

  /** What the model remembers after the hour, if one random number is larger by one than 0. */
  function after(draw: string) {
    const hours = new HourlyPrices(SPOT_PARAMETERS, new SeededRandom(1), TIMEZONE);
    for (const draws of [hours.nextDay, hours.nextHour] as unknown as Record<string, number>[]) {
      for (const name in draws) draws[name] = name === draw ? 1 : 0;
    }
    hours.turbulence = 0;
    hours.step(START);
    const { levelLog, tightness, turbulence, baseLog, spikeSize, dropSize, spreadSize } = hours;
    return { levelLog, tightness, turbulence, baseLog, spikeSize, dropSize, spreadSize };
  }

  test.each([
    ["level", { levelLog: noise.level }],
    ["tightness", { tightness: noise.tightness }],
    ["turbulence", { turbulence: noise.turbulence }],
    ["base", { baseLog: noise.base * Math.min(most, Math.exp(-(sd ** 2))) }],
    ["size", { spikeSize: noise.spike, dropSize: noise.drop }],
    ["spread", { spreadSize: noise.spread }],
  ])("uses the random number of %s for that alone", (draw, moved: Record<string, number>) => {
    const [usual, other] = [after(""), after(draw)];
    for (const [name, value] of Object.entries(other)) {
      expect([name, value - usual[name as keyof typeof usual]]).toEqual([name, expect.closeTo(moved[name] ?? 0, 12)]);
    }
  });
});
