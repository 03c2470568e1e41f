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
])("megawatts %s", (_, ids, expected) => {
  const { report } = traded(ids);
  const { netQuantity, netEnergy } = report().totals;
  const quantity = ids.reduce((sum, _, at) => sum + at + 1, 0);
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
