// The audit tools with a real engine: what they find, how they page, the times and names they take, and what they say if
// nothing is found.

import { beforeAll, describe, expect, test } from "bun:test";
import { column, Desk, list, part, type Seat, text, type Value } from "./support/desk.ts";
import { BASE } from "./support/market.ts";

const DAY_MS = 86_400_000;
const desk = await Desk.open();
const [alice, bob, olga] = await desk.all("alice", "bob", "olga");
/** Alice's order, of which 20 of 30 MW were traded. */
let orderId: string;

beforeAll(async () => {
  orderId = text(await alice.buy(BASE, 4500, 30), "orderId");
  await bob.sell(BASE, 4400, 20);
  const other = text(await alice.buy(BASE, 4000, 1), "orderId");
  await alice.ok("mkt_cancel_order", { orderId: other });
});

/** All pages of a tool, walked by cursor. */
async function pagesOf(seat: Seat, tool: string, input: Record<string, unknown>): Promise<Value[]> {
  const events: Value[] = [];
  let cursor: unknown;
  do {
    const page = await seat.ok(tool, { ...input, cursor });
    events.push(...list(page, "events"));
    expect(page["hasMore"]).toBe(page["cursor"] !== null);
    cursor = page["cursor"] ?? undefined;
  } while (cursor !== undefined);
  return events;
}

describe("mkt_get_audit_log", () => {
  test("searches by event, module and text, and names the days it searched", async () => {
    // With the field's name: the digits alone may also occur in a generated id.
    const log = await alice.ok("mkt_get_audit_log", { event: "orderQueued", search: '"price":4500' });
    expect(log).toMatchObject({
      count: 1,
      hasMore: false,
      events: [{ event: "orderQueued", userId: "alice", orderId }],
    });
    const range = part(log, "range");
    expect(Date.parse(text(range, "to")) - Date.parse(text(range, "from"))).toBe(6 * DAY_MS);
    const ofModule = await alice.ok("mkt_get_audit_log", { moduleType: "ORDER", moduleId: orderId });
    expect(column(ofModule, "events", "event")).toEqual(["orderFilled", "orderQueued"]);
    expect(await alice.ok("mkt_get_audit_log", { startTime: "2020-01-01", endTime: "2020-01-31" })).toMatchObject({
      count: 0,
      range: { from: "2020-01-01", to: "2020-01-31" },
      note: "No event from 2020-01-01 to 2020-01-31 fits. Earlier days are searched with startTime.",
    });
  });

  test("leaves out of an order's event what the order and the event's name determine", async () => {
    const [filled] = list(await alice.ok("mkt_get_audit_log", { moduleId: orderId, event: "orderFilled" }), "events");
    expect(filled).toEqual({
      id: expect.any(String),
      time: expect.any(String),
      event: "orderFilled",
      orderId,
      entityId: "alpha",
      details: { side: "BUY", fillPrice: 4500, fillQuantity: 20, counterpartyId: "beta" },
    });
    const [halt] = await haltAndResume();
    expect(halt).toMatchObject({
      event: "marketHalted",
      moduleType: "MARKET",
      moduleId: "power",
      userId: "olga",
      details: { reason: "a test" },
    });
    expect(Object.keys(halt ?? {})).not.toContain("entityId");
  });

  async function haltAndResume(): Promise<Value[]> {
    await olga.ok("mkt_halt_market", { marketId: "power", reason: "a test" });
    await olga.ok("mkt_resume_market", { marketId: "power" });
    return list(await olga.ok("mkt_get_audit_log", { event: "marketHalted" }), "events");
  }

  test("gives everything with detail full, and the chosen columns with fields", async () => {
    const filter = { moduleId: orderId, event: "orderQueued" };
    const [whole] = list(await alice.ok("mkt_get_audit_log", { ...filter, detail: "full" }), "events");
    const details = { contractId: BASE, side: "BUY", price: 4500, quantity: 30, filledQuantity: 0, status: "working" };
    expect(whole).toMatchObject({ moduleType: "ORDER", moduleId: orderId, orderId, entityId: "alpha", details });
    const [chosen] = list(await alice.ok("mkt_get_audit_log", { ...filter, fields: ["event", "details"] }), "events");
    expect(chosen).toEqual({ id: whole?.["id"], event: "orderQueued", details: whole?.["details"] });
    expect(await alice.failure("mkt_get_audit_log", { fields: ["contract"] })).toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(/moduleType.*details/),
    });
  });

  test("takes event names and module types in any case", async () => {
    const exact = await alice.ok("mkt_get_audit_log", { event: "orderQueued", moduleType: "ORDER" });
    for (const [event, moduleType] of [["orderqueued", "order"], ["ORDERQUEUED", "Order"]]) {
      expect(await alice.ok("mkt_get_audit_log", { event, moduleType })).toEqual(exact);
    }
    expect(exact["count"]).toBe(3);
  });

  test("finds BUY and SELL in the details", async () => {
    const sides = async (search: string) => {
      const log = await alice.ok("mkt_get_audit_log", { event: "orderQueued", search });
      return list(log, "events").map((event) => part(event, "details")["side"]);
    };
    expect(await sides("SELL")).toEqual(["SELL"]);
    expect(await sides("buy")).toEqual(["BUY", "BUY"]);
    expect(await sides('"side":"SELL","price":4400')).toEqual(["SELL"]);
    expect(await sides('"side": "BUY"')).toEqual(["BUY", "BUY"]);
    expect(await sides("BUYER")).toEqual([]);
  });

  test("says which order was probably meant by a moduleId that finds nothing", async () => {
    const log = await alice.ok("mkt_get_audit_log", { moduleId: orderId.toLowerCase() });
    expect(log).toMatchObject({ count: 0, note: expect.stringContaining(`Did you mean ${orderId}?`) });
  });

  test("says how to find a refused order", async () => {
    const refused = "refused:alice:mine";
    await alice.call("mkt_create_test_order", {
      contractId: BASE,
      side: "BUY",
      price: 999_999_999,
      quantity: 1,
      idempotencyKey: "mine",
    });
    expect(text(await alice.ok("mkt_get_audit_log", { moduleId: refused }), "note")).toContain("as search");
    const [event] = list(await alice.ok("mkt_get_audit_log", { search: refused }), "events");
    expect(event).toMatchObject({
      event: "orderRejected",
      orderId: refused,
      details: { contractId: BASE, side: "BUY", price: 999_999_999, quantity: 1, message: expect.any(String) },
    });
  });
});

describe("mkt_get_order_events", () => {
  test("gives an operator an order's history, connected or not, and its common terms once", async () => {
    const seat = await desk.seat("olga");
    for (const operator of [olga, seat]) {
      expect(await operator.ok("mkt_get_order_events", { orderId })).toEqual({
        orderId,
        contractId: BASE,
        entityId: "alpha",
        side: "BUY",
        count: 2,
        hasMore: false,
        cursor: null,
        range: { from: expect.any(String), to: expect.any(String) },
        events: [
          {
            id: expect.any(String),
            time: expect.any(String),
            event: "orderFilled",
            details: { fillPrice: 4500, fillQuantity: 20, counterpartyId: "beta" },
          },
          {
            id: expect.any(String),
            time: expect.any(String),
            event: "orderQueued",
            userId: "alice",
            details: { price: 4500, quantity: 30 },
          },
        ],
      });
    }
    const [whole] = list(await olga.ok("mkt_get_order_events", { orderId, detail: "full" }), "events");
    expect(whole).toMatchObject({ moduleId: orderId, userId: "bob", details: { tradeId: "TRD-1", side: "BUY" } });
  });

  test("gives 50 events a page, and each of them once", async () => {
    const raw = alice.runtime.services.pubsub;
    const order = text(await alice.buy(BASE, 3000, 5), "orderId");
    for (let price = 3001; price <= 3060; price++) await raw.request("order.modify", { orderId: order, price });
    const page = await olga.ok("mkt_get_order_events", { orderId: order });
    expect(page).toMatchObject({ count: 50, hasMore: true });
    expect(list(page, "events")[0]).toMatchObject({
      event: "orderModified",
      details: { price: 3060, previousPrice: 3059 },
    });
    const all = await pagesOf(olga, "mkt_get_order_events", { orderId: order });
    expect(all).toHaveLength(61);
    expect(new Set(all.map(({ id }) => id)).size).toBe(61);
    expect(await olga.failure("mkt_get_order_events", { orderId: order, cursor: "none" })).toMatchObject({
      code: "invalid_input",
    });
  });

  test("takes a day as a date, a time, today or yesterday, and says when the newest event was", async () => {
    const now = new Date().toISOString();
    for (const date of [now, now.slice(0, 10), "today"]) {
      const page = await olga.ok("mkt_get_order_events", { orderId, date });
      expect(page).toMatchObject({ count: 2 });
      expect(part(page, "range")["from"]).toBe(part(page, "range")["to"]);
    }
    for (const date of ["2020-01-01", "2020-01-01T12:00:00Z", "yesterday"]) {
      const page = await olga.ok("mkt_get_order_events", { orderId, date });
      expect(page).toMatchObject({ count: 0, hasMore: false, events: [] });
      expect(text(page, "note")).toMatch(/^Order "ORD-\d+" has no event on \S+\. Its newest event is of \d{4}-/);
    }
    expect(await olga.failure("mkt_get_order_events", { orderId, date: "2020-13-01" })).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("date"),
    });
  });

  test("says of an unknown order what was probably meant", async () => {
    const [fill] = list(await alice.ok("mkt_list_fills", { orderId }), "fills");
    const refused = { contractId: BASE, side: "BUY", price: 999_999_999, quantity: 1, idempotencyKey: "later" };
    await alice.call("mkt_create_test_order", refused);
    const meant: [string, string][] = [
      [orderId.toLowerCase(), orderId],
      [orderId.replace("ORD-", ""), orderId],
      [text(fill, "id"), orderId],
      ["TRD-1", "ORD-1 or ORD-2"],
      ["later", "refused:alice:later"],
    ];
    for (const [given, name] of meant) {
      expect(await olga.failure("mkt_get_order_events", { orderId: given })).toMatchObject({
        code: "not_found",
        message: expect.stringContaining(JSON.stringify(given)),
        hint: expect.stringContaining(`Did you mean ${name}? `),
      });
    }
    for (const given of ["ORD-999999", "refused:alice:never", "constructor"]) {
      expect(await olga.failure("mkt_get_order_events", { orderId: given })).toMatchObject({
        code: "not_found",
        hint: expect.stringContaining("mkt_list_orders"),
      });
    }
    const page = await olga.ok("mkt_get_order_events", { orderId: "refused:alice:later" });
    expect(page).toMatchObject({ count: 1, contractId: BASE, side: "BUY" });
  });

  test("can't check an id without a connection, and says how", async () => {
    const page = await (await desk.seat("olga")).ok("mkt_get_order_events", { orderId: "ORD-999999" });
    expect(page).toMatchObject({ count: 0, events: [] });
    expect(text(page, "note")).toMatch(/mkt_connect_pubsub, then mkt_get_order\.$/);
  });
});
