import { describe, expect, test } from "bun:test";
import type { EventMessage } from "../../../protocol/index.ts";
import { shoutsIn } from "../../../sim/live/shouts.ts";
import { EngineDriver } from "../support/engine-driver.ts";
import { USERS } from "../support/market.ts";

const { alpha, beta, operator } = USERS;

/** Each shout as side, price, MW, and whether it was accepted. */
function heard(events: readonly EventMessage[]): string[] {
  return shoutsIn(events).map(({ contractId, side, price, quantity, accepted }) =>
    `${contractId} ${side === 0 ? "buy" : "sell"} ${quantity / 1000} at ${price}${accepted ? " accepted" : ""}`
  );
}

describe("what is heard of an engine's events", () => {
  test("a quote that rests is heard as quoted, one that trades once for each trade at the resting price", () => {
    const engine = new EngineDriver();
    expect(heard(engine.buy(alpha, { price: 500, quantity: 2 }).execution.events)).toEqual(["N-H12 buy 2 at 500"]);
    engine.buy(alpha, { price: 490, quantity: 2 });
    expect(heard(engine.sell(beta, { price: 480, quantity: 5 }).execution.events)).toEqual([
      "N-H12 sell 2 at 500 accepted",
      "N-H12 sell 2 at 490 accepted",
    ]);
  });

  test("a changed order is a new quote; a cancelled one is nothing", () => {
    const engine = new EngineDriver();
    const { orderId } = engine.buy(alpha, { price: 500, quantity: 2 });
    expect(heard(engine.execute(alpha, "order.modify", { orderId, price: 510 }).execution.events))
      .toEqual(["N-H12 buy 2 at 510"]);
    expect(heard(engine.execute(alpha, "order.cancel", { orderId }).execution.events)).toEqual([]);
  });

  test("several commands in one frame are heard one after the other", () => {
    const engine = new EngineDriver();
    const sold = engine.sell(alpha, { price: 500, quantity: 2 });
    const bought = engine.buy(beta, { price: 500, quantity: 1 });
    const changed = engine.execute(alpha, "order.modify", { orderId: sold.orderId, price: 490 });
    expect(heard([sold, bought, changed].flatMap(({ execution }) => execution.events))).toEqual([
      "N-H12 sell 2 at 500",
      "N-H12 buy 1 at 500 accepted",
      "N-H12 sell 1 at 490",
    ]);
  });

  test("held orders are heard when they are released", () => {
    const engine = new EngineDriver();
    engine.execute(operator, "market.halt", {});
    expect(heard(engine.buy(alpha, { price: 500, quantity: 2 }).execution.events)).toEqual([]);
    engine.sell(beta, { price: 500, quantity: 1 });
    expect(heard(engine.execute(operator, "market.resume", {}).execution.events)).toEqual([
      "N-H12 buy 2 at 500",
      "N-H12 sell 1 at 500 accepted",
    ]);
  });
});
