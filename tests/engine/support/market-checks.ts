// Invariants of orders, books and credit, checked on what a client sees and with arithmetic of the test's own.

import { expect } from "bun:test";
import type { ModuleData } from "../../../protocol/modules/registry.ts";
import type { EngineDriver } from "./engine-driver.ts";

/** Tolerance in dollars, far below the smallest difference that prices and quantities can make. */
const TOLERANCE = 1e-9;

/** Whether the credit that a client sees allows two entities to trade one lot. */
export function mayTrade(engine: EngineDriver, one: string, other: string, contractId: string, price: number): boolean {
  if (one === other) return false;
  const contract = engine.module("CONTRACT", contractId);
  return [engine.credit(one, other), engine.credit(other, one)].every(({ limits, documentation }) =>
    documentation === "docs_in_place" && leaveLot(limits, contract, price)
  );
}

/** Whether the limits of one entity for another allow a trade of one lot. */
function leaveLot(
  limits: ModuleData<"CREDIT">["limits"],
  { id, lot, hours }: ModuleData<"CONTRACT">,
  price: number,
): boolean {
  const needed = { notional: Math.abs(price) * lot * hours / 100, mw: lot, mwh: lot * hours };
  const covering = limits.filter((limit) => limit.contractId === null || limit.contractId === id);
  return covering.length > 0 && covering.every((limit) => {
    const margin = limit.limitType === "notional" ? limit.marginPercent / 100 : 1;
    if (limit.limit > 0 && margin === 0) return true;
    return limit.available > 0 && limit.available + TOLERANCE >= needed[limit.limitType] * margin;
  });
}

/** `tradable` and `creditStatus` follow from limits, documents and listed contracts, whose prices may be 0. */
function checkTradable(engine: EngineDriver, credits: readonly ModuleData<"CREDIT">[]): void {
  const listed = engine.all("CONTRACT").filter(({ status }) => status === "listed");
  for (const { entityId, counterpartyId, tradable } of credits) {
    const expected = listed.some(({ id }) => mayTrade(engine, entityId, counterpartyId, id, 0));
    expect({ entityId, counterpartyId, tradable }).toEqual({ entityId, counterpartyId, tradable: expected });
  }
  for (const { id, creditStatus } of engine.all("ENTITY")) {
    const granted = credits.filter(({ entityId, limits }) => entityId === id && limits.length > 0);
    const isOk = listed.length === 0 ||
      granted.some(({ limits }) => listed.some((contract) => leaveLot(limits, contract, 0)));
    expect({ id, creditStatus }).toEqual({
      id,
      creditStatus: granted.length === 0 ? "none" : isOk ? "ok" : "exhausted",
    });
  }
}

/** `flushedFills`: MW of each order whose fills have been removed. */
export function checkOrders(engine: EngineDriver, flushedFills: ReadonlyMap<string, number>): void {
  const filled = new Map(flushedFills);
  for (const { orderId, quantity } of engine.all("FILL")) filled.set(orderId, (filled.get(orderId) ?? 0) + quantity);
  for (const order of engine.all("ORDER")) {
    expect(order.filledQuantity).toBeCloseTo(filled.get(order.id) ?? 0, 9);
    const isOpen = order.closeReason === null;
    expect(order.remainingQuantity).toBeCloseTo(isOpen ? order.quantity - order.filledQuantity : 0, 9);
    expect(order.status).toBeOneOf(isOpen ? ["working", "partial", "held"] : ["filled", "cancelled"]);
    if (isOpen) expect(order.remainingQuantity).toBeGreaterThan(0);
    if (order.status === "filled") expect(order.filledQuantity).toBe(order.quantity);
    if (order.status === "working") expect(order.filledQuantity).toBe(0);
    if (order.status === "partial") expect(order.filledQuantity).toBeGreaterThan(0);
    if (order.filledQuantity === 0) expect(order.averagePrice).toBeNull();
  }
}

export function checkBooks(engine: EngineDriver): void {
  const orders = engine.all("ORDER");
  const { status } = engine.module("MARKET", "M1");
  for (const book of engine.all("ENGINE")) {
    const working = orders.filter((order) =>
      order.engineId === book.id && ["working", "partial"].includes(order.status)
    );
    const held = orders.filter((order) => order.engineId === book.id && order.status === "held");
    expect(book.totalWorkingOrders).toBe(working.length);
    expect(book.bids).toEqual(levelsOf(working.filter(({ side }) => side === 0), (a, b) => b - a));
    expect(book.asks).toEqual(levelsOf(working.filter(({ side }) => side === 1), (a, b) => a - b));
    expect([book.bestBid, book.bestAsk]).toEqual([book.bids[0]?.price ?? null, book.asks[0]?.price ?? null]);
    expect(book.heldOrders).toBe(held.length);
    const queue = engine.module("QUEUE", `QUE-${book.contractId}`);
    expect(queue.orderIds.toSorted()).toEqual(held.map(({ id }) => id).toSorted());
    if (status === "open") expect(held).toEqual([]);
    const traded = engine.all("TRADE").filter(({ engineId }) => engineId === book.id);
    expect(book.tradedQuantity).toBeCloseTo(traded.reduce((sum, { quantity }) => sum + quantity, 0), 9);
    expect(book.lastPrice).toBe(traded.at(-1)?.price ?? null);
  }
}

function levelsOf(orders: readonly ModuleData<"ORDER">[], byPriority: (a: number, b: number) => number) {
  return [...new Set(orders.map(({ price }) => price))].sort(byPriority).slice(0, 10).map((price) => {
    const ofLevel = orders.filter((order) => order.price === price);
    return {
      price,
      volume: ofLevel.reduce((sum, order) => sum + order.remainingQuantity, 0),
      orderCount: ofLevel.length,
    };
  });
}

/** Used credit is the sum over the trades whose delivery has not ended, and decides who may trade. */
export function checkCredit(engine: EngineDriver): void {
  const undelivered = new Set(
    engine.all("CONTRACT").filter(({ deliveryEnd }) => Date.parse(deliveryEnd) > engine.now).map(({ id }) => id),
  );
  const openTrades = engine.all("TRADE").filter(({ contractId }) => undelivered.has(contractId));
  const credits = engine.all("CREDIT");
  checkTradable(engine, credits);
  for (const credit of credits) {
    const members = [credit.entityId, credit.counterpartyId];
    const trades = openTrades.filter(({ buyEntityId, sellEntityId }) =>
      members.includes(buyEntityId) && members.includes(sellEntityId)
    );
    const used = usedBy(trades);
    expect(credit.usedNotional).toBeCloseTo(used.notional, 6);
    expect(credit.usedMw).toBeCloseTo(used.mw, 6);
    expect(credit.usedMwh).toBeCloseTo(used.mwh, 6);
    for (const limit of credit.limits) {
      const margin = limit.limitType === "notional" ? limit.marginPercent / 100 : 1;
      const under = usedBy(
        trades.filter(({ contractId }) => limit.contractId === null || limit.contractId === contractId),
      );
      // Shown with a precision of 1/100 cent, so rounding may be half of that.
      expect(Math.abs(limit.used - under[limit.limitType] * margin)).toBeLessThan(0.000051);
      expect(Math.abs(limit.available - (limit.limit - limit.used))).toBeLessThan(0.000101);
    }
  }
}

function usedBy(trades: readonly ModuleData<"TRADE">[]): Record<"notional" | "mw" | "mwh", number> {
  const used = { notional: 0, mw: 0, mwh: 0 };
  for (const { notional, quantity, energy } of trades) {
    used.notional += notional;
    used.mw += quantity;
    used.mwh += energy;
  }
  return used;
}
