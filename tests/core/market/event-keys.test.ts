// Which contract, entities and orders each kind of event is about, and that a wait for any of them is woken by it.

import { expect, test } from "bun:test";
import { keyFieldsOf, matches, productCodeOf } from "../../../core/market/event-keys.ts";
import type { BufferedEvent, EventFilter } from "../../../core/market/event-reader.ts";
import { EventWaiters } from "../../../core/market/event-waiters.ts";
import { categoryOf } from "../../../protocol/events.ts";

function event(type: string, data: Record<string, unknown> = {}): BufferedEvent {
  return { sequence: 1, category: categoryOf(type), type, time: "", data, book: null };
}

/** Fields of data by what they name. */
const FIELDS: Readonly<Record<string, { contractId: string[]; entityId: string[]; orderId: string[] }>> = {
  "new.order": { contractId: ["contractId"], entityId: ["entityId"], orderId: ["id", "orderId"] },
  "new.fill": { contractId: ["contractId"], entityId: ["entityId"], orderId: ["orderId"] },
  "new.trade": {
    contractId: ["contractId"],
    entityId: ["buyEntityId", "sellEntityId"],
    orderId: ["buyOrderId", "sellOrderId"],
  },
  "change.contract": { contractId: ["contractId", "id"], entityId: [], orderId: [] },
  "change.credit": {
    contractId: ["contractId"],
    entityId: ["entityId", "counterpartyId", "buyEntityId", "sellEntityId"],
    orderId: ["orderId", "buyOrderId", "sellOrderId"],
  },
};
const ALL = [
  ...["id", "contractId", "entityId", "counterpartyId", "buyEntityId", "sellEntityId"],
  ...["orderId", "buyOrderId", "sellOrderId", "userId"],
];

/** Whether a wait with this filter is woken by the event. */
function isWoken(filter: EventFilter, event: BufferedEvent): boolean {
  const waiters = new EventWaiters();
  let woken = 0;
  waiters.add(filter, () => woken += 1);
  waiters.wakeFor(event, keyFieldsOf(event.type));
  expect(waiters.count).toBe(1 - woken);
  return woken === 1;
}

test.each(Object.keys(FIELDS))("%s is about the ids in its fields, and in no others", (type) => {
  for (const name of ["contractId", "entityId", "orderId"] as const) {
    for (const field of ALL) {
      const filter = { [name]: "x" };
      const named = event(type, { [field]: "x" });
      const expected = FIELDS[type]![name].includes(field);
      expect([type, name, field, matches(filter, named), isWoken(filter, named)])
        .toEqual([type, name, field, expected, expected]);
      expect(matches({ [name]: "y" }, named)).toBeFalse();
    }
  }
});

test("the fields of a type are those of its noun after the last dot; any other noun has all", () => {
  expect(keyFieldsOf("some.new.fill")).toBe(keyFieldsOf("new.fill"));
  for (const type of ["toString", "new.constructor", "fill.new", ""]) {
    expect(keyFieldsOf(type)).toBe(keyFieldsOf("change.credit"));
  }
});

const TRADE = event("new.trade", { contractId: "c", productCode: "BASE", buyEntityId: "e", sellOrderId: "o" });
test.each<[EventFilter, boolean]>([
  [{}, true],
  [{ types: [] }, true],
  [{ types: ["new.fill", "new.trade"] }, true],
  [{ types: ["new.fill"] }, false],
  [{ category: "fill" }, true],
  [{ category: "order" }, false],
  [{ productCode: "BASE" }, true],
  [{ productCode: "PEAK" }, false],
  [{ contractId: "c", entityId: "e", orderId: "o", productCode: "BASE", types: ["new.trade"], category: "fill" }, true],
  [{ orderId: "o", category: "order" }, false],
  [{ orderId: "o", contractId: "d" }, false],
  [{ contractId: "c", entityId: "f" }, false],
  [{ entityId: "e", types: ["new.fill"] }, false],
  [{ types: ["new.trade"], productCode: "PEAK" }, false],
  [{ productCode: "BASE", category: "order" }, false],
])("a trade matches %j: %p, and wakes a wait for it only then", (filter, expected) => {
  expect([matches(filter, TRADE), isWoken(filter, TRADE)]).toEqual([expected, expected]);
});

test.each([[undefined, null], [null, null], [5, null], ["", ""], ["BASE", "BASE"]])(
  "the product %p is %p",
  (productCode, expected) => expect(productCodeOf({ productCode } as never)).toBe(expected as never),
);

test("a wait ends once, also if an event names its id twice, and one that has ended is not woken", () => {
  const waiters = new EventWaiters();
  const woken: string[] = [];
  const both = event("new.trade", { buyEntityId: "e", sellEntityId: "e" });
  waiters.add({ entityId: "e" }, () => {
    woken.push("first");
    endSecond();
    // A wait that begins while others are woken waits for the next event.
    waiters.add({ entityId: "e" }, () => woken.push("later"));
  });
  const endSecond = waiters.add({ entityId: "e" }, () => woken.push("second"));
  waiters.wakeFor(both, keyFieldsOf("new.fill"));
  expect([woken, waiters.count]).toEqual([[], 2]);
  waiters.wakeFor(event("new.fill", { entityId: "e" }), keyFieldsOf("new.fill"));
  expect([woken.splice(0), waiters.count]).toEqual([["first"], 1]);
  waiters.wakeAll();
  waiters.wakeAll();
  endSecond();
  expect([woken, waiters.count]).toEqual([["later"], 0]);
});

test("a wait for several types is woken by any of them, and then for none", () => {
  const waiters = new EventWaiters();
  let woken = 0;
  for (const type of ["new.fill", "new.trade"]) {
    waiters.add({ types: ["new.fill", "new.trade", "new.trade"] }, () => woken += 1);
    waiters.wakeFor(event(type), keyFieldsOf(type));
    waiters.wakeFor(event("new.trade"), keyFieldsOf("new.trade"));
  }
  expect([woken, waiters.count]).toEqual([2, 0]);
});
