// Positions of entities by hand: N-H12 is one hour, so 1 MW at 100 cents/MWh is one dollar.

import { describe, expect, test } from "bun:test";
import type { ContractPosition, EntityPositions } from "../../../protocol/index.ts";
import { EngineDriver } from "../support/engine-driver.ts";
import { USERS } from "../support/market.ts";

const { alpha, beta, gamma, publisher } = USERS;
const DELIVERY = "2026-01-20T17:00:00Z";
const HALF = "2026-01-20T17:30:00Z";
const DELIVERED = "2026-01-20T18:00:00Z";
const REMOVED = "2026-01-23T18:00:00Z";

function positionsOf(engine: EngineDriver, entityId: string): EntityPositions {
  const positions = engine.engine.positions(entityId, engine.now);
  if (positions === undefined) throw new Error(`there is no entity ${entityId}`);
  return positions;
}

function positionOf(engine: EngineDriver, entityId: string, contractId = "N-H12"): ContractPosition {
  const found = positionsOf(engine, entityId).positions.find((position) => position.contractId === contractId);
  if (found === undefined) throw new Error(`${entityId} has no position in ${contractId}`);
  return found;
}

/** `buyer` buys from `seller`, whose order rests. */
function trade(engine: EngineDriver, buyer: string, seller: string, price: number, quantity: number): void {
  expect(engine.sell(seller, { price, quantity }).outcome).toBe("ok");
  expect(engine.buy(buyer, { price, quantity }).outcome).toBe("ok");
}

function publish(engine: EngineDriver, node: string, ...prices: number[]): void {
  const time = new Date(engine.now).toISOString();
  const published = prices.map((price) => ({ node, price, regime: "base" as const, time }));
  expect(engine.execute(publisher, "spot.publish", { prices: published }).outcome).toBe("ok");
}

describe("a position", () => {
  test("has net and traded quantity, average price, cash, profit and used credit", () => {
    const engine = new EngineDriver();
    trade(engine, alpha, beta, 5000, 10);
    trade(engine, alpha, gamma, 5300, 20);
    trade(engine, beta, alpha, 5500, 5);
    expect(positionOf(engine, "ALPHA")).toEqual({
      contractId: "N-H12",
      node: "NORTH",
      deliveryStart: "2026-01-20T17:00:00.000Z",
      deliveryEnd: "2026-01-20T18:00:00.000Z",
      timezone: "America/New_York",
      netQuantity: 25,
      netEnergy: 25,
      boughtQuantity: 30,
      soldQuantity: 5,
      averagePrice: 5200,
      cash: -1285,
      mark: 5500,
      markSource: "trade",
      realisedProfit: 15,
      unrealisedProfit: 75,
      profit: 90,
      creditUsed: 1835,
    });
    expect(positionsOf(engine, "ALPHA").totals).toEqual({
      netQuantity: 25,
      netEnergy: 25,
      cash: -1285,
      realisedProfit: 15,
      unrealisedProfit: 75,
      profit: 90,
      creditUsed: 1835,
      settled: { contracts: 0, profit: 0 },
    });
    expect(positionOf(engine, "BETA")).toMatchObject({ netQuantity: -5, averagePrice: 5000, profit: -50 });
    expect(positionOf(engine, "GAMMA")).toMatchObject({ netQuantity: -20, averagePrice: 5300, profit: -40 });
  });

  test("does not exist before the first trade, nor for an unknown entity", () => {
    const engine = new EngineDriver();
    engine.buy(alpha, { price: 1, quantity: 1 });
    expect(positionsOf(engine, "ALPHA")).toMatchObject({ positions: [], totals: { netQuantity: 0, profit: 0 } });
    expect(engine.engine.positions("NOBODY", engine.now)).toBeUndefined();
  });

  test("comes in the order of delivery, and MW of different deliveries have no sum", () => {
    const engine = new EngineDriver();
    const inSouth = { contractId: "S-PK", price: 100, quantity: 2 };
    engine.sell(beta, inSouth);
    engine.buy(alpha, inSouth);
    trade(engine, alpha, beta, 100, 1);
    const { positions, totals } = positionsOf(engine, "ALPHA");
    expect(positions.map(({ contractId }) => contractId)).toEqual(["N-H12", "S-PK"]);
    expect(totals).toMatchObject({ netQuantity: null, netEnergy: 1 + 2 * 16, cash: -33, creditUsed: 33 });
  });
});

describe("the mark of a position", () => {
  function marked(engine: EngineDriver): [source: string, mark: number] {
    const { markSource, mark } = positionOf(engine, "ALPHA");
    return [markSource, mark];
  }

  test("is the mid of the book if it has two sides that don't cross, otherwise the last price", () => {
    const engine = new EngineDriver();
    trade(engine, alpha, beta, 5000, 1);
    expect(marked(engine)).toEqual(["trade", 5000]);
    engine.buy(alpha, { price: 4901, quantity: 1 });
    expect(marked(engine)).toEqual(["trade", 5000]);
    const ask = engine.sell(beta, { price: 4904, quantity: 1 }).orderId;
    expect(marked(engine)).toEqual(["book", 4902.5]);
    engine.execute(beta, "order.cancel", { orderId: ask });
    expect(engine.setDocuments(beta, "BETA:ALPHA", "no_docs").outcome).toBe("ok");
    engine.sell(beta, { price: 4901, quantity: 1 });
    expect(marked(engine)).toEqual(["trade", 5000]);
  });

  test("counts a spot price when it is published, whatever its own time says", () => {
    const engine = new EngineDriver();
    trade(engine, alpha, beta, 5000, 1);
    const publishFor = (time: string, price: number) => {
      const prices = [{ node: "NORTH", price, regime: "base" as const, time: new Date(time).toISOString() }];
      expect(engine.execute(publisher, "spot.publish", { prices }).outcome).toBe("ok");
    };
    publishFor(HALF, 9000);
    engine.advanceTo(DELIVERY);
    publishFor("2020-01-01T00:00:00Z", 6000);
    expect(marked(engine)).toEqual(["spot", 6000]);
  });

  test("is the mean of the spot prices of its node from the start of delivery to its end", () => {
    const engine = new EngineDriver();
    trade(engine, alpha, beta, 5000, 1);
    engine.buy(alpha, { price: 4901, quantity: 1 });
    engine.sell(beta, { price: 4904, quantity: 1 });
    publish(engine, "NORTH", 9000);
    engine.advanceTo(DELIVERY);
    expect(marked(engine)).toEqual(["trade", 5000]);
    publish(engine, "SOUTH", 9000);
    expect(marked(engine)).toEqual(["trade", 5000]);
    publish(engine, "NORTH", 6000);
    engine.advanceTo(HALF);
    publish(engine, "NORTH", 6001, -3000);
    expect(marked(engine)).toEqual(["spot", 3000.333333]);
    expect(positionOf(engine, "ALPHA")).toMatchObject({ realisedProfit: 0, unrealisedProfit: -19.9967 });
    engine.now = Date.parse(DELIVERED);
    publish(engine, "NORTH", 9000);
    expect(marked(engine)).toEqual(["spot", 3000.333333]);
  });
});

test("an average price is shown to six decimals of a cent/MWh, and a trade that reduces the position keeps it", () => {
  const engine = new EngineDriver();
  trade(engine, alpha, beta, 1, 1);
  trade(engine, alpha, beta, 2, 2);
  expect(positionOf(engine, "ALPHA").averagePrice).toBe(1.666667);
  trade(engine, beta, alpha, 2, 1);
  expect(positionOf(engine, "ALPHA")).toMatchObject({ netQuantity: 2, averagePrice: 1.666667, cash: -0.03 });
});

describe("the end of delivery", () => {
  test("settles a position at its mark: all profit is realised and no credit is used", () => {
    const engine = new EngineDriver();
    trade(engine, alpha, beta, 5000, 10);
    engine.advanceTo(DELIVERY);
    publish(engine, "NORTH", 6000);
    expect(positionOf(engine, "ALPHA")).toMatchObject({ realisedProfit: 0, unrealisedProfit: 100, creditUsed: 500 });
    engine.advanceTo(DELIVERED);
    expect(positionOf(engine, "ALPHA")).toMatchObject({
      netQuantity: 10,
      realisedProfit: 100,
      unrealisedProfit: 0,
      profit: 100,
      creditUsed: 0,
    });
    expect(positionsOf(engine, "ALPHA").totals).toMatchObject({ netQuantity: 0, netEnergy: 0, profit: 100 });
  });

  test("keeps in the totals what a position that was closed before delivery has earned, beside one that was not", () => {
    const engine = new EngineDriver();
    trade(engine, alpha, beta, 5000, 10);
    trade(engine, gamma, alpha, 5600, 10);
    const inSouth = { contractId: "S-PK", price: 100, quantity: 2 };
    engine.sell(beta, inSouth);
    engine.buy(alpha, inSouth);
    engine.advanceTo(REMOVED);
    expect(positionsOf(engine, "ALPHA").totals).toMatchObject({ profit: 60, settled: { contracts: 1, profit: 60 } });
    engine.advanceTo("2026-01-25T04:00:00Z");
    for (const driver of [engine, EngineDriver.restored(engine)]) {
      const results = ["ALPHA", "BETA", "GAMMA"].map((id) => {
        const { cash, realisedProfit, unrealisedProfit, settled } = positionsOf(driver, id).totals;
        return [cash, realisedProfit, unrealisedProfit, settled.profit, settled.contracts];
      });
      expect(results).toEqual([[28, 60, 0, 60, 2], [532, -60, 0, -60, 2], [-560, 0, 0, 0, 1]]);
    }
  });

  test("becomes a settled result when the contract leaves the market, and totals stay the same", () => {
    const engine = new EngineDriver();
    trade(engine, alpha, beta, 5000, 10);
    engine.advanceTo(DELIVERY);
    publish(engine, "NORTH", 6000, 6000, 6001);
    engine.advanceTo(DELIVERED);
    const { totals } = positionsOf(engine, "ALPHA");
    engine.advanceTo(REMOVED);
    const after = positionsOf(engine, "ALPHA");
    expect(after.positions).toEqual([]);
    expect(after.totals).toEqual({ ...totals, settled: { contracts: 1, profit: totals.profit } });
    expect(after.totals).toMatchObject({ cash: -500, profit: 100.0333 });
    const restored = EngineDriver.restored(engine);
    expect(positionsOf(restored, "BETA").totals).toEqual(positionsOf(engine, "BETA").totals);
    expect(positionsOf(restored, "BETA").totals).toMatchObject({ cash: 500, profit: -100.0333 });
    expect(positionsOf(engine, "GAMMA").totals.settled).toEqual({ contracts: 0, profit: 0 });
  });
});
