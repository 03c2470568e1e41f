import { describe, expect, test } from "bun:test";
import { PersonaOrders } from "../../../sim/live/persona-orders.ts";

const MARK = "sim-abc.1-zip-1-";

function tracked() {
  const heard: string[] = [];
  const orders = new PersonaOrders({
    filled: (reference, price, quantity, fill) =>
      void heard.push(`${reference} filled ${quantity} at ${price}${fill === null ? " unseen" : ""}`),
    closed: (reference) => void heard.push(`${reference} closed`),
  }, MARK);
  orders.submitted(7);
  return { orders, heard };
}

interface Told {
  readonly filled?: number;
  readonly average?: number;
  readonly closeReason?: string;
  readonly clientOrderId?: string;
  readonly fills?: readonly (readonly [price: number, quantity: number])[];
}

/** Notes the order with reference 7, and fills that came with it. */
function note(orders: PersonaOrders, told: Told): void {
  const { filled = 0, average = null, closeReason = null, clientOrderId = `${MARK}7`, fills = [] } = told;
  const state = { id: "ORD-1", clientOrderId, filledQuantity: filled, averagePrice: average, closeReason };
  orders.note({ statePath: "/ORDER/ORD-1", state });
  fills.forEach(([price, quantity], index) => {
    const id = `FIL-${filled}-${index}`;
    orders.note({ statePath: `/FILL/${id}`, state: { id, orderId: "ORD-1", price, quantity } });
  });
}

/** A frame of the engine has these. */
function tell(orders: PersonaOrders, ...told: Told[]): string[] {
  for (const each of told) note(orders, each);
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
    const { orders, heard } = tracked();
    tell(orders, { filled: 3, average: 1000 / 3, fills: [[300, 2], [400, 1]] });
    tell(orders, { filled: 3, average: 1000 / 3 });
    tell(orders, { filled: 4, average: 375, fills: [[500, 1]] });
    expect(heard).toEqual(["7 filled 2000 at 300", "7 filled 1000 at 400", "7 filled 1000 at 500"]);
  });

  test("report each fill at its price if one frame has several changes of the order", () => {
    const { orders, heard } = tracked();
    const changes = [
      { filled: 2, average: 300, fills: [[300, 2]] },
      { filled: 3, average: 1000 / 3, fills: [[400, 1]] },
    ] as const;
    expect(tell(orders, ...changes)).toEqual(["ORD-1"]);
    expect(heard).toEqual(["7 filled 2000 at 300", "7 filled 1000 at 400"]);
  });

  test("report missed fills as one, at their mean price", () => {
    const { orders, heard } = tracked();
    tell(orders, { filled: 1, average: 300, fills: [[300, 1]] });
    tell(orders, { filled: 3, average: 500, closeReason: "disconnected" });
    expect(heard).toEqual(["7 filled 1000 at 300", "7 filled 2000 at 600 unseen", "7 closed"]);
  });

  test("are closed once, and not at all if they were filled", () => {
    const { orders, heard } = tracked();
    orders.answered(7, true);
    tell(orders, { closeReason: "expired" });
    tell(orders, { closeReason: "expired" });
    expect(heard).toEqual(["7 closed"]);
    expect([orders.orderIdOf(7), orders.openOrderIds()]).toEqual([null, []]);

    orders.submitted(7);
    tell(orders, { filled: 1, average: 300, closeReason: "filled", fills: [[300, 1]] });
    expect(heard.slice(1)).toEqual(["7 filled 1000 at 300"]);
  });

  test("are forgotten if the engine refused them", () => {
    const { orders, heard } = tracked();
    orders.answered(7, false);
    expect([orders.hasUnsettled, orders.openOrderIds()]).toEqual([false, []]);
    expect(heard).toEqual([]);
  });

  test("are not those of another persona, even with nearly the same name", () => {
    const { orders, heard } = tracked();
    expect(tell(orders, { clientOrderId: "sim-abc.1-zip-10-7", filled: 1, average: 300 })).toEqual([]);
    expect([heard, orders.orderIdOf(7)]).toEqual([[], null]);
  });
});
