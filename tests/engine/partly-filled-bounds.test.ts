// Changes of an order that has traded in part, and their bounds: what has traded counts at the prices of its trades, the rest
// as if it arrived. N-H12 is one hour, so dollars are price x quantity / 100.

import { describe, expect, test } from "bun:test";
import type { OrderBounds } from "../../protocol/index.ts";
import { type Checked, EngineDriver } from "./support/engine-driver.ts";
import { USERS } from "./support/market.ts";

const { alpha, beta, operator } = USERS;

const send = (engine: EngineDriver, side: 0 | 1, price: number, quantity: number, userId: string = alpha) =>
  engine.execute(userId, "order.submit", { contractId: "N-H12", side, price, quantity });

function expectExceeded({ outcome, paths }: Checked): void {
  expect([outcome, paths]).toEqual(["limit_exceeded", []]);
}

describe.each([["buy", 1], ["sell", -1]] as const)("a change of a partly filled %s", (side, sign) => {
  /** 4 of 10 MW traded at 5 dollars, better than the limit of 10; 6 MW rest, and another order of 2 MW beside them. */
  function partlyFilled() {
    const engine = new EngineDriver();
    const [own, opposite] = side === "buy" ? [0, 1] as const : [1, 0] as const;
    send(engine, opposite, sign * 500, 4, beta);
    const { orderId } = send(engine, own, sign * 1000, 10);
    expect(engine.order(orderId)).toMatchObject({ filledQuantity: 4, remainingQuantity: 6 });
    send(engine, own, sign * 300, 2);
    const modify = (terms: { price?: number; quantity?: number }, bounds: OrderBounds) =>
      engine.execute(alpha, "order.modify", { orderId, ...terms, bounds });
    return { engine, orderId, modify };
  }

  /** To 12 MW at 12 dollars: 8 MW may yet trade. */
  const TERMS = { price: sign * 1200, quantity: 12 };
  const STEP = { maxQuantity: 0.01, maxNotional: 0.01, maxOpenNotional: 0.01, maxNetPosition: 0.01, maxOpenOrders: 1 };

  test.each<[keyof typeof STEP, number, string]>([
    ["maxQuantity", 12, "the whole quantity"],
    ["maxNotional", 20 + 96, "what has traded at its prices, and the rest at the limit price"],
    ["maxOpenNotional", 96 + 6, "the rest at the limit price, and the other order"],
    ["maxNetPosition", 4 + 8 + 2, "what has traded, the rest, and the other order"],
    ["maxOpenOrders", 2, "the order once"],
  ])("counts for %s %d: %s", (bound, exact) => {
    const { engine, orderId, modify } = partlyFilled();
    expectExceeded(modify(TERMS, { [bound]: exact - STEP[bound] }));
    expect(modify(TERMS, { [bound]: exact }).outcome).toBe("ok");
    expect(engine.order(orderId)).toMatchObject({ quantity: 12, filledQuantity: 4, remainingQuantity: 8 });
  });

  test("that only lowers its quantity is not checked, and one that raises its price alone is", () => {
    const { modify } = partlyFilled();
    expectExceeded(modify({ price: sign * 1100 }, { maxNotional: 20 + 66 - 0.01 }));
    expectExceeded(modify({ price: sign * 1100 }, { maxOpenNotional: 66 + 6 - 0.01 }));
    expect(modify({ quantity: 9 }, { maxOpenNotional: 0, maxNetPosition: 0 }).outcome).toBe("ok");
    expect(modify({ price: sign * 1100 }, { maxNotional: 20 + 55, maxOpenNotional: 55 + 6 }).outcome).toBe("ok");
  });

  test("to what has traded, or less, is rejected, and to one lot more is not", () => {
    const { engine, orderId, modify } = partlyFilled();
    expect([modify({ quantity: 3 }, {}), modify({ quantity: 4 }, {})].map(({ outcome }) => outcome))
      .toEqual(["invalid_quantity", "invalid_quantity"]);
    expect(modify({ quantity: 5 }, {}).outcome).toBe("ok");
    expect(engine.order(orderId)).toMatchObject({ quantity: 5, filledQuantity: 4, remainingQuantity: 1 });
  });

  test("keeps its bound, which counts what has traded, while the order is held and at its release", () => {
    for (const [maxNotional, status] of [[20 + 90, "filled"], [20 + 90 - 0.01, "cancelled"]] as const) {
      const { engine, orderId } = partlyFilled();
      engine.execute(operator, "market.halt", {});
      // It may meet a price that is further from 0 than its own: 6 MW at 15 dollars, after the other order has met 2 MW.
      const far = side === "buy" ? -1500 : 1500;
      send(engine, side === "buy" ? 1 : 0, far, 8, beta);
      const terms = { price: side === "buy" ? 0 : 100, quantity: 10 };
      const bounds = { maxNotional };
      expect(engine.execute(alpha, "order.modify", { orderId, ...terms, bounds }).order.status).toBe("held");
      engine.execute(operator, "market.resume", {});
      expect(engine.order(orderId)).toMatchObject({ status, filledQuantity: status === "filled" ? 10 : 4 });
    }
  });
});
