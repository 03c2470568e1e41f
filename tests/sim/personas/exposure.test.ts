// How much a persona may still order, and whether its limits have the room that they are for.

import { expect, test } from "bun:test";
import { BUY, SELL } from "../../../engine/market/order-book.ts";
import { ContractExposure, Exposure } from "../../../sim/personas/exposure.ts";
import { ARBITRAGE_LIMITS, DEFAULT_LIMITS, ownerLimits } from "../../../sim/personas/limits.ts";

test("the room for orders is that of the contract and of all contracts, or a share of both, until delivery begins", () => {
  const exposure = new Exposure({ ...DEFAULT_LIMITS, contractPositionMw: 40, totalPositionMw: 100 });
  const [one, other] = [new ContractExposure(), new ContractExposure()];
  const room = () => [one, other].map((each) => [exposure.headroom(each, BUY), exposure.headroom(each, SELL)]);
  // 30 MW are held, and with the open bid of 5 MW there may be 35.
  exposure.fill(one, BUY, 30_000, 5_000);
  expect(room()).toEqual([[10_000, 70_000], [40_000, 40_000]]);
  exposure.share = 0.5;
  expect(room()).toEqual([[0, 50_000], [15_000, 15_000]]);
  exposure.end(one);
  expect(room()[1]).toEqual([20_000, 20_000]);
});

test("an owner's limits have room for two days of hours, each from all bought to all sold", () => {
  const limits = ownerLimits(70);
  const exposure = new Exposure(limits);
  const hours = Array.from({ length: 48 }, () => new ContractExposure());
  for (const hour of hours) {
    expect(exposure.headroom(hour, BUY)).toBeGreaterThanOrEqual(70_000);
    exposure.fill(hour, BUY, 70_000, 0);
  }
  for (const hour of hours) {
    expect(exposure.headroom(hour, SELL)).toBeGreaterThanOrEqual(140_000);
    exposure.setOpen(hour, SELL, 140_000);
  }
  expect(limits.workingOrders).toBeGreaterThanOrEqual(2 * hours.length);
  // Lots of 0.1 MW.
  expect(limits.orderLots).toBeGreaterThanOrEqual(2 * 70 / 0.1);
});

test("an arbitrageur's limits have room for a package of one size: a base and its hours", () => {
  const { contractPositionMw, totalPositionMw } = ARBITRAGE_LIMITS;
  expect(totalPositionMw).toBeGreaterThanOrEqual(25 * contractPositionMw);
});
