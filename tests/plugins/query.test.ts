// The query pack with a real engine.

import { beforeAll, describe, expect, test } from "bun:test";
import { column, Desk, list, number, part, text } from "./support/desk.ts";
import { BASE, ISLAND, PEAK } from "./support/market.ts";
import { until } from "../support/until.ts";

const desk = await Desk.open();
const [alice, bob, olga] = await desk.all("alice", "bob", "olga");

/** Alice buys 20 MW from Bob at $45/MWh for 24 hours: 480 MWh, $21,600. */
beforeAll(async () => {
  await alice.buy(BASE, 4500, 30);
  await bob.sell(BASE, 4400, 20);
  for (const seat of [alice, bob, olga]) {
    await until(() => seat.ok("mkt_list_fills"), ({ total }) => total === 2);
  }
});

describe("the server itself", () => {
  test("mkt_ping gives the version and the number of offered tools", async () => {
    const ping = await alice.ok("mkt_ping");
    expect(ping).toMatchObject({ status: "ok", server: "mkt", version: "1.2.3" });
    expect(ping["toolCount"]).toBe(alice.runtime.dispatcher.catalogue.names.length);
    expect(Math.abs(Date.parse(text(ping, "timestamp")) - Date.now())).toBeLessThan(60_000);
  });

  test("mkt_connection_status shows whether the server is connected, and what is buffered", async () => {
    const unconnected = await (await desk.seat("alice")).ok("mkt_connection_status");
    expect(unconnected).toMatchObject({
      connections: { pubsub: { status: "disconnected", userId: null } },
      eventBuffer: { totalEvents: 0, latestSequence: 0, oldestEvent: null, newestEvent: null, epoch: null },
    });
    const status = await alice.ok("mkt_connection_status");
    expect(status).toMatchObject({
      connections: { pubsub: { status: "connected", userId: "alice", entityId: "alpha" } },
      eventBuffer: { byCategory: { fill: 3 } },
    });
    const buffer = part(status, "eventBuffer");
    const counts = Object.values(part(buffer, "byCategory")) as number[];
    expect(counts.reduce((sum, count) => sum + count)).toBe(number(buffer, "totalEvents"));
    expect(text(buffer, "oldestEvent") <= text(buffer, "newestEvent")).toBe(true);
  });
});

describe("market and book", () => {
  test("mkt_get_market_state gives the default or the named market", async () => {
    const state = await alice.ok("mkt_get_market_state");
    expect(state).toMatchObject({
      id: "power",
      status: "open",
      halted: false,
      timezone: "America/Chicago",
      open: null,
    });
    expect(Math.abs(Date.parse(text(state, "currentTime")) - Date.now())).toBeLessThan(60_000);
    expect(await alice.ok("mkt_get_market_state", { marketId: "island" })).toMatchObject({ timezone: "Europe/Oslo" });
    expect(await alice.failure("mkt_get_market_state", { marketId: "moon" })).toMatchObject({
      code: "not_found",
      message: expect.stringContaining("moon"),
    });
  });

  test("mkt_get_order_book gives the book of the first engine, a contract or an engine", async () => {
    const book = await alice.ok("mkt_get_order_book");
    expect(book).toMatchObject({
      contractId: BASE,
      bids: [{ price: 4500, volume: 10, orderCount: 1 }],
      asks: [],
      spread: null,
      totalWorkingOrders: 1,
      lastPrice: 4500,
    });
    const { contractId } = await alice.ok("mkt_get_order_book", { contractId: PEAK });
    expect(contractId).toBe(PEAK);
    expect(await alice.ok("mkt_get_order_book", { engineId: book["engineId"] })).toEqual(book);
    expect(await alice.ok("mkt_get_order_book", { engineId: book["engineId"], contractId: BASE })).toEqual(book);
  });

  test("mkt_get_order_book refuses unknown ids, and ids that don't belong together", async () => {
    const { engineId } = await alice.ok("mkt_get_order_book");
    expect((await alice.failure("mkt_get_order_book", { contractId: "none" }))["code"]).toBe("not_found");
    expect((await alice.failure("mkt_get_order_book", { engineId: "none" }))["code"]).toBe("not_found");
    expect(await alice.failure("mkt_get_order_book", { engineId, contractId: PEAK })).toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(/engineId.*contractId/),
    });
  });
});

describe("orders and fills", () => {
  test("mkt_get_order gives the whole module, with its side as BUY or SELL", async () => {
    const [partial] = list(await alice.ok("mkt_list_orders", { entityId: "alpha", status: "partial" }), "orders");
    const order = await bob.ok("mkt_get_order", { orderId: partial?.["id"] });
    expect(order).toMatchObject({
      entityId: "alpha",
      userId: "alice",
      side: "BUY",
      price: 4500,
      quantity: 30,
      filledQuantity: 20,
      remainingQuantity: 10,
      averagePrice: 4500,
      status: "partial",
      closeReason: null,
    });
    expect((await bob.failure("mkt_get_order", { orderId: "none" }))["code"]).toBe("not_found");
  });

  test("mkt_list_fills filters by entity and order, and mkt_get_fill gives the same fill", async () => {
    const fills = list(await bob.ok("mkt_list_fills", { entityId: "alpha" }), "fills");
    const [fill] = fills;
    expect(fills).toMatchObject([{ counterpartyId: "beta", side: "BUY", price: 4500, quantity: 20 }]);
    expect(await bob.ok("mkt_list_fills", { orderId: fill?.["orderId"] })).toMatchObject({ count: 1, fills });
    expect(await bob.ok("mkt_list_fills", { orderId: fill?.["orderId"], entityId: "beta" })).toMatchObject({
      count: 0,
    });
    const whole = await bob.ok("mkt_get_fill", { fillId: fill?.["id"] });
    expect(whole).toMatchObject({ ...fill, liquidity: "resting", notional: 21_600 });
    expect(list(await bob.ok("mkt_list_fills", { entityId: "alpha", fields: ["all"] }), "fills")).toEqual([whole]);
    expect((await bob.failure("mkt_get_fill", { fillId: "none" }))["code"]).toBe("not_found");
  });
});

describe("filters with unknown names", () => {
  const ENTITIES = "Give one of alpha, beta, gamma.";
  const unknown: [string, Record<string, unknown>, string, string][] = [
    ["mkt_list_orders", { entityId: "nobody" }, "entityId", ENTITIES],
    ["mkt_list_fills", { entityId: "nobody" }, "entityId", ENTITIES],
    ["mkt_list_fills", { orderId: "ORD-none", entityId: "alpha" }, "orderId", "Give one of ORD-"],
    ["mkt_list_users", { entityId: "nobody" }, "nobody", "mkt_list_entities"],
    [
      "mkt_find_modules",
      { moduleType: "ORDER", filters: { productCode: "NONE" } },
      "productCode",
      "Give one of BASE, PEAK",
    ],
    [
      "mkt_get_audit_log",
      { moduleType: "ordr" },
      "moduleType",
      "Did you mean ORDER? Give one of MARKET, PRODUCT",
    ],
    ["mkt_get_audit_log", { event: "orderQueud" }, "event", "Did you mean orderQueued? Give one of orderQueued,"],
    ["mkt_get_audit_log", { event: "potato" }, "event", "Give one of orderQueued,"],
  ];

  test.each(unknown)(
    "%s with %p is refused: the message names the value, the hint lists known ones",
    async (tool, input, named, hint) => {
      expect(await alice.failure(tool, input)).toMatchObject({
        code: tool === "mkt_get_audit_log" ? "invalid_filter" : "not_found",
        message: expect.stringContaining(named),
        hint: expect.stringContaining(hint),
      });
    },
  );

  const empty: [string, Record<string, unknown>][] = [
    ["mkt_list_orders", { entityId: "gamma", status: "filled" }],
    ["mkt_list_fills", { entityId: "gamma" }],
    ["mkt_find_modules", { moduleType: "ORDER", filters: { clientOrderId: "never sent" } }],
    ["mkt_find_modules", { moduleType: "USER", filters: { entityId: { value: "nobody", operator: "contains" } } }],
    ["mkt_find_modules", { moduleType: "FILL", filters: { entityId: "gamma", side: 1 } }],
    ["mkt_get_audit_log", { moduleType: "QUEUE" }],
    ["mkt_get_audit_log", { event: "developmentReset" }],
    ["mkt_get_audit_log", { moduleId: "never there" }],
  ];

  test.each(empty)("%s with %p, which has only known names, finds nothing and succeeds", async (tool, input) => {
    const found = await alice.ok(tool, input);
    expect(found["total"] ?? found["count"]).toBe(0);
  });

  test("a filter with a known and an unknown name finds the known one", async () => {
    const filters = { entityId: { value: ["nobody", "alpha"], operator: "in" } };
    expect((await alice.ok("mkt_find_modules", { moduleType: "USER", filters }))["ids"]).toEqual(["alice", "vera"]);
  });
});

describe("entities, users, products", () => {
  test("entities and users need no connection", async () => {
    const seat = await desk.seat("alice");
    expect(await seat.ok("mkt_list_entities")).toMatchObject({ count: 3, total: 3 });
    expect(await seat.ok("mkt_list_entities", { limit: 2 })).toMatchObject({ count: 2, total: 3 });
    expect(await seat.ok("mkt_get_entity", { entityId: "beta" })).toMatchObject({ id: "beta", userIds: ["bob"] });
    expect(await seat.ok("mkt_list_users")).toMatchObject({ count: 5, total: 5 });
    expect(column(await seat.ok("mkt_list_users", { entityId: "alpha" }), "users", "id")).toEqual(["alice", "vera"]);
    expect(await seat.ok("mkt_list_users", { entityId: "alpha", limit: 1 })).toMatchObject({ count: 1, total: 2 });
    expect(await seat.ok("mkt_get_user", { userId: "bob" })).toMatchObject({ entityId: "beta", connected: true });
    expect((await seat.failure("mkt_get_entity", { entityId: "none" }))["code"]).toBe("not_found");
    expect((await seat.failure("mkt_get_user", { userId: "none" }))["code"]).toBe("not_found");
  });

  test("products have the lot, tick and price range of their contracts", async () => {
    expect(await alice.ok("mkt_list_products", { limit: 2 })).toMatchObject({ count: 2, total: 3 });
    expect(await alice.ok("mkt_get_product", { productId: "peak" })).toMatchObject({
      code: "PEAK",
      contractSpecification: { lot: 5, tick: 10, minimumPrice: -50_000, maximumPrice: 500_000 },
    });
    expect((await alice.failure("mkt_get_product", { productId: "none" }))["code"]).toBe("not_found");
  });
});

describe("credit", () => {
  test("mkt_get_credit_status counts a trade at its margin, by counterparty and in total", async () => {
    const status = await bob.ok("mkt_get_credit_status", { entityId: "beta" });
    expect(status).toMatchObject({ entityId: "beta", marketId: "power", usedCredit: 10_800, availableCredit: 489_200 });
    const ofAlpha = list(status, "creditLimits").find(({ counterpartyId }) => counterpartyId === "alpha");
    expect(ofAlpha).toEqual({
      counterpartyId: "alpha",
      tradable: true,
      reason: null,
      documentation: { entity: "docs_in_place", counterparty: "docs_in_place" },
      available: { notional: 489_200, mw: null, mwh: null },
      creditLimit: 500_000,
      usedCredit: 10_800,
      availableCredit: 489_200,
    });
    expect(await alice.ok("mkt_get_credit_status", { entityId: "alpha" })).toMatchObject({ usedCredit: 21_600 });
  });

  test("mkt_get_extended_credit gives limits and usage by type, and both documentation statuses", async () => {
    const credit = await bob.ok("mkt_get_extended_credit", { entityId: "beta", counterpartyId: "alpha" });
    expect(credit).toMatchObject({
      limits: {
        notional: [{ scope: "total", limit: 500_000, marginPercent: 50, used: 10_800 }],
        mw: [{ scope: "per_contract", contractId: BASE, limit: 80, used: 20, available: 60 }],
        mwh: [{ contractId: ISLAND, limit: 1200, used: 0, available: 1200 }],
      },
      tradable: true,
      reason: null,
      usage: { notional: 21_600, mw: 20, mwh: 480 },
      documentationStatus: { entity: "docs_in_place", counterparty: "docs_in_place", inPlace: true },
      notes: "signed",
    });
  });

  test("with Scope.Global every entity's credit is visible; an unknown entity is not_found", async () => {
    expect(await olga.ok("mkt_get_credit_status", { entityId: "beta" })).toMatchObject({ usedCredit: 10_800 });
    expect((await olga.ok("mkt_list_credit_limit_configs", { entityId: "beta" }))["totalConfigs"]).toBe(3);
    expect((await olga.failure("mkt_get_credit_status", { entityId: "none" }))["code"]).toBe("not_found");
    expect((await olga.failure("mkt_get_extended_credit", { entityId: "beta", counterpartyId: "none" }))["code"])
      .toBe("not_found");
  });
});

describe("modules", () => {
  test("mkt_find_modules gives ids, and whole modules with includeData", async () => {
    const found = await alice.ok("mkt_find_modules", { moduleType: "CONTRACT", filters: { marketId: "power" } });
    expect(found).toEqual({
      moduleType: "CONTRACT",
      total: 2,
      returned: 2,
      hasMore: false,
      cursor: null,
      ids: [BASE, PEAK],
    });
    const one = await alice.ok("mkt_find_modules", {
      moduleType: "CONTRACT",
      filters: { hours: { value: 10, operator: "gt" } },
      limit: 1,
      fields: ["all"],
    });
    expect(one).toMatchObject({ total: 2, returned: 1, ids: [BASE], modules: [{ id: BASE, hours: 24 }] });
    const refused = await alice.failure("mkt_find_modules", { moduleType: "ENGINE", filters: { bids: 1 } });
    expect(refused).toMatchObject({ code: "invalid_filter", message: expect.stringContaining("bids") });
    const misnamed = await alice.failure("mkt_find_modules", { moduleType: "ENGINE", filters: { colour: 1 } });
    expect(misnamed).toMatchObject({ code: "invalid_filter", message: expect.stringContaining("colour") });
    const dropped = { moduleType: "ENGINE", filters: JSON.parse(`{"__proto__":1}`) as unknown };
    expect((await alice.failure("mkt_find_modules", dropped))["code"]).toBe("invalid_input");
    for (const filters of [[], "price=1"]) {
      expect(await alice.failure("mkt_find_modules", { moduleType: "ENGINE", filters })).toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining("filters"),
      });
    }
    const unknown = await alice.failure("mkt_find_modules", { moduleType: "POTATO" });
    expect(unknown).toMatchObject({ code: "invalid_input", message: expect.stringContaining("moduleType") });
  });
});
