import { expect, test } from "bun:test";
import { marketSpotPrices, spotNodes } from "../../../sim/spot/market-spot.ts";
import { HOUR_MS, START, TIMEZONE } from "./support.ts";

const DAY_MS = 24 * HOUR_MS;
const markets = [{ timezone: TIMEZONE, nodes: ["NORTH", "WEST"] }];

test("spot prices and forecasts end at the least and the greatest price limit of the market's products", () => {
  const products = [{ minimumPrice: 1000, maximumPrice: 4000 }, { minimumPrice: 1500, maximumPrice: 5000 }];
  const spot = marketSpotPrices({ markets, products }, 1, START);
  spot.trigger({ type: "heat_wave", node: null, size: 5, durationHours: 48 });
  const prices = spot.advanceTo(START + DAY_MS).map(({ priceCents }) => priceCents);
  expect(Math.max(...prices)).toBe(5000);
  spot.trigger({ type: "demand_drop", node: null, size: 5, durationHours: 1000 });
  for (const point of spot.advanceTo(START + 20 * DAY_MS)) prices.push(point.priceCents);
  expect(Math.min(...prices)).toBe(1000);
  for (let hour = 1; hour < 100; hour++) {
    const from = START + 20 * DAY_MS + hour * HOUR_MS;
    const expected = spot.expectedPrice("WEST", from, from + HOUR_MS, "base");
    expect(expected).toBeGreaterThanOrEqual(1000);
    expect(expected).toBeLessThanOrEqual(5000);
  }
});

test("the model's own price limits hold in a market with wider ones", () => {
  const products = [{ minimumPrice: -9_000_000, maximumPrice: 9_000_000 }];
  const spot = marketSpotPrices({ markets, products }, 1, START);
  for (let shock = 0; shock < 3; shock++) {
    spot.trigger({ type: "fuel_shock", node: null, size: 5, durationHours: 8760 });
  }
  const prices = spot.advanceTo(START + 2 * DAY_MS).map(({ priceCents }) => priceCents);
  expect(Math.max(...prices)).toBe(500_000);
});

test("the nodes with spot prices are the first two of all markets, each once, or the only one", () => {
  const nodesOf = (...nodes: string[][]) =>
    spotNodes({ products: [], markets: nodes.map((each) => ({ timezone: TIMEZONE, nodes: each })) });
  expect(nodesOf(["A", "B", "C"])).toEqual(["A", "B"]);
  expect(nodesOf(["A"], ["A", "B"], ["C"])).toEqual(["A", "B"]);
  expect([nodesOf(["A"]), nodesOf([])]).toEqual([["A"], []]);
});
