import { expect, test } from "bun:test";
import { orderKeyOf } from "../../../../engine/state/ids.ts";
import { CancelOnDisconnectOrders } from "../../../../engine/server/host/cancel-on-disconnect.ts";
import { EngineDriver } from "../../support/engine-driver.ts";
import { USERS } from "../../support/market.ts";

test("an order is removed as soon as it is filled or cancelled, so only open orders are held", () => {
  const engine = new EngineDriver();
  const orders = new CancelOnDisconnectOrders<string>();
  const bought = [500, 490, 480, 470, 460].map((price) => engine.buy(USERS.alpha, { price, quantity: 2 }).orderId);
  const [filled, partial, cancelled, flushed, working] = bought;
  for (const id of bought) orders.add(orderKeyOf(id), "owner");
  orders.add(99, "another owner");
  orders.remove(engine.sell(USERS.beta, { price: 490, quantity: 3 }).execution.closedOrders);
  orders.remove(engine.execute(USERS.alpha, "order.cancel", { orderId: cancelled ?? "" }).execution.closedOrders);
  orders.remove(engine.cancelDisconnected([flushed ?? ""]).execution.closedOrders);
  expect(orders.takeOrdersOf("owner")).toEqual([partial ?? "", working ?? ""]);
  expect(orders.takeOrdersOf("owner")).toEqual([]);
  expect(orders.takeOrdersOf("another owner")).toEqual(["ORD-99"]);
  expect(engine.order(filled ?? "").status).toBe("filled");
});

test("all orders that are held are those of no owner that has left, and not yet closed", () => {
  const orders = new CancelOnDisconnectOrders<string>();
  for (const order of [5, 3, 8]) orders.add(order, "ann");
  for (const order of [4, 9]) orders.add(order, "bob");
  expect(orders.all()).toEqual(["ORD-5", "ORD-3", "ORD-8", "ORD-4", "ORD-9"]);
  orders.remove([3, 9, 77]);
  expect(orders.all()).toEqual(["ORD-5", "ORD-8", "ORD-4"]);
  expect(orders.takeOrdersOf("ann")).toEqual(["ORD-5", "ORD-8"]);
  expect(orders.all()).toEqual(["ORD-4"]);
  orders.remove([5, 4]);
  expect([orders.all(), orders.takeOrdersOf("ann"), orders.takeOrdersOf("bob")]).toEqual([[], [], []]);
});
