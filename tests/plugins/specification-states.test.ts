// The specification's tables of states and transitions, one test for each row.

import { describe, expect, test } from "bun:test";
import { failure, succeed } from "../support/official-client.ts";
import { NORTH, startPowerMarket, submit, WEST } from "../support/power-market.ts";
import { until } from "../support/until.ts";

const SECRET = "only-for-tests";

const market = await startPowerMarket({ secret: SECRET });
const [anna, bert, operator] = await Promise.all([
  market.trader("anna"),
  market.trader("bert"),
  market.trader("operator", { STRESS_TEST_SECRET: SECRET }),
]);

const idOf = async (...order: Parameters<typeof submit>) => (await submit(...order))["orderId"] as string;
const orderOf = (orderId: string) => succeed(operator, "mkt_get_order", { orderId });
const untilStatus = (orderId: string, status: string) =>
  until(() => orderOf(orderId).catch(() => ({ status: "unknown" })), (order) => order["status"] === status);

describe("market status", () => {
  test("any market, mkt_halt_market, caller holds Market.Operate: halted, all order matching pauses, reason is logged", async () => {
    const bid = await idOf(anna, "BUY", 4000, 2);
    expect(await succeed(operator, "mkt_halt_market", { reason: "price error in feed" })).toMatchObject({
      status: "success",
      marketId: "power",
      marketStatus: "halted",
    });
    const ask = await idOf(bert, "SELL", 4000, 2);
    await untilStatus(ask, "held");
    expect((await orderOf(bid))["status"]).toBe("working");
    expect(await succeed(operator, "mkt_get_market_state")).toMatchObject({ status: "halted", halted: true });
    const audit = await succeed(operator, "mkt_get_audit_log", { event: "marketHalted" });
    expect(JSON.stringify(audit["events"])).toContain("price error in feed");
    const again = await succeed(operator, "mkt_halt_market", {});
    expect(again).toMatchObject({ status: "success", marketStatus: "halted" });
  });

  test("halted, mkt_resume_market, caller holds Market.Operate: trading resumes; reason is logged", async () => {
    const resumed = await succeed(operator, "mkt_resume_market", { reason: "feed is right again" });
    expect(resumed).toMatchObject({ status: "success", marketId: "power", marketStatus: "open" });
    const { orders } = await succeed(operator, "mkt_list_orders", { status: "filled" });
    expect((orders as unknown[]).length).toBe(2);
    const audit = await succeed(operator, "mkt_get_audit_log", { event: "marketResumed" });
    expect(JSON.stringify(audit["events"])).toContain("feed is right again");
    const watched = await succeed(operator, "mkt_watch_market");
    expect((watched["events"] as { type: string }[]).map(({ type }) => type)).toEqual([
      "halt.market",
      "resume.market",
    ]);
  });
});

describe("order status", () => {
  test("working or partial, mkt_cancel_order, confirmation within 15 s: cancelled", async () => {
    const working = await idOf(anna, "BUY", 3000, 4);
    expect(await succeed(anna, "mkt_cancel_order", { orderId: working })).toMatchObject({
      status: "success",
      orderDetails: { status: "cancelled", remainingQuantity: 0 },
    });
    const partial = await idOf(anna, "BUY", 3000, 4);
    await idOf(bert, "SELL", 3000, 1);
    await untilStatus(partial, "partial");
    expect(await succeed(anna, "mkt_cancel_order", { orderId: partial })).toMatchObject({
      status: "success",
      orderDetails: { status: "cancelled", filledQuantity: 1 },
    });
  });

  test("filled or cancelled, mkt_cancel_order: unchanged, result status not_cancellable", async () => {
    const filled = await idOf(anna, "BUY", 3100, 1);
    await idOf(bert, "SELL", 3100, 1);
    await untilStatus(filled, "filled");
    const answer = await anna.call("mkt_cancel_order", { orderId: filled });
    expect(answer).toMatchObject({
      isError: true,
      structured: { status: "not_cancellable", orderDetails: { status: "filled" } },
    });
    expect((await orderOf(filled))["status"]).toBe("filled");
  });

  test("open orders in a book, mkt_flush_order_book with confirm=true, Market.Operate: cancelled, all of that engine", async () => {
    const here = [await idOf(anna, "BUY", 100, 1), await idOf(bert, "SELL", 9000, 1)];
    const elsewhere = await idOf(anna, "BUY", 100, 5, WEST);
    const flushed = await succeed(operator, "mkt_flush_order_book", { contractId: NORTH, confirm: true });
    expect(flushed).toMatchObject({ status: "success", contractId: NORTH, ordersAffected: 2 });
    for (const orderId of here) expect((await orderOf(orderId))["status"]).toBe("cancelled");
    expect((await orderOf(elsewhere))["status"]).toBe("working");
  });

  test("all orders, mkt_flush_all_orders with confirm=true, Market.Operate: cancelled, fill history cleared", async () => {
    const open = await idOf(anna, "BUY", 100, 1);
    expect((await succeed(operator, "mkt_list_fills"))["count"]).toBeGreaterThan(0);
    const { ordersAffected } = await succeed(operator, "mkt_flush_all_orders", { confirm: true });
    expect(ordersAffected).toBe(2);
    expect(await orderOf(open)).toMatchObject({ status: "cancelled", closeReason: "flushed" });
    for (const status of ["working", "partial", "held"]) {
      expect(await succeed(operator, "mkt_list_orders", { status })).toMatchObject({ count: 0, total: 0 });
    }
    expect(await succeed(operator, "mkt_list_fills")).toMatchObject({ count: 0, total: 0 });
    expect(await succeed(operator, "mkt_get_order_book", { contractId: NORTH })).toMatchObject({
      bids: [],
      asks: [],
    });
    expect((await succeed(operator, "mkt_find_modules", { moduleType: "TRADE" }))["total"]).toBeGreaterThan(0);
  });
});

describe("documentation status", () => {
  const pair = { entityId: "aurora", counterpartyId: "borealis" };

  test.each(["no_docs", "pending", "docs_in_place"])(
    "mkt_set_documentation_status sets %s for a pair, from any value",
    async (status) => {
      expect(await succeed(anna, "mkt_set_documentation_status", { ...pair, status, notes: `now ${status}` }))
        .toMatchObject({
          status: "success",
          result: { documentation: status, notes: `now ${status}` },
        });
      const seen = await until(
        () => succeed(operator, "mkt_get_extended_credit", pair),
        (credit) => JSON.stringify(credit["documentationStatus"]).includes(status),
      );
      expect(JSON.stringify(seen)).toContain(status);
    },
  );

  test("both parties must mark docs_in_place before trading between them is allowed", async () => {
    await succeed(anna, "mkt_set_documentation_status", { ...pair, status: "pending" });
    const bid = await idOf(anna, "BUY", 5000, 1);
    const ask = await idOf(bert, "SELL", 5000, 1);
    await untilStatus(ask, "working");
    await succeed(anna, "mkt_set_documentation_status", { ...pair, status: "docs_in_place" });
    await untilStatus(bid, "filled");
    await untilStatus(ask, "filled");
  });

  test("mkt_dev_reset_credit_and_docs sets every pair to docs_in_place, unless skipDocs", async () => {
    await succeed(anna, "mkt_set_documentation_status", { ...pair, status: "no_docs" });
    const skipped = await succeed(operator, "mkt_dev_reset_credit_and_docs", {
      creditLimit: 5_000_000,
      skipDocs: true,
    });
    expect(skipped).toMatchObject({
      status: "success",
      summary: { entities: 3, pairs: 6, docsUpdates: 0 },
      errors: [],
    });
    const still = await until(
      () => succeed(operator, "mkt_list_credit_limit_configs", { entityId: "cirrus" }),
      (configs) => configs["totalConfigs"] === 2,
    );
    expect(still["configs"]).toMatchObject([{ limit: 5_000_000 }, { limit: 5_000_000 }]);
    expect(JSON.stringify(await succeed(operator, "mkt_get_extended_credit", pair))).toContain("no_docs");
    const reset = await succeed(operator, "mkt_dev_reset_credit_and_docs", { creditLimit: 5_000_000 });
    expect(reset).toMatchObject({ status: "success", errors: [] });
    const { modules } = await succeed(operator, "mkt_find_modules", { moduleType: "CREDIT", includeData: true });
    expect((modules as unknown[]).length).toBe(6);
    for (const credit of modules as Record<string, unknown>[]) {
      expect(credit).toMatchObject({ documentation: "docs_in_place", counterpartyDocumentation: "docs_in_place" });
    }
  });
});

describe("PubSub connection", () => {
  test("not connected, mkt_connect_pubsub: connected, snapshot cache populated, event buffer receiving", async () => {
    const client = await market.client("cleo");
    expect((await succeed(client, "mkt_connection_status"))["connections"]).toMatchObject({
      pubsub: { status: "disconnected" },
    });
    const connected = await succeed(client, "mkt_connect_pubsub");
    expect(connected).toMatchObject({ status: "success", userId: "cleo", entityId: "cirrus" });
    expect((await succeed(client, "mkt_list_products"))["count"]).toBe(2);
    const { latestSequence } = await succeed(client, "mkt_watch_orders");
    const orderId = await idOf(anna, "BUY", 50, 1);
    const seen = await until(
      () => succeed(client, "mkt_watch_orders", { since: latestSequence }),
      (page) => (page["count"] as number) > 0,
    );
    expect(seen["events"]).toMatchObject([{ type: "new.order", category: "order", data: { id: orderId } }]);
  });

  test("connected, mkt_disconnect_pubsub: not connected, real-time streaming stops", async () => {
    const client = await market.trader("cleo");
    expect(await succeed(client, "mkt_disconnect_pubsub")).toMatchObject({ status: "success", userId: "cleo" });
    expect((await succeed(client, "mkt_connection_status"))["connections"]).toMatchObject({
      pubsub: { status: "disconnected" },
    });
    const before = await succeed(client, "mkt_connection_status");
    await idOf(anna, "BUY", 51, 1);
    await until(() => succeed(operator, "mkt_watch_orders"), (page) => JSON.stringify(page).includes('"price":51'));
    expect((await succeed(client, "mkt_connection_status"))["eventBuffer"]).toEqual(before["eventBuffer"] as never);
    expect(await failure(client, "mkt_watch_orders")).toMatchObject({ error: { code: "not_connected" } });
  });
});
