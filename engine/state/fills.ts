// The fills of orders. A fill has no object of its own: it is the trade, seen from one of its two orders.

import type { Order, Trade } from "./market-state.ts";

/** The fill of one of the trade's orders. */
interface Fill {
  readonly key: number;
  readonly order: Order;
  readonly trade: Trade;
}

/** The number of an order's fill. */
export function fillKeyOf({ aggressorSide, restingFill }: Trade, { side }: Pick<Order, "side">): number {
  return side === aggressorSide ? restingFill + 1 : restingFill;
}

/** The fills of orders, oldest first. Cost: O(n log n). */
export function fillsOf(orders: Iterable<Order>): Fill[] {
  const fills: Fill[] = [];
  for (const order of orders) {
    for (const trade of order.trades) fills.push({ key: fillKeyOf(trade, order), order, trade });
  }
  return fills.sort((a, b) => a.key - b.key);
}
