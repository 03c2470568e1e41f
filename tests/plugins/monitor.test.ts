// The monitor pack with the events of a real engine.

import { beforeAll, describe, expect, test } from "bun:test";
import { column, Desk, list, part, text, type Value } from "./support/desk.ts";
import { BASE, PEAK } from "./support/market.ts";
import { until } from "../support/until.ts";

const desk = await Desk.open();
const [olga, alice, bob] = await desk.all("olga", "alice", "bob");
/** All events, from mkt_get_recent_events. */
let everything: Value[];

/** Two orders trade; of two orders for another product one is cancelled; the market is halted and resumed. */
beforeAll(async () => {
  await alice.buy(BASE, 4500, 10);
  await bob.sell(BASE, 4500, 10);
  const { orderId } = await alice.buy(PEAK, 100, 5);
  await bob.sell(PEAK, 900, 5);
  await alice.ok("mkt_cancel_order", { orderId });
  await olga.ok("mkt_halt_market", { reason: "test" });
  await olga.ok("mkt_resume_market");
  const read = () => olga.ok("mkt_get_recent_events", { limit: 1000 });
  const last = await until(read, (value) => column(value, "events", "type").at(-1) === "resume.market");
  everything = list(last, "events");
});

describe("mkt_get_recent_events", () => {
  test("filters by category and by type, and repeats both", async () => {
    const filters = { category: "order", eventTypes: ["cancel.order", "hold.order"], limit: 50 };
    const recent = await olga.ok("mkt_get_recent_events", filters);
    expect(column(recent, "events", "type")).toEqual(["cancel.order"]);
    expect(recent["filters"]).toEqual(filters);
    const all = await olga.ok("mkt_get_recent_events", { eventTypes: ["cancel.order", "new.fill"] });
    expect(column(all, "events", "type").toSorted()).toEqual(["cancel.order", "new.fill", "new.fill"]);
  });

  test("names the invalid parameter: category, since or eventTypes", async () => {
    const refused = { category: "orders", since: -1, eventTypes: [], limit: 0 };
    for (const [field, value] of Object.entries(refused)) {
      expect(await olga.failure("mkt_get_recent_events", { [field]: value })).toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining(field),
      });
    }
  });
});

describe("the small form of an event", () => {
  const dataOf = (type: string) => everything.filter((event) => event["type"] === type).map(({ data }) => data);

  test("of an order has what its reader needs, and no field that another one determines", () => {
    const order = {
      id: expect.any(String),
      contractId: BASE,
      entityId: "alpha",
      side: "BUY",
      price: 4500,
      quantity: 10,
    };
    expect(dataOf("new.order")[0]).toEqual(order);
    const { entityId: _, ...known } = order;
    expect(dataOf("change.order")[0]).toEqual({ ...known, status: "filled" });
    expect(dataOf("cancel.order")).toEqual([
      { ...order, contractId: PEAK, price: 100, quantity: 5 },
    ]);
  });

  test("of a trade names both entities, and each fill its order and entity, with price and quantity", () => {
    const terms = { contractId: BASE, price: 4500, quantity: 10 };
    const orderId = expect.any(String);
    expect(dataOf("new.fill")).toEqual([
      { ...terms, orderId, entityId: "alpha", side: "BUY" },
      { ...terms, orderId, entityId: "beta", side: "SELL" },
    ]);
    expect(dataOf("new.trade")).toEqual([
      { ...terms, buyEntityId: "alpha", sellEntityId: "beta" },
    ]);
  });

  test("of a book has the levels that changed since the contract's book before; the first one is whole", async () => {
    const levels = list(await olga.ok("mkt_watch_book", { contractId: PEAK }), "events").map(({ data }) => data);
    expect(levels).toEqual([
      {
        bestBid: 100,
        bestAsk: null,
        whole: true,
        bids: [[100, 5]],
      },
      {
        bestBid: 100,
        bestAsk: 900,
        asks: [[900, 5]],
      },
      {
        bestBid: null,
        bestAsk: 900,
        bids: [[100, 0]],
      },
    ]);
  });

  test("names the contract only if the call did not ask for one", async () => {
    const [asked] = list(await olga.ok("mkt_watch_book", { contractId: PEAK, limit: 1 }), "events");
    const [other] = list(await olga.ok("mkt_watch_book", { productCode: "PEAK", limit: 1 }), "events");
    expect<unknown>({ ...part(asked, "data"), contractId: PEAK }).toEqual(part(other, "data"));
    expect(part(asked, "data")).not.toHaveProperty("contractId");
    const [full] = list(await olga.ok("mkt_watch_book", { contractId: PEAK, limit: 1, detail: "full" }), "events");
    expect(part(full, "data")).toMatchObject({ contractId: PEAK });
  });

  test("is much smaller than the full one, which has every field of the order", async () => {
    const small = JSON.stringify(await olga.ok("mkt_watch_orders"));
    const full = await olga.ok("mkt_watch_orders", { detail: "full" });
    expect(list(full, "events")[0]?.["data"]).toMatchObject({
      side: "BUY",
      filledQuantity: 0,
      remainingQuantity: 10,
      productCode: "BASE",
      userId: "alice",
      closeReason: null,
    });
    expect(small.length).toBeLessThan(JSON.stringify(full).length / 1.5);
  });
});

describe("filters by id", () => {
  const typesOf = async (tool: string, input: Record<string, unknown>) =>
    column(await olga.ok(tool, input), "events", "type");

  test("give the events of one contract, of all categories or of one", async () => {
    const every = everything.filter(({ data }) => (data as Value)["contractId"] === PEAK).map(({ type }) => type);
    expect(every.toSorted()).toEqual(
      ["cancel.order", "change.book", "change.book", "change.book", "new.order", "new.order"],
    );
    expect(await typesOf("mkt_get_recent_events", { contractId: PEAK })).toEqual(every);
    expect(await typesOf("mkt_watch_orders", { contractId: PEAK })).toEqual(["new.order", "new.order", "cancel.order"]);
    expect(await typesOf("mkt_watch_fills", { contractId: PEAK })).toEqual([]);
    expect(await typesOf("mkt_watch_market", { contractId: PEAK })).toEqual([]);
  });

  test("give an order's own events, its fill and its trade", async () => {
    const [bought] = await list(await olga.ok("mkt_watch_orders", { entityId: "alpha", contractId: BASE }), "events");
    const orderId = text(part(bought, "data"), "id");
    expect(await typesOf("mkt_get_recent_events", { orderId })).toEqual(
      expect.arrayContaining(["new.order", "change.order", "new.fill", "new.trade"]),
    );
    expect((await typesOf("mkt_get_recent_events", { orderId })).length).toBe(4);
    expect(await typesOf("mkt_watch_fills", { orderId, fillTypes: ["new.trade"] })).toEqual(["new.trade"]);
  });

  test("give an entity's orders, its own fill and its trades on either side", async () => {
    for (const entityId of ["alpha", "beta"]) {
      const { events } = await olga.ok("mkt_watch_fills", { entityId });
      expect((events as Value[]).map(({ type }) => type).toSorted()).toEqual(["new.fill", "new.trade"]);
    }
    expect(await typesOf("mkt_watch_orders", { entityId: "alpha", contractId: PEAK })).toEqual(
      ["new.order", "cancel.order"],
    );
  });

  test.each([
    ["mkt_get_recent_events", "contractId", "base-11"],
    ["mkt_watch_orders", "entityId", "alphaa"],
    ["mkt_watch_fills", "orderId", "no-order"],
    ["mkt_watch_book", "contractId", "base-9"],
    ["mkt_watch_market", "contractId", "none"],
  ])("%s refuses an unknown %s", async (tool, field, value) => {
    for (const since of [undefined, 0]) {
      expect(await olga.failure(tool, { [field]: value, since, waitSeconds: 30 })).toMatchObject({
        code: "not_found",
        message: expect.stringContaining(value),
      });
    }
  });

  test("accept a module that has no event in the category yet", async () => {
    const filters = { entityId: "gamma" };
    expect(await olga.ok("mkt_watch_orders", filters)).toMatchObject({ count: 0, filters: { ...filters, limit: 50 } });
  });
});

describe("filters with unknown names", () => {
  const unknown: [string, Record<string, unknown>, string, string][] = [
    ["mkt_get_recent_events", { eventTypes: ["new.order", "new.oder"] }, 'eventTypes: .*"new.oder"', "new.order, "],
    ["mkt_get_recent_events", { category: "order", eventTypes: ["new.fill"] }, "new.fill.*order", "new.order, "],
    [
      "mkt_get_recent_events",
      { category: "other", eventTypes: ["new.fill"] },
      "new.fill.*other",
      "leave eventTypes out",
    ],
    ["mkt_watch_orders", { orderTypes: ["new.fill"] }, 'orderTypes: .*"new.fill"', "cancel.order, "],
    ["mkt_watch_orders", { orderTypes: ["suspend.order"] }, 'orderTypes: .*"suspend.order"', "cancel.order, "],
    ["mkt_watch_fills", { fillTypes: ["new.trades"] }, 'fillTypes: .*"new.trades"', "new.fill, new.trade."],
  ];

  test.each(unknown)(
    "%s with %p is refused: the message names the value, the hint lists known ones",
    async (tool, input, named, hint) => {
      for (const since of [undefined, 0]) {
        expect(await olga.failure(tool, { ...input, since })).toMatchObject({
          code: "invalid_filter",
          message: expect.stringMatching(new RegExp(named)),
          hint: expect.stringContaining(hint),
        });
      }
    },
  );

  test("mkt_watch_book refuses an unknown product code and lists the known ones", async () => {
    expect(await olga.failure("mkt_watch_book", { productCode: "NONE" })).toMatchObject({
      code: "not_found",
      message: expect.stringContaining("NONE"),
      hint: "Give one of BASE, PEAK, ISLB.",
    });
    expect(await olga.ok("mkt_watch_book", { productCode: "ISLB" })).toMatchObject({ count: 0 });
  });

  test("accepts a declared type before its first event", async () => {
    expect(await olga.ok("mkt_watch_orders", { orderTypes: ["hold.order"] })).toMatchObject({ count: 0 });
    expect(await olga.ok("mkt_get_recent_events", { eventTypes: ["change.spot"] })).toMatchObject({ count: 0 });
  });
});

test("market events give user and reason", async () => {
  expect(list(await olga.ok("mkt_watch_market"), "events")).toMatchObject([
    { type: "halt.market", data: { marketId: "power", status: "halted", previousStatus: "open", reason: "test" } },
    { type: "resume.market", data: { marketId: "power", status: "open", previousStatus: "halted", userId: "olga" } },
  ]);
});
