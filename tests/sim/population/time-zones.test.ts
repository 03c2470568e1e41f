// A simulation of markets in two time zones: NORTH is in Berlin, which comes first, and WEST in Chicago, 7 hours behind.

import { describe, expect, test } from "bun:test";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import type { MarketDefinition } from "../../../engine/definition/market-definition.ts";
import { presetExperiment } from "../../../sim/experiment/read-experiment.ts";
import { contractsBetween } from "../../../sim/facts/contracts.ts";
import { tradesByHour } from "../../../sim/facts/activity.ts";
import { BUSY_HOURS } from "../../../sim/spot/busy-hours.ts";
import { marketSpotPrices } from "../../../sim/spot/market-spot.ts";
import { NodeCalendars } from "../../../sim/spot/node-calendars.ts";
import type { SpotPrices } from "../../../sim/spot/spot-prices.ts";
import { PhysicalAssets } from "../../../sim/personas/physical/physical-assets.ts";
import { Population } from "../../../sim/population/population.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { RunDigest } from "../../../sim/report/run-digest.ts";
import { handMadeTape, START as TAPE_START, tradesOf } from "../../scripts/facts/support.ts";
import { constantSpot, HOUR, tradedContracts } from "../personas/support.ts";

const ZONES = { BERLIN: "Europe/Berlin", CHICAGO: "America/Chicago" };
const HOURS_BETWEEN = 7;
/** Midnight in Berlin; a Monday, in winter. */
const START = Date.parse("2026-01-04T23:00:00Z");
const OFFSETS = { NORTH: 1, WEST: 1 - HOURS_BETWEEN };

const markets = (names: readonly (keyof typeof ZONES)[]): MarketDefinition => {
  const definition = builtInMarket();
  const marketOf = (node: string) => names.length === 1 ? names[0]! : node === "NORTH" ? "BERLIN" : "CHICAGO";
  return {
    ...definition,
    markets: names.map((id) => ({
      ...definition.markets[0]!,
      id,
      code: id,
      timezone: ZONES[id],
      nodes: ["NORTH", "WEST"].filter((node) => marketOf(node) === id),
    })),
    products: definition.products.map((product) => ({ ...product, marketId: marketOf(product.node) })),
  };
};
const BOTH = markets(["BERLIN", "CHICAGO"]);

/** The expected prices of the hours of a day in some weeks, from midnight in the node's own time zone. */
function dayAt(spot: SpotPrices, node: "NORTH" | "WEST"): number[] {
  const midnight = START + 21 * 24 * HOUR + (1 - OFFSETS[node]) * HOUR;
  return Array.from({ length: 24 }, (_, hour) => {
    const from = midnight + hour * HOUR;
    return spot.expectedPrice(node, from, from + HOUR, "base");
  });
}

const cheapest = (prices: readonly number[]) => prices.indexOf(Math.min(...prices));

describe("the spot prices of nodes in two time zones", () => {
  const spot = marketSpotPrices(BOTH, 1, START);

  test("follow the day of each node's own market", () => {
    const aloneIn = (market: keyof typeof ZONES) => marketSpotPrices(markets([market]), 1, START);
    expect([cheapest(dayAt(spot, "NORTH")), cheapest(dayAt(spot, "WEST"))]).toEqual([
      cheapest(dayAt(aloneIn("BERLIN"), "NORTH")),
      cheapest(dayAt(aloneIn("CHICAGO"), "WEST")),
    ]);
  });

  test.each(["NORTH", "WEST"] as const)("count the peak hours of %s in its own time zone", (node) => {
    const midnight = START + 21 * 24 * HOUR + (1 - OFFSETS[node]) * HOUR;
    const hours = dayAt(spot, node).slice(6, 22);
    const mean = hours.reduce((sum, price) => sum + price, 0) / hours.length;
    const peak = spot.expectedPrice(node, midnight, midnight + 24 * HOUR, "peak");
    expect(Math.abs(peak - mean)).toBeLessThan(1);
  });

  test("have a point of each node for each five minutes, and events at one node or both", () => {
    const prices = marketSpotPrices(BOTH, 2, START);
    const both = prices.trigger({ type: "fuel_shock", node: null, size: 1, durationHours: 100 });
    const one = prices.trigger({ type: "fuel_shock", node: "WEST", size: 1, durationHours: 1 });
    expect(prices.activeEvents.map(({ id, node }) => [id, node])).toEqual([[both.id, null], [one.id, "WEST"]]);
    expect(prices.fuelFactor("WEST")).toBeGreaterThan(prices.fuelFactor("NORTH"));
    expect(prices.fuelFactor("NORTH")).toBeGreaterThan(1);
    const points = prices.advanceTo(START + 2 * HOUR);
    expect(points.slice(0, 4).map(({ time, node }) => [(time - START) / 60_000, node])).toEqual([
      [5, "NORTH"],
      [5, "WEST"],
      [10, "NORTH"],
      [10, "WEST"],
    ]);
    expect(points).toHaveLength(48);
    expect(prices.history(3).map(({ node }) => node)).toEqual(["NORTH", "WEST", "NORTH", "WEST", "NORTH", "WEST"]);
    expect(prices.activeEvents.map(({ id }) => id)).toEqual([both.id]);
    expect(() => prices.current("EAST")).toThrow(new RangeError("unknown node EAST"));
    expect(() => prices.trigger({ type: "fuel_shock", node: "EAST", size: 1, durationHours: 1 })).toThrow(
      /NORTH, WEST/,
    );
  });
});

test.each([[10, 3], [21, 14]])(
  "at %d h in Berlin and %d h in Chicago traders trade most where it is day",
  (berlin, chicago) => {
    const spot = constantSpot(() => 4_000);
    const population = new Population({
      market: BOTH,
      settings: presetExperiment("thin"),
      seed: 1,
      spot,
      startTime: START,
    });
    const time = START + berlin * HOUR;
    for (const contract of tradedContracts(BOTH, time)) population.listed(contract, time);
    const weights = { NORTH: 0, WEST: 0 };
    for (const random = new SeededRandom(1), draws = { left: 20_000 }; draws.left > 0; draws.left--) {
      weights[population.profile.pick(time, random)?.node as "NORTH" | "WEST"] += 1;
    }
    // The two markets list the same contracts, at most a day apart.
    const expected = BUSY_HOURS[chicago]! / BUSY_HOURS[berlin]!;
    expect(weights.WEST / weights.NORTH / expected).toBeWithin(0.7, 1.4);
  },
);

test("a retailer's customers use power by the hours of their node", () => {
  const spot = marketSpotPrices(BOTH, 1, START);
  const calendars = NodeCalendars.of(BOTH);
  const assets = new PhysicalAssets({ spot, nodes: ["NORTH", "WEST"], calendars, startTime: START });
  const [north, west] = [0, 1].map(() => assets.addLoad({ load: 100_000, tariff: 5_000 }));
  const loads = (load: typeof north, from: number) =>
    Array.from({ length: 24 }, (_, hour) => load?.loadAt(from + hour * HOUR));
  expect(loads(west, START + HOURS_BETWEEN * HOUR)).toEqual(loads(north, START));
});

test("trades and prices are counted by the hour of the day at their node", () => {
  const definition = BOTH;
  const contracts = contractsBetween(definition, TAPE_START, TAPE_START + 48 * HOUR);
  const contractAt = (node: string) => [...contracts.values()].find((each) => each.node === node)?.id ?? "";
  /** 09:30 in each. */
  const times = { NORTH: Date.parse("2026-03-02T08:30:00Z"), WEST: Date.parse("2026-03-02T15:30:00Z") };
  const trade = (node: keyof typeof times) =>
    [contractAt(node), tradesOf([{ afterMs: times[node] - TAPE_START, price: 1 }])] as const;
  const tape = handMadeTape({ definition, contracts, trades: new Map([trade("NORTH"), trade("WEST")]) });
  const { trades } = tradesByHour(tape);
  expect([...trades].flatMap((mean, hour) => mean > 0 ? [[hour, mean]] : [])).toEqual([[9, 1]]);

  const digest = new RunDigest({
    start: TAPE_START,
    timezone: "Europe/Berlin",
    calendars: NodeCalendars.of(definition),
    nodes: ["NORTH", "WEST"],
    bookTimes: null,
  });
  for (const node of ["NORTH", "WEST"] as const) {
    digest.append("spot", times[node], [times[node], node, 4_000, "base"]);
  }
  const counted = digest.spot.nodes.map(({ hours }) => hours.flatMap(({ count }, hour) => count > 0 ? [hour] : []));
  expect(counted).toEqual([[9], [9]]);
});
