// What the open orders of an agent leave of its limits, on both sides: it comes back with each way in which an order can end.

import { describe, expect, test } from "bun:test";
import { BUY, SELL, type Side } from "../../../../engine/market/order-book.ts";
import { type AgentOrder, AgentOrders } from "../../../../sim/outside/agents/agent-orders.ts";
import { EntityOrders } from "../../../../sim/personas/entity-orders.ts";
import { DEFAULT_LIMITS } from "../../../../sim/personas/limits.ts";
import { contract } from "../../personas/support.ts";

const CONTRACT = contract(0);
const OTHER = contract(1);
const LIMITS = { ...DEFAULT_LIMITS, orderLots: 20, workingOrders: 3, contractPositionMw: 10, totalPositionMw: 15 };

function agent() {
  const orders = new AgentOrders(LIMITS, new EntityOrders());
  const send = (quantity: number, side: Side = BUY, traded = CONTRACT) =>
    orders.submit(traded, side, side === BUY ? 3_900 : 4_100, quantity);
  const accepted = (quantity: number, side: Side = BUY, traded = CONTRACT): AgentOrder => {
    const order = send(quantity, side, traded);
    if ("code" in order) throw new Error(order.code);
    orders.accepted(order);
    return order;
  };
  /** The greatest order that is taken now, in MW; nothing is left open. */
  const room = (side: Side = BUY, traded = CONTRACT): number => {
    for (let megawatts = 20; megawatts > 0; megawatts--) {
      const order = send(megawatts * 1_000, side, traded);
      if ("code" in order) continue;
      orders.refused(order);
      return megawatts;
    }
    return 0;
  };
  return { orders, accepted, room };
}

describe("the limits of an agent", () => {
  test("leave what its positions and open orders don't use, in a contract and in all", () => {
    const { orders, accepted, room } = agent();
    expect([room(BUY), room(SELL)]).toEqual([10, 10]);
    const bid = accepted(6_000);
    expect([room(BUY), room(SELL), room(BUY, OTHER)]).toEqual([4, 10, 9]);
    orders.filled(bid, 6_000);
    expect([room(BUY), room(SELL), room(BUY, OTHER), room(SELL, OTHER)]).toEqual([4, 16, 9, 9]);
  });

  test.each<[name: string, end: (orders: AgentOrders, order: AgentOrder) => void, left: number]>([
    ["ends", (orders, order) => orders.remove(order), 10],
    ["is cancelled", (orders, order) => {
      orders.cancel(order);
      orders.accepted(order);
      orders.remove(order);
    }, 10],
    ["is reduced", (orders, order) => {
      orders.modify(order, 3_900, 2_000);
      orders.accepted(order);
    }, 8],
    ["may be reduced", (orders, order) => void orders.modify(order, 3_900, 2_000), 2],
    ["is not reduced", (orders, order) => {
      orders.modify(order, 3_900, 2_000);
      orders.refused(order);
    }, 2],
    ["may be enlarged", (orders, order) => void orders.modify(order, 3_900, 9_000), 1],
    ["is not enlarged", (orders, order) => {
      orders.modify(order, 3_900, 9_000);
      orders.refused(order);
    }, 2],
    ["is not cancelled", (orders, order) => {
      orders.cancel(order);
      orders.refused(order);
    }, 2],
    ["is filled in part, and ends", (orders, order) => {
      orders.filled(order, 3_000);
      orders.remove(order);
    }, 7],
    ["is bought and sold again", (orders, order) => {
      orders.filled(order, 8_000);
      const sale = orders.submit(CONTRACT, SELL, 4_100, 8_000) as AgentOrder;
      orders.accepted(sale);
      orders.filled(sale, 8_000);
    }, 10],
  ])("leave, once an order %s, what is right", (_name, end, left) => {
    const { orders, accepted, room } = agent();
    end(orders, accepted(8_000));
    expect(room()).toBe(left);
  });

  test("count what a change leaves open, without what is filled", () => {
    const { orders, accepted } = agent();
    const bid = accepted(8_000);
    orders.filled(bid, 6_000);
    // 6 MW are held, so 4 may be open; the order is then 10 MW, with one more than the limit it is refused.
    expect(orders.modify(bid, 3_900, 11_000)).toMatchObject({ code: "position_limit" });
    expect(orders.modify(bid, 3_900, 10_000)).toBeNull();
    orders.accepted(bid);
    orders.filled(bid, 3_000);
    expect([orders.modify(bid, 3_900, 10_000), bid.filled]).toEqual([null, 9_000]);
  });

  test("count no order twice, and forget a contract in delivery", () => {
    const { orders, accepted, room } = agent();
    const all = [accepted(1_000), accepted(1_000), accepted(1_000, SELL)];
    expect(orders.submit(CONTRACT, BUY, 3_900, 1_000)).toMatchObject({ code: "too_many_orders" });
    orders.remove(all[0]!);
    expect(orders.submit(CONTRACT, BUY, 3_900, 20_001)).toMatchObject({ code: "order_too_large" });
    expect(room()).toBe(9);
    orders.filled(all[1]!, 1_000);
    orders.remove(all[2]!);
    const held = accepted(9_000, BUY);
    orders.filled(held, 9_000);
    expect(room(BUY, OTHER)).toBe(5);
    orders.end(CONTRACT);
    expect(room(BUY, OTHER)).toBe(10);
  });
});
