// What a backend may leave out of an entity's positions, or not know.

import { expect, test } from "bun:test";
import { contractPosition, positionTotals } from "../../protocol/positions.ts";

const PROFITS = { realisedProfit: 1, unrealisedProfit: 2, profit: 3 };
const POSITION = {
  ...{ contractId: "C", deliveryStart: "2026-01-15T00:00:00Z", deliveryEnd: "2026-01-16T00:00:00Z", cash: 1, mark: 2 },
  ...{ netQuantity: 0, netEnergy: 0, boughtQuantity: 5, soldQuantity: 5, markSource: "spot", ...PROFITS },
};

test("a flat position has no average price, and nobody must say its node or time zone, or credit that is hidden", () => {
  const flat = { ...POSITION, averagePrice: null, creditUsed: null };
  expect(contractPosition.parse(flat)).toEqual(flat as never);
  expect(contractPosition.safeParse({ ...flat, averagePrice: undefined }).success).toBe(false);
});

test("contracts of several delivery times have no net quantity together", () => {
  const settled = { contracts: 2, profit: -1 };
  const totals = { netQuantity: null, netEnergy: 4, cash: 1, ...PROFITS, creditUsed: null, settled };
  expect(positionTotals.parse(totals)).toEqual(totals as never);
});
