import { expect, test } from "bun:test";
import type { StateMessage } from "../../../../protocol/index.ts";
import { CancelOnDisconnectOrders } from "../../../../sim/server/host/cancel-on-disconnect.ts";

const order = (id: string, status: string | null): StateMessage => ({
  statePath: `/ORDER/${id}`,
  state: status === null ? null : { id, status },
});

test("an order is removed as soon as it is filled, cancelled or deleted, so only open orders are held", () => {
  const orders = new CancelOnDisconnectOrders<string>();
  for (const id of ["working", "partial", "held", "filled", "cancelled", "flushed"]) orders.add(id, "owner");
  orders.add("other", "another owner");
  orders.removeClosed(["working", "partial", "held", "filled", "cancelled"].map((status) => order(status, status)));
  orders.removeClosed([order("flushed", null), order("unknown", "filled"), { statePath: "/USER/other", state: null }]);
  expect(orders.takeOrdersOf("owner")).toEqual(["working", "partial", "held"]);
  expect(orders.takeOrdersOf("owner")).toEqual([]);
  expect(orders.takeOrdersOf("another owner")).toEqual(["other"]);
});
