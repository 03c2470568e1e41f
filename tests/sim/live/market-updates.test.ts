import { describe, expect, test } from "bun:test";
import type { EventMessage } from "../../../protocol/index.ts";
import { marketUpdatesIn } from "../../../sim/live/market-updates.ts";
import { EngineDriver } from "../../engine/support/engine-driver.ts";
import { USERS } from "../../engine/support/market.ts";

const { alpha, beta, operator } = USERS;

/** Each update as contract, side, MW and price; trades marked. */
function updates(events: readonly EventMessage[]): string[] {
  return marketUpdatesIn(events).map(({ contractId, side, price, quantity, isTrade }) =>
    `${contractId} ${side === 0 ? "buy" : "sell"} ${quantity / 1000} at ${price}${isTrade ? " traded" : ""}`
  );
}

describe("the market updates in an engine's events", () => {
  test("give a resting order as one quote, and an order that trades as one trade at each resting price", () => {
    const engine = new EngineDriver();
    expect(updates(engine.buy(alpha, { price: 500, quantity: 2 }).events)).toEqual(["N-H12 buy 2 at 500"]);
    engine.buy(alpha, { price: 490, quantity: 2 });
    expect(updates(engine.sell(beta, { price: 480, quantity: 5 }).events)).toEqual([
      "N-H12 sell 2 at 500 traded",
      "N-H12 sell 2 at 490 traded",
    ]);
  });

  test("give a changed order as a new quote, and nothing for a cancelled order", () => {
    const engine = new EngineDriver();
    const { orderId } = engine.buy(alpha, { price: 500, quantity: 2 });
    expect(updates(engine.execute(alpha, "order.modify", { orderId, price: 510 }).events))
      .toEqual(["N-H12 buy 2 at 510"]);
    expect(updates(engine.execute(alpha, "order.cancel", { orderId }).events)).toEqual([]);
  });

  test("keep the order of several commands in one frame", () => {
    const engine = new EngineDriver();
    const sold = engine.sell(alpha, { price: 500, quantity: 2 });
    const bought = engine.buy(beta, { price: 500, quantity: 1 });
    const changed = engine.execute(alpha, "order.modify", { orderId: sold.orderId, price: 490 });
    expect(updates([sold, bought, changed].flatMap(({ events }) => events))).toEqual([
      "N-H12 sell 2 at 500",
      "N-H12 buy 1 at 500 traded",
      "N-H12 sell 1 at 490",
    ]);
  });

  test("give held orders when they are released", () => {
    const engine = new EngineDriver();
    engine.execute(operator, "market.halt", {});
    expect(updates(engine.buy(alpha, { price: 500, quantity: 2 }).events)).toEqual([]);
    engine.sell(beta, { price: 500, quantity: 1 });
    expect(updates(engine.execute(operator, "market.resume", {}).events)).toEqual([
      "N-H12 buy 2 at 500",
      "N-H12 sell 1 at 500 traded",
    ]);
  });
});
