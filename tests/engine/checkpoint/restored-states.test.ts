// What a restored engine has of states that random calls seldom make. checkpoint.test.ts has those of random calls.

import { describe, expect, test } from "bun:test";
import type { MarketDefinition } from "../../../engine/definition/market-definition.ts";
import { wholeCheckpoint } from "../support/checkpoints.ts";
import { type Checked, EngineDriver } from "../support/engine-driver.ts";
import { smallMarket, START, USERS, withMonth } from "../support/market.ts";
import { readExecution } from "../support/read-execution.ts";
import { snapshotOf } from "../../support/executions.ts";

const { alpha, beta, publisher } = USERS;
const iso = (time: number) => new Date(time).toISOString();

/** The engine and a restored one, both after the same further calls, which must give the same. */
function afterRestore(
  before: (engine: EngineDriver) => void,
  after: (engine: EngineDriver) => readonly Checked[],
  definition: MarketDefinition = smallMarket(),
) {
  const original = new EngineDriver(definition);
  before(original);
  const restored = EngineDriver.restored(original, definition);
  expect(wholeCheckpoint(restored.engine)).toEqual(wholeCheckpoint(original.engine));
  const shown = [restored, original].map(({ engine, now }) => JSON.stringify(snapshotOf(engine, now)));
  expect(shown[0]).toBe(shown[1]!);
  expect(restored.engine.nextDeadline()).toBe(original.engine.nextDeadline());
  const [given, expected] = [restored, original].map((engine) =>
    after(engine).map(({ execution }) => JSON.stringify(readExecution(execution)))
  );
  expect(given).toEqual(expected!);
  return { restored, original };
}

describe("a restored engine", () => {
  test("has the clock of its market, and both times", () => {
    const { restored } = afterRestore((engine) => {
      engine.realNow = START + 5;
      engine.setClock({ mode: "fast", speed: 60 });
    }, () => []);
    const { clock, now, realNow } = restored.engine;
    expect([clock, now, realNow]).toEqual([{ mode: "fast", speed: 60 }, START, START + 5]);
  });

  test("lists contracts at the time at which they were due, and not those that were listed before", () => {
    const { restored } = afterRestore(
      (engine) => {
        engine.advanceTo("2026-02-02T12:00:00Z");
      },
      () => [],
      withMonth(),
    );
    const ids = restored.all("CONTRACT").map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(restored.advanceTo("2026-03-01T12:00:00Z").eventTypes).toContain("new.contract");
  });

  test("holds orders to their bounds", () => {
    const change = (engine: EngineDriver) => engine.execute(alpha, "order.modify", { orderId: "ORD-1", price: 120 });
    const bounded = (maxNotional: number | null) =>
      afterRestore((engine) => {
        const bounds = maxNotional === null ? undefined : { maxNotional };
        engine.buy(alpha, { price: 100, quantity: 2, ...(bounds && { bounds }) });
        engine.sell(beta, { price: 100, quantity: 0.5 });
      }, (engine) => [change(engine)]);
    const [loose, tight] = [bounded(null), bounded(2)];
    expect([loose, tight].map(({ restored }) => restored.order("ORD-1").price)).toEqual([120, 100]);
  });

  test("trades in the order of priority, which a change of the price costs", () => {
    const { restored } = afterRestore((engine) => {
      for (const user of [alpha, alpha, alpha]) engine.buy(user, { price: 100, quantity: 1 });
      engine.execute(alpha, "order.modify", { orderId: "ORD-1", price: 110 });
      engine.execute(alpha, "order.modify", { orderId: "ORD-1", price: 100 });
    }, (engine) => [1, 2].map(() => engine.sell(beta, { price: 100, quantity: 1 })));
    expect([1, 2, 3].map((number) => restored.order(`ORD-${number}`).filledQuantity)).toEqual([0, 1, 1]);
  });

  test("has its orders in the order of acceptance, also if later ones were closed first", () => {
    const COUNT = 300;
    const { restored } = afterRestore(({ engine }) => {
      const send = (operationId: string, action: string, payload: object) =>
        engine.execute({ userId: alpha, operationId, action, payload }, START, START);
      const terms = { contractId: "N-H12", side: 0, price: 1, quantity: 1 };
      for (let at = 1; at <= COUNT; at++) send(`new-${at}`, "order.submit", terms);
      for (const at of [COUNT, 200, 3]) send(`end-${at}`, "order.cancel", { orderId: `ORD-${at}` });
    }, () => []);
    const keys = snapshotOf(restored.engine, restored.now).flatMap(({ statePath }) =>
      statePath.startsWith("/ORDER/") ? [Number(statePath.slice("/ORDER/ORD-".length))] : []
    );
    expect(keys).toEqual(Array.from({ length: COUNT }, (_, at) => at + 1));
  });

  test.each([[[0], 0], [[-5, 5], 0], [[-7], -7]])("values positions at the spot prices %j: %d", (prices, mark) => {
    const { restored } = afterRestore((engine) => {
      engine.buy(alpha, { price: 100, quantity: 1 });
      engine.sell(beta, { price: 100, quantity: 1 });
      engine.advanceTo("2026-01-20T17:00:00Z");
      for (const price of prices) {
        const published = [{ node: "NORTH", price, regime: "base" as const, time: iso(engine.now) }];
        engine.execute(publisher, "spot.publish", { prices: published });
      }
    }, () => []);
    const [position] = restored.engine.positions("ALPHA", restored.now)!.positions;
    expect([position?.markSource, position?.mark]).toEqual(["spot", mark]);
  });
});
