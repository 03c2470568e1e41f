// What each trade leaves: in both orders, in the contract, in the positions and credit of both sides, and as numbers.

import { expect, test } from "bun:test";
import { EngineDriver } from "../support/engine-driver.ts";
import { USERS } from "../support/market.ts";

const { alpha, beta, gamma } = USERS;
const SOUTH = { contractId: "S-PK" };

test("several trades of one contract add up, in its volume, its positions, its orders and the used credit", () => {
  const engine = new EngineDriver();
  engine.sell(alpha, { ...SOUTH, price: 100, quantity: 4.5 });
  const volumes = [];
  for (const [user, price, quantity] of [[beta, 110, 1.5], [gamma, 100, 0.5], [beta, 120, 2]] as const) {
    engine.buy(user, { ...SOUTH, price, quantity });
    volumes.push(engine.module("ENGINE", "ENG-S-PK").tradedQuantity);
  }
  expect(volumes).toEqual([1.5, 2, 4]);
  expect(engine.module("ENGINE", "ENG-N-H12")).toMatchObject({ tradedQuantity: 0, lastPrice: null });
  expect(engine.module("ENGINE", "ENG-S-PK")).toMatchObject({ lastPrice: 100, asks: [{ price: 100, volume: 0.5 }] });
  expect(engine.order("ORD-1")).toMatchObject({ status: "partial", filledQuantity: 4, remainingQuantity: 0.5 });
  expect([2, 3, 4].map((number) => engine.order(`ORD-${number}`))).toMatchObject([
    { status: "filled", filledQuantity: 1.5, averagePrice: 100, closeReason: "filled" },
    { status: "filled", filledQuantity: 0.5, averagePrice: 100, closeReason: "filled" },
    { status: "filled", filledQuantity: 2, averagePrice: 100, closeReason: "filled" },
  ]);
  // 16 hours, 1 dollar/MWh.
  const used = (of: string, counterparty: string) => engine.credit(of, counterparty);
  expect([used("ALPHA", "BETA"), used("BETA", "ALPHA")]).toMatchObject(
    Array(2).fill({ usedMw: 3.5, usedMwh: 56, usedNotional: 56 }),
  );
  expect([used("ALPHA", "GAMMA"), used("BETA", "GAMMA")]).toMatchObject([
    { usedMw: 0.5, usedMwh: 8, usedNotional: 8 },
    { usedMw: 0, usedMwh: 0, usedNotional: 0 },
  ]);
  const nets = ["ALPHA", "BETA", "GAMMA"].map((id) => engine.engine.positions(id, engine.now)!.positions[0]);
  expect(nets).toMatchObject([
    { contractId: "S-PK", netQuantity: -4 },
    { contractId: "S-PK", netQuantity: 3.5 },
    { contractId: "S-PK", netQuantity: 0.5 },
  ]);
});

test("trades and fills are numbered through, the resting order's fill first, whichever side it is on", () => {
  const engine = new EngineDriver();
  engine.sell(alpha, { price: 7, quantity: 1 });
  engine.buy(beta, { price: 9, quantity: 3 });
  engine.sell(gamma, { price: 5, quantity: 1 });
  engine.buy(alpha, { ...SOUTH, price: -5, quantity: 1 });
  engine.sell(beta, { ...SOUTH, price: -10, quantity: 2 });
  expect(
    engine.all("TRADE").map((
      { id, price, aggressorSide, buyOrderId, sellOrderId, buyEntityId, sellEntityId },
    ) => [id, price, aggressorSide, buyOrderId, sellOrderId, buyEntityId, sellEntityId]),
  ).toEqual([
    ["TRD-1", 7, 0, "ORD-2", "ORD-1", "BETA", "ALPHA"],
    ["TRD-2", 9, 1, "ORD-2", "ORD-3", "BETA", "GAMMA"],
    ["TRD-3", -5, 1, "ORD-4", "ORD-5", "ALPHA", "BETA"],
  ]);
  expect(
    engine.all("FILL").map((
      { id, tradeId, orderId, side, liquidity, entityId, counterpartyId },
    ) => [id, tradeId, orderId, side, liquidity, entityId, counterpartyId]),
  ).toEqual([
    ["FIL-1", "TRD-1", "ORD-1", 1, "resting", "ALPHA", "BETA"],
    ["FIL-2", "TRD-1", "ORD-2", 0, "aggressor", "BETA", "ALPHA"],
    ["FIL-3", "TRD-2", "ORD-2", 0, "resting", "BETA", "GAMMA"],
    ["FIL-4", "TRD-2", "ORD-3", 1, "aggressor", "GAMMA", "BETA"],
    ["FIL-5", "TRD-3", "ORD-4", 0, "resting", "ALPHA", "BETA"],
    ["FIL-6", "TRD-3", "ORD-5", 1, "aggressor", "BETA", "ALPHA"],
  ]);
});

test("an average price weighs each fill by its quantity, also if the order is changed between them", () => {
  const engine = new EngineDriver();
  engine.buy(alpha, { price: 10, quantity: 5 });
  engine.sell(beta, { price: 10, quantity: 1 });
  expect(engine.order("ORD-1")).toMatchObject({ averagePrice: 10, filledQuantity: 1, remainingQuantity: 4 });
  engine.execute(alpha, "order.modify", { orderId: "ORD-1", price: 20, quantity: 4 });
  expect(engine.order("ORD-1")).toMatchObject({ averagePrice: 10, filledQuantity: 1, remainingQuantity: 3 });
  engine.sell(gamma, { price: -5, quantity: 2 });
  expect(engine.order("ORD-1")).toMatchObject({ averagePrice: 16.666667, filledQuantity: 3, status: "partial" });
  engine.execute(alpha, "order.cancel", { orderId: "ORD-1" });
  expect(engine.order("ORD-1")).toMatchObject({ averagePrice: 16.666667, filledQuantity: 3, remainingQuantity: 0 });
});
