// The order of an entity's positions, and which of them add up.

import { expect, test } from "bun:test";
import { marketDefinition } from "../../../engine/definition/market-definition.ts";
import { EngineDriver } from "../support/engine-driver.ts";
import { smallMarket, USERS } from "../support/market.ts";

const { alpha, beta } = USERS;

/** Contracts at NORTH, listed in this order: [id, start, end, hours]. */
const CONTRACTS: [string, string, string, number][] = [
  ["B", "12:00", "13:00", 1],
  ["LATER", "13:00", "14:00", 1],
  ["A", "12:00", "13:00", 1],
  ["LONG", "12:00", "14:00", 1],
  ["HALF", "12:00", "13:00", 0.5],
];

function traded(ids: readonly string[]) {
  const definition = smallMarket();
  const contracts = CONTRACTS.map(([id, start, end, hours]) => ({
    ...{ id, code: id, name: id, productId: "N-HOUR", hours },
    deliveryStart: `2026-01-20T${start}:00Z`,
    deliveryEnd: `2026-01-20T${end}:00Z`,
  }));
  const markets = definition.markets.map((market) => ({ ...market, keepDeliveredHours: 0 }));
  const engine = new EngineDriver(marketDefinition.parse({ ...definition, markets, contracts }));
  for (const [at, contractId] of ids.entries()) {
    engine.sell(beta, { contractId, price: 1_000, quantity: at + 1 });
    engine.buy(alpha, { contractId, price: 1_000, quantity: at + 1 });
  }
  return { engine, report: (entity = "ALPHA") => engine.engine.positions(entity, engine.now)! };
}

test("positions are in the order of their delivery, and of their ids if that is the same", () => {
  const ids = traded(["LATER", "B", "LONG", "A"]).report().positions.map(({ contractId }) => contractId);
  expect(ids).toEqual(["A", "B", "LONG", "LATER"]);
});

test.each<[string, string[], number | null]>([
  ["of one delivery add up", ["A", "B"], 3],
  ["of none are nothing", [], 0],
  ["of deliveries that begin at other times don't add up", ["A", "LATER"], null],
  ["of deliveries that end at other times don't add up", ["A", "LONG"], null],
  ["of deliveries that take other times between them don't add up", ["A", "HALF"], null],
])("megawatts %s", (_, ids, expected) => {
  const { report } = traded(ids);
  const { netQuantity, netEnergy } = report().totals;
  const quantity = ids.reduce((sum, id, at) => sum + (at + 1) * CONTRACTS.find(([other]) => other === id)![3], 0);
  expect([netQuantity, netEnergy]).toEqual([expected, quantity]);
  expect([report("BETA").totals.netQuantity, report("BETA").totals.netEnergy])
    .toEqual([expected === null ? null : 0 - expected, 0 - quantity]);
});

test("what has left the market is settled: how many contracts, and what they gave", () => {
  const { engine, report } = traded(["A", "B", "LATER"]);
  expect(report().totals.settled).toEqual({ contracts: 0, profit: 0 });
  engine.advanceTo("2026-01-20T12:30:00Z");
  const price = { node: "NORTH", price: 3_000, regime: "base" as const, time: "2026-01-20T12:30:00Z" };
  engine.execute(USERS.publisher, "spot.publish", { prices: [price] });
  engine.advanceTo("2026-01-20T13:30:00Z");
  // Three MWh, bought at 10 dollars and delivered at 30.
  expect(report().totals.settled).toEqual({ contracts: 2, profit: 60 });
  expect(report("BETA").totals.settled).toEqual({ contracts: 2, profit: -60 });
  expect(report().positions.map(({ contractId }) => contractId)).toEqual(["LATER"]);
  engine.advanceTo("2026-01-20T14:30:00Z");
  expect([report().totals.settled.contracts, report().positions]).toEqual([3, []]);
  expect(report("GAMMA").totals.settled).toEqual({ contracts: 0, profit: 0 });
});

test("megawatts of what was sold again, or delivered, don't count, so the others may add up", () => {
  const { engine, report } = traded(["A", "LATER", "LONG"]);
  engine.buy(beta, { contractId: "LONG", price: 1_500, quantity: 3 });
  engine.sell(alpha, { contractId: "LONG", price: 1_500, quantity: 3 });
  expect([report().totals.netQuantity, report().totals.netEnergy]).toEqual([null, 3]);
  expect(report().positions.find(({ contractId }) => contractId === "LONG")).toMatchObject({
    ...{ netQuantity: 0, boughtQuantity: 3, soldQuantity: 3, averagePrice: null, cash: 15 },
    ...{ realisedProfit: 15, unrealisedProfit: 0 },
  });
  engine.advanceTo("2026-01-20T13:00:00Z");
  expect([report().totals.netQuantity, report().totals.netEnergy, report("BETA").totals.netQuantity])
    .toEqual([2, 2, -2]);
});

test.each<[prices: number[], mark: number]>([
  [[1, 1, 0], 0.666667],
  [[-1, -1, 0], -0.666667],
  [[1, 0, 0], 0.333333],
  [[2, 4], 3],
  [[-5], -5],
])("the mark of a delivery with spot prices %j is their mean, rounded", (prices, mark) => {
  const { engine, report } = traded(["A"]);
  engine.advanceTo("2026-01-20T12:00:00Z");
  const time = "2026-01-20T12:00:00Z";
  const published = prices.map((price) => ({ node: "NORTH", price, regime: "base" as const, time }));
  engine.execute(USERS.publisher, "spot.publish", { prices: published });
  expect(report().positions).toMatchObject([{ mark, markSource: "spot" }]);
});
