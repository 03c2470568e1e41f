import { expect, test } from "bun:test";
import { EngineDriver } from "../support/engine-driver.ts";
import { USERS } from "../support/market.ts";

const { alpha, beta, gamma, operator } = USERS;

test("the open orders of a contract are closed in the order of their acceptance: of both sides, resting and held", () => {
  const engine = new EngineDriver();
  engine.sell(alpha, { price: 9, quantity: 1 });
  engine.buy(beta, { price: 5, quantity: 1 });
  engine.sell(gamma, { price: 8, quantity: 1 });
  engine.buy(beta, { price: 7, quantity: 1 });
  engine.execute(operator, "market.halt", {});
  engine.buy(alpha, { price: 4, quantity: 1 });
  engine.execute(beta, "order.modify", { orderId: "ORD-2", price: 6 });
  engine.buy(alpha, { contractId: "S-PK", price: 5, quantity: 1 });
  const flushed = engine.execute(operator, "engine.flush", { engineId: "ENG-N-H12" });
  expect(flushed.dataOf("cancel.order").map(({ id }) => id)).toEqual(["ORD-1", "ORD-2", "ORD-3", "ORD-4", "ORD-5"]);
  expect(engine.engine.figures.openOrders).toBe(1);
});
