import { describe, expect, test } from "bun:test";
import type { ModuleData } from "../../../protocol/modules/registry.ts";
import { PersonaOrders } from "../../../sim/live/persona-orders.ts";

const MARK = "sim-abc.1-zip-1-";

class Owner {
  readonly heard: string[] = [];

  filled(reference: number, price: number, quantity: number, fill: ModuleData<"FILL"> | null): void {
    this.heard.push(`${reference} filled ${quantity} at ${price}${fill === null ? " unseen" : ""}`);
  }

  closed(reference: number): void {
    this.heard.push(`${reference} closed`);
  }
}

function tracked(): { orders: PersonaOrders; owner: Owner } {
  const owner = new Owner();
  const orders = new PersonaOrders(owner, MARK);
  orders.submitted(7);
  return { orders, owner };
}

interface Told {
  readonly filled?: number;
  readonly average?: number;
  readonly closeReason?: string;
  readonly clientOrderId?: string;
  readonly fills?: readonly (readonly [price: number, quantity: number])[];
}

/** The engine reports the order with reference 7, and fills that came with it. */
function tell(orders: PersonaOrders, told: Told): string[] {
  const { filled = 0, average = null, closeReason = null, clientOrderId = `${MARK}7`, fills = [] } = told;
  const state = { id: "ORD-1", clientOrderId, filledQuantity: filled, averagePrice: average, closeReason };
  orders.note({ statePath: "/ORDER/ORD-1", state });
  fills.forEach(([price, quantity], index) => {
    const id = `FIL-${filled}-${index}`;
    orders.note({ statePath: `/FILL/${id}`, state: { id, orderId: "ORD-1", price, quantity } });
  });
  return orders.settle();
}

describe("the orders of a persona", () => {
  test("are recognised by their clientOrderId, confirmed or not", () => {
    const { orders } = tracked();
    expect([orders.clientOrderId(7), orders.orderIdOf(7), orders.hasUnsettled]).toEqual([`${MARK}7`, null, true]);
    expect(tell(orders, {})).toEqual(["ORD-1"]);
    expect([orders.orderIdOf(7), orders.hasUnsettled, orders.openOrderIds()]).toEqual(["ORD-1", false, ["ORD-1"]]);
  });

  test("report each fill once, at its price, however often the state is repeated", () => {
    const { orders, owner } = tracked();
    tell(orders, { filled: 3, average: 1000 / 3, fills: [[300, 2], [400, 1]] });
    tell(orders, { filled: 3, average: 1000 / 3 });
    tell(orders, { filled: 4, average: 375, fills: [[500, 1]] });
    expect(owner.heard).toEqual(["7 filled 2000 at 300", "7 filled 1000 at 400", "7 filled 1000 at 500"]);
  });

  test("report each fill at its price if one frame has several changes of the order", () => {
    const { orders, owner } = tracked();
    const changes = [{ filled: 2, price: 300, quantity: 2 }, { filled: 3, price: 400, quantity: 1 }];
    for (const { filled, price, quantity } of changes) {
      const averagePrice = filled === 2 ? 300 : 1000 / 3;
      const state = { id: "ORD-1", clientOrderId: `${MARK}7`, filledQuantity: filled, averagePrice, closeReason: null };
      orders.note({ statePath: "/ORDER/ORD-1", state });
      orders.note({
        statePath: `/FILL/FIL-${filled}`,
        state: { id: `FIL-${filled}`, orderId: "ORD-1", price, quantity },
      });
    }
    expect(orders.settle()).toEqual(["ORD-1"]);
    expect(owner.heard).toEqual(["7 filled 2000 at 300", "7 filled 1000 at 400"]);
  });

  test("report missed fills as one, at their mean price", () => {
    const { orders, owner } = tracked();
    tell(orders, { filled: 1, average: 300, fills: [[300, 1]] });
    tell(orders, { filled: 3, average: 500, closeReason: "disconnected" });
    expect(owner.heard).toEqual(["7 filled 1000 at 300", "7 filled 2000 at 600 unseen", "7 closed"]);
  });

  test("are closed once, and not at all if they were filled", () => {
    const { orders, owner } = tracked();
    orders.answered(7, true);
    tell(orders, { closeReason: "expired" });
    tell(orders, { closeReason: "expired" });
    expect(owner.heard).toEqual(["7 closed"]);
    expect([orders.orderIdOf(7), orders.openOrderIds()]).toEqual([null, []]);

    orders.submitted(7);
    tell(orders, { filled: 1, average: 300, closeReason: "filled", fills: [[300, 1]] });
    expect(owner.heard.slice(1)).toEqual(["7 filled 1000 at 300"]);
  });

  test("are forgotten if the engine refused them", () => {
    const { orders, owner } = tracked();
    orders.answered(7, false);
    expect([orders.hasUnsettled, orders.openOrderIds()]).toEqual([false, []]);
    expect(owner.heard).toEqual([]);
  });

  test("are not those of another persona, even with nearly the same name", () => {
    const { orders, owner } = tracked();
    expect(tell(orders, { clientOrderId: "sim-abc.1-zip-10-7", filled: 1, average: 300 })).toEqual([]);
    expect([owner.heard, orders.orderIdOf(7)]).toEqual([[], null]);
  });
});
