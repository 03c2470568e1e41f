import { describe, expect, test } from "bun:test";
import type { Engine } from "../../engine/engine.ts";
import { createState } from "../../engine/state/initial-state.ts";
import { Transactions } from "../../engine/transactions.ts";
import { EngineDriver } from "./support/engine-driver.ts";
import { EPOCH, scheduledMarket, START, USERS } from "./support/market.ts";
import { auditOf } from "../support/executions.ts";

const { alpha, beta, operator } = USERS;
const PREOPEN = Date.parse("2026-01-14T13:30:00Z");

describe("a transaction", () => {
  test("never goes back in market time or real time, each for itself", () => {
    const state = createState(scheduledMarket(), { engineId: "test", epoch: EPOCH, now: START });
    const transactions = new Transactions(state, null);
    const times = (now: number, realNow?: number) => {
      const transaction = transactions.begin(now, null, realNow);
      transactions.end(transaction);
      return [transaction.now - START, state.now - START, state.realNow - START];
    };
    expect(times(START + 5)).toEqual([5, 5, 5]);
    expect(times(START + 3, START + 9)).toEqual([5, 5, 9]);
    expect(times(START + 8, START + 2)).toEqual([8, 8, 9]);
    expect(times(START + 8)).toEqual([8, 8, 9]);
    expect(times(START, START)).toEqual([8, 8, 9]);
  });

  test("carries out what is due at its time, not a millisecond before, whoever acts", () => {
    const state = createState(scheduledMarket(), { engineId: "test", epoch: EPOCH, now: START });
    const transactions = new Transactions(state, null);
    const statusAt = (now: number, actor: string | null) => {
      const transaction = transactions.begin(now, actor);
      const seen = transaction.actor;
      transactions.end(transaction);
      return [[...state.markets.values()][0]?.session?.status, seen];
    };
    expect(statusAt(PREOPEN - 1, alpha)).toEqual(["closed", alpha]);
    expect(statusAt(PREOPEN, beta)).toEqual(["preopen", beta]);
    expect(statusAt(PREOPEN, null)).toEqual(["preopen", null]);
  });

  test("names as closed the orders that it closed itself, in their order, and as actor whose request it is", () => {
    const engine = new EngineDriver();
    engine.buy(alpha, { price: 5, quantity: 1 });
    engine.buy(alpha, { price: 6, quantity: 2 });
    const sold = engine.sell(beta, { price: 5, quantity: 2 });
    expect(sold.execution.closedOrders).toEqual([2, 3]);
    expect(engine.sell(beta, { price: 9, quantity: 1 }).execution.closedOrders).toEqual([]);
    const flushed = engine.execute(operator, "market.flush", {});
    expect(flushed.execution.closedOrders).toEqual([1, 4]);
    expect(new Set(auditOf(flushed.execution).map(({ userId }) => userId))).toEqual(new Set([operator]));
    engine.buy(alpha, { price: 5, quantity: 1 });
    const expired = engine.advanceTo("2026-01-20T17:00:00Z");
    expect(expired.execution.closedOrders).toEqual([5]);
    expect(new Set(auditOf(expired.execution).map(({ userId }) => userId))).toEqual(new Set([null]));
  });

  test("of a request that comes after a deadline has no actor for what was due, and the user for the rest", () => {
    const engine = new EngineDriver();
    engine.buy(alpha, { price: 5, quantity: 1 });
    engine.now = Date.parse("2026-01-20T17:00:00Z");
    const late = engine.execute(beta, "order.submit", { contractId: "S-PK", side: 0, price: 5, quantity: 1 });
    expect(auditOf(late.execution).map(({ event, userId }) => [event, userId])).toEqual([
      ["contractExpired", null],
      ["orderExpired", null],
      ["orderQueued", beta],
    ]);
    expect(late.execution.closedOrders).toEqual([1]);
  });
});

test("a new epoch goes on with numbers after it, and figures count what there has been", () => {
  const driver = new EngineDriver();
  const engine: Engine = driver.engine;
  driver.buy(alpha, { price: 5, quantity: 2 });
  driver.sell(beta, { price: 5, quantity: 1 });
  expect(engine.figures).toEqual({ contracts: 2, openOrders: 1, acceptedOrders: 2, trades: 1, auditEvents: 4 });
  expect([engine.auditPosition, engine.epoch, engine.sequence > EPOCH]).toEqual([4, EPOCH, true]);
  engine.beginEpoch(EPOCH * 2);
  expect([engine.epoch, engine.sequence]).toEqual([EPOCH * 2, EPOCH * 2]);
  const next = engine.advance(Date.parse("2026-01-20T17:00:00Z"));
  expect(engine.sequence).toBe(EPOCH * 2 + next.messages.filter(({ kind }) => kind === "event").length);
});
