import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Order } from "../../../engine/state/market-state.ts";
import { orderIdOf } from "../../../engine/state/ids.ts";
import { OrderTable } from "../../../engine/state/order-table.ts";
import { size } from "../../support/sizes.ts";

const orderWith = (key: number) => ({ key, id: orderIdOf(key) }) as Order;

test("an order table keeps what a Map keeps, in the order of the keys", () => {
  const step = fc.record({ skipped: fc.constantFrom(0, 0, 0, 1, 127, 5_000_000_000), deleted: fc.option(fc.nat()) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 600, size: "max" }), (steps) => {
      const [table, map] = [new OrderTable(), new Map<number, Order>()];
      let key = 0;
      for (const { skipped, deleted } of steps) {
        key += 1 + skipped;
        const order = orderWith(key);
        table.add(order);
        map.set(key, order);
        if (deleted === null) continue;
        const chosen = [...map.keys()][deleted % (map.size + 1)] ?? key + 1;
        expect(table.delete(chosen)).toBe(map.delete(chosen));
        expect(table.get(chosen)).toBeUndefined();
      }
      expect(table.size).toBe(map.size);
      expect([...table]).toEqual([...map.values()]);
      for (const order of map.values()) expect([table.get(order.key), table.withId(order.id)]).toEqual([order, order]);
    }),
    { numRuns: size(13, 2_000) },
  );
});

test("an order table finds an order only by its whole id", () => {
  const table = new OrderTable();
  table.add(orderWith(10));
  for (const id of ["ORD-010", "ORD- 10", "ORD-1e1", "ORD-10.0", "XXX-10", "ORD-", "", "ORD-11", "ORD-Infinity"]) {
    expect(table.withId(id)).toBeUndefined();
  }
  expect(table.withId("ORD-10")?.key).toBe(10);
});

test("an order table is empty after it was cleared, and takes the same orders again", () => {
  const table = new OrderTable();
  for (const key of [300, 5]) table.add(orderWith(key));
  const orders = [...table].sort((a, b) => a.key - b.key);
  table.clear();
  expect([table.size, ...table]).toEqual([0]);
  for (const order of orders) table.add(order);
  expect([...table].map(({ key }) => key)).toEqual([5, 300]);
});
