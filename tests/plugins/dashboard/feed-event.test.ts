// Events as pages get them.

import { expect, test } from "bun:test";
import type { BufferedEvent } from "../../../core/market/event-reader.ts";
import { feedEvent, feedEventText } from "../../../plugins/dashboard/feed-event.ts";
import { categoryOf, EVENTS, type EventType } from "../../../protocol/index.ts";
import { makeEvents } from "../../../bench/market-events.ts";

function event(type: string, data: Record<string, unknown>): BufferedEvent {
  return { sequence: 7, category: categoryOf(type), type, time: "2030-06-01T12:00:00.000Z", data, book: null };
}

test("an event of an order has what its reader needs, without null", () => {
  const made = makeEvents(200).find(({ type }) => type === "new.order")!;
  const { data } = feedEvent(event("new.order", made.data));
  const { id, contractId, entityId, side, price, quantity, filledQuantity, status } = made.data;
  expect(data).toEqual({ id, contractId, entityId, side, price, quantity, filledQuantity, status });
});

test("a book has its best prices, since the levels come with the state", () => {
  const data = { contractId: "c", engineId: "e", bids: [{ price: 1, volume: 2 }], asks: [], bestBid: 1, bestAsk: null };
  expect(feedEvent(event("change.book", data)).data).toEqual({ contractId: "c", bestBid: 1 });
});

test("every event of a contract says which one, so that a page can watch it", () => {
  const data = { id: "an order", contractId: "c", orderId: "o" };
  const ofContracts = (Object.keys(EVENTS) as EventType[]).filter((type) =>
    ["order", "fill", "trade", "book"].includes(type.split(".")[1]!)
  );
  expect(ofContracts.length).toBeGreaterThan(8);
  for (const type of ofContracts) expect(feedEvent(event(type, data)).data["contractId"]).toBe("c");
});

test("an event of an unknown type has all its data, unless that is long", () => {
  expect(feedEvent(event("new.thing", { a: 1, b: null })).data).toEqual({ a: 1, b: null });
  expect(feedEvent(event("new.thing", { a: "x".repeat(5_000) })).data).toEqual({});
});

test("the text is JSON of the event, with what can't be seen escaped, and is made once", () => {
  const hostile = event("reject.order", { message: "a\u202eb\n<img src=x onerror=alert(1)>" });
  const text = feedEventText(hostile);
  expect(text).not.toMatch(/[\u202e\n]/);
  expect(JSON.parse(text)).toMatchObject({
    sequence: 7,
    data: { message: "a\\u202eb\\n<img src=x onerror=alert(1)>" },
  });
  expect(feedEventText(hostile)).toBe(text);
});
