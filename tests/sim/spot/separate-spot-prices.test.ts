// Two nodes in two time zones have prices of their own: an event acts where it is said to, and is announced there alone.

import { expect, test } from "bun:test";
import { marketSpotPrices } from "../../../sim/spot/market-spot.ts";
import { HOUR_MS, START } from "./support.ts";

const NODES = ["NORTH", "WEST"] as const;
const DAY = 24 * HOUR_MS;

function prices() {
  const markets = [{ timezone: "America/Chicago", nodes: ["NORTH"] }, { timezone: "Europe/Berlin", nodes: ["WEST"] }];
  const spot = marketSpotPrices({ markets, products: [] }, 1, START);
  spot.advanceTo(START + HOUR_MS);
  const now = () => ({
    expected: NODES.map((node) => spot.expectedPrice(node, START + 2 * HOUR_MS, START + DAY, "base")),
    before: NODES.map((node) => spot.priceBeforeAnnouncements(node, START + 2 * HOUR_MS, START + DAY, "base")),
    fuel: NODES.map((node) => spot.fuelFactor(node)),
    announcements: spot.announcements,
    vintage: spot.vintage,
  });
  return { spot, now };
}

test.each<[string | null, boolean, boolean]>([["NORTH", true, false], ["WEST", false, true], [null, true, true]])(
  "a fuel shock at %s acts on that node, and is told as an announcement",
  (node, isNorth, isWest) => {
    const { spot, now } = prices();
    const first = now();
    expect([first.fuel, first.before]).toEqual([[1, 1], first.expected]);
    spot.trigger({ type: "fuel_shock", node, size: 3, durationHours: 48 });
    spot.reprice();
    const after = now();
    const acts = [isNorth, isWest];
    expect(after.fuel.map((factor) => factor > 1)).toEqual(acts);
    expect(after.expected.map((price, at) => price !== first.expected[at])).toEqual(acts);
    expect(after.before).toEqual(first.expected);
    expect(after.announcements).toBeGreaterThan(first.announcements);
    expect(after.vintage).toBeGreaterThan(first.vintage);
    expect(spot.activeEvents).toHaveLength(1);
    spot.advanceTo(START + 10 * DAY);
    expect([now().fuel, spot.activeEvents.length]).toEqual([[1, 1], 0]);
  },
);

test("the points of both nodes come in the order of time, never congested, and an unknown node is none", () => {
  const { spot } = prices();
  const points = spot.advanceTo(START + 2 * HOUR_MS);
  expect(points.map(({ node }) => node)).toEqual(Array.from({ length: 24 }, (_, at) => NODES[at % 2]!));
  expect(points.every(({ time }, at) => at === 0 || time >= points[at - 1]!.time)).toBe(true);
  expect([...points, ...spot.history(2), spot.current("WEST")].some(({ congested }) => congested)).toBe(false);
  expect(points[0]!.priceCents).not.toBe(points[1]!.priceCents);
  expect(() => spot.current("EAST")).toThrow(RangeError);
});
