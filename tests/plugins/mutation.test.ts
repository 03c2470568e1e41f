// The mutation pack with a real engine. outcomes.test.ts has the outcomes that a real engine can't be made to give.

import { beforeEach, describe, expect, test } from "bun:test";
import { column, Desk, list, part, type Seat, text, type Value } from "./support/desk.ts";
import { BASE, PEAK } from "./support/market.ts";
import { until } from "../support/until.ts";

const desk = await Desk.open();
const [alice, bob, olga] = await desk.all("alice", "bob", "olga");

beforeEach(async () => {
  await olga.ok("mkt_flush_all_orders", { confirm: true });
});

const orderOf = (seat: Seat, created: Value) => seat.ok("mkt_get_order", { orderId: created["orderId"] });

describe("connecting", () => {
  test("connects as the configured user and reports it; a repeat succeeds", async () => {
    const seat = await desk.seat("alice");
    const connected = await seat.ok("mkt_connect_pubsub");
    expect(connected).toMatchObject({
      status: "success",
      userId: "alice",
      entityId: "alpha",
      capabilities: ["Market.View", "Order.Submit", "Credit.View", "Credit.Manage"],
      engineId: desk.engine.engineId,
    });
    const again = await seat.ok("mkt_connect_pubsub", { userId: "alice" });
    expect(again).toMatchObject({ status: "success", userId: "alice", epoch: connected["epoch"] });
    expect(text(again, "message")).toContain("Already");
  });

  test("connecting as another user is already_connected until a disconnect", async () => {
    const seat = await desk.connected("alice");
    expect(await seat.failure("mkt_connect_pubsub", { userId: "bob" })).toMatchObject({
      status: "rejected",
      code: "already_connected",
      message: expect.stringContaining("alice"),
    });
    expect(await seat.ok("mkt_disconnect_pubsub")).toMatchObject({ status: "success", userId: "alice" });
    expect((await seat.failure("mkt_watch_orders"))["code"]).toBe("not_connected");
    expect(await seat.ok("mkt_connect_pubsub", { userId: "bob" })).toMatchObject({ userId: "bob", entityId: "beta" });
  });

  test("rejects an unknown user and a user that is not allowed; there is no acting user", async () => {
    const seat = await desk.seat("alice", { MKT_ALLOWED_USER_IDS: "alice" });
    expect(await seat.failure("mkt_connect_pubsub", { userId: "bob" })).toMatchObject({
      status: "rejected",
      code: "forbidden",
    });
    const unknown = await (await desk.seat("nobody")).call("mkt_connect_pubsub");
    expect(unknown.value).toMatchObject({ status: "rejected", error: { code: "not_found" }, userId: null });
  });
});

describe("mkt_create_test_order", () => {
  test("gives the current order: working, then filled by the next order", async () => {
    const bid = await alice.buy(BASE, -1500, 10);
    expect(bid).toMatchObject({
      status: "success",
      userId: "alice",
      orderDetails: { id: bid["orderId"], side: "BUY", price: -1500, quantity: 10, status: "working" },
    });
    expect(await orderOf(alice, bid)).toMatchObject({ side: "BUY", status: "working" });
    const ask = await bob.sell(BASE, -1600, 10);
    expect(ask).toMatchObject({ orderDetails: { side: "SELL", status: "filled", averagePrice: -1500 } });
  });

  test("the status is no_entity for a user without an entity, even if the order is invalid", async () => {
    const { value, isError } = await olga.call("mkt_create_test_order", { ...order, contractId: "none" });
    expect(isError).toBe(true);
    expect(value).toMatchObject({ status: "no_entity", orderId: null, orderDetails: null, userId: "olga" });
    expect(text(part(value, "error"), "hint")).toContain("mkt_list_users");
  });

  const order = { contractId: BASE, side: "BUY", price: 100, quantity: 1 };
  const refusals: [string, Record<string, unknown>, Value][] = [
    ["a contract that is unknown", { contractId: "none" }, { status: "rejected", code: "not_found" }],
    ["a price out of range", { price: 500_001 }, { status: "rejected", code: "invalid_input" }],
    ["a price off the tick", { contractId: PEAK, price: 105, quantity: 5 }, {
      status: "rejected",
      code: "invalid_input",
    }],
    ["a quantity off the lot", { contractId: PEAK, quantity: 7 }, { status: "rejected", code: "invalid_input" }],
    ["a fraction of a cent", { price: 0.5 }, { status: "error", code: "invalid_input" }],
    ["no quantity at all", { quantity: 0 }, { status: "error", code: "invalid_input" }],
    ["a side that is none", { side: "buy" }, { status: "error", code: "invalid_input" }],
  ];

  test.each(refusals)("refuses %s and leaves no trace", async (_what, change, expected) => {
    const { total } = await alice.ok("mkt_list_orders");
    expect(await alice.failure("mkt_create_test_order", { ...order, ...change })).toMatchObject(expected);
    expect(await alice.ok("mkt_list_orders")).toMatchObject({ total });
  });

  test("rejects a user without Order.Submit, and names the permission and who holds it", async () => {
    const vera = await desk.connected("vera");
    expect(await vera.failure("mkt_create_test_order", order)).toMatchObject({
      status: "rejected",
      code: "forbidden",
      message: "User vera lacks the permission Order.Submit. Held by alice, bob, greta, olga.",
    });
  });

  test("rejects orders above the limits of this server with limit_exceeded, and accepts orders at the limits", async () => {
    const seat = await desk.connected("alice", { MKT_MAX_ORDER_QUANTITY: "10", MKT_MAX_ORDER_NOTIONAL: "4800" });
    const before = column(await seat.ok("mkt_get_audit_log", { event: "orderQueued" }), "events", "id");
    const big = { ...order, price: -2000, quantity: 10 };
    expect(await seat.ok("mkt_create_test_order", big)).toMatchObject({ status: "success" });
    for (const change of [{ quantity: 10.001 }, { price: 2001 }, { price: -2001 }]) {
      expect(await seat.failure("mkt_create_test_order", { ...big, ...change })).toMatchObject({
        status: "rejected",
        code: "limit_exceeded",
      });
    }
    const after = column(await seat.ok("mkt_get_audit_log", { event: "orderQueued" }), "events", "id");
    expect(after).toHaveLength(before.length + 1);
  });
});

describe("mkt_cancel_order", () => {
  test("refuses a number for an id, names the order that was probably meant, and cancels nothing", async () => {
    const { orderId } = await alice.buy(BASE, 100, 3);
    const number = String(orderId).replace("ORD-", "");
    expect(await alice.failure("mkt_cancel_order", { orderId: number })).toMatchObject({
      status: "rejected",
      code: "not_found",
      message: `There is no ORDER ${JSON.stringify(number)}.`,
      hint: `Did you mean ${orderId}? mkt_list_orders gives the orders you can see.`,
    });
    expect(await alice.ok("mkt_get_order", { orderId })).toMatchObject({ status: "working" });
  });

  test("of another entity's order names its entity and who can cancel it: an operator", async () => {
    const { orderId } = await bob.sell(BASE, 300, 3);
    const refused = await alice.failure("mkt_cancel_order", { orderId });
    expect(refused).toMatchObject({ status: "rejected", code: "forbidden" });
    expect(text(refused, "message")).toContain("belongs to entity beta");
    expect(text(refused, "message")).toContain("users with Market.Operate");
    expect(text(refused, "hint")).toContain("mkt_connect_pubsub");
    expect(await olga.ok("mkt_cancel_order", { orderId })).toMatchObject({ status: "success", userId: "olga" });
  });
});

describe("idempotencyKey", () => {
  const order = { contractId: BASE, side: "BUY", price: 100, quantity: 5 };

  test("repeating an order returns the first order in its current state", async () => {
    const keyed = { ...order, idempotencyKey: "alices-first" };
    const first = await alice.ok("mkt_create_test_order", keyed);
    expect(first).toMatchObject({ clientOrderId: "alices-first", orderDetails: { status: "working" } });
    const { orderId } = first;
    await bob.sell(BASE, 100, 5);
    await until(() => alice.ok("mkt_get_order", { orderId }), ({ status }) => status === "filled");
    const elsewhere = await desk.connected("alice");
    for (const seat of [alice, elsewhere]) {
      const repeat = await seat.ok("mkt_create_test_order", keyed);
      expect(repeat).toMatchObject({ status: "success", orderId, orderDetails: { status: "filled" } });
      expect(text(repeat, "message")).toContain("is filled");
    }
    const { orders } = await alice.ok("mkt_list_orders", { entityId: "alpha", fields: ["clientOrderId"] });
    expect(orders).toContainEqual(expect.objectContaining({ id: orderId, clientOrderId: "alices-first" }));
  });

  test("many concurrent calls with one key create one order, and each returns it", async () => {
    const keyed = { ...order, idempotencyKey: "all-at-once" };
    const answers = await Promise.all(Array.from({ length: 20 }, () => alice.ok("mkt_create_test_order", keyed)));
    expect(new Set(answers.map(({ orderId }) => orderId)).size).toBe(1);
    expect(await alice.ok("mkt_list_orders", { status: "working" })).toMatchObject({ total: 1 });
  });

  test("a key of a different request is refused, and nothing changes", async () => {
    await alice.ok("mkt_create_test_order", { ...order, idempotencyKey: "taken" });
    const refusal = { status: "rejected", code: "invalid_input", hint: expect.stringContaining("idempotencyKey") };
    expect(await alice.failure("mkt_create_test_order", { ...order, quantity: 6, idempotencyKey: "taken" }))
      .toMatchObject(refusal);
    const { orderId } = await alice.buy(BASE, 90, 1);
    expect(await alice.failure("mkt_cancel_order", { orderId, idempotencyKey: "taken" })).toMatchObject(refusal);
    expect(await alice.ok("mkt_list_orders", { status: "working" })).toMatchObject({ total: 2 });
    expect(await bob.ok("mkt_create_test_order", { ...order, price: 80, idempotencyKey: "taken" }))
      .toMatchObject({ clientOrderId: "taken" });
  });

  test("a preview does not use up the key of the flush after it", async () => {
    await alice.buy(BASE, 100, 5);
    const flush = { contractId: BASE, idempotencyKey: "flush-once" };
    const count = (counted: number) => ({ ordersAffected: counted });
    expect(await olga.ok("mkt_flush_order_book", flush)).toMatchObject(count(1));
    expect(await olga.ok("mkt_flush_order_book", { ...flush, confirm: true })).toMatchObject(count(1));
    await alice.buy(BASE, 100, 5);
    expect(await olga.ok("mkt_flush_order_book", { ...flush, confirm: true })).toMatchObject(count(1));
    expect(await alice.ok("mkt_list_orders", { status: "working" })).toMatchObject({ total: 1 });
  });
});

test.each(["mkt_halt_market", "mkt_resume_market"])("%s of an unknown market is rejected", async (tool) => {
  const { value } = await olga.call(tool, { marketId: "moon" });
  expect(value).toMatchObject({
    status: "rejected",
    marketId: "moon",
    marketStatus: null,
    error: { code: "not_found" },
  });
});

describe("mkt_set_credit_limit", () => {
  const limit = { entityId: "alpha", counterpartyId: "gamma", limitType: "mwh", scope: "total", limit: 500 };

  test("sets a limit of the user's entity; a second limit of the same type and scope replaces it", async () => {
    const first = await alice.ok("mkt_set_credit_limit", limit);
    expect(part(first, "result")).toMatchObject({
      entityId: "alpha",
      counterpartyId: "gamma",
      limits: [{ limitType: "mwh", scope: "total", limit: 500 }],
    });
    const second = await alice.ok("mkt_set_credit_limit", { ...limit, limit: 600 });
    expect(part(second, "result")).toMatchObject({ limits: [{ limit: 600, used: 0, available: 600 }] });
    const third = await alice.ok("mkt_set_credit_limit", { ...limit, scope: "per_contract", contractId: BASE });
    expect(list(part(third, "result"), "limits")).toHaveLength(2);
    const { configs } = await alice.ok("mkt_list_credit_limit_configs", { entityId: "alpha" });
    expect(configs).toContainEqual(expect.objectContaining({ limitType: "mwh", scope: "total", value: 600 }));
  });

  test("contractId is required for per_contract and refused for total", async () => {
    const unfit: [Record<string, unknown>, RegExp][] = [
      [{ scope: "per_contract" }, /^contractId is required/],
      [{ contractId: BASE }, new RegExp(`^contractId "${BASE}" was given.*to all contracts`)],
    ];
    for (const [change, message] of unfit) {
      expect(await alice.failure("mkt_set_credit_limit", { ...limit, ...change })).toMatchObject({
        status: "error",
        code: "invalid_input",
        message: expect.stringMatching(message),
      });
    }
  });

  const margins: [string, number | undefined, boolean][] = [
    ["mw", 50, true],
    ["mwh", 0, true],
    ["mwh", 100, true],
    ["mwh", undefined, false],
    ["notional", 0, false],
    ["notional", 50, false],
  ];

  test.each(margins)(
    "a %s limit with marginPercent %p is set; the message says if it has no effect",
    async (...given) => {
      const [limitType, marginPercent, isWithoutEffect] = given;
      const set = await alice.ok("mkt_set_credit_limit", { ...limit, limitType, limit: 7, marginPercent });
      expect(list(part(set, "result"), "limits")).toContainEqual(expect.objectContaining({ limitType, limit: 7 }));
      expect(text(set, "message")).toStartWith(`The total ${limitType} limit of alpha for gamma is 7 `);
      expect(text(set, "message").includes("has no effect")).toBe(isWithoutEffect);
      if (isWithoutEffect) expect(text(set, "message")).toContain(`marginPercent ${marginPercent}`);
    },
  );

  test("the engine rejects an unknown counterparty, and the entity itself", async () => {
    for (const counterpartyId of ["none", "alpha"]) {
      expect((await alice.failure("mkt_set_credit_limit", { ...limit, counterpartyId }))["status"]).toBe("rejected");
    }
  });
});

describe("flushing", () => {
  test("refuses unknown ids, and ids that don't belong together, before anything is sent", async () => {
    const { engineId } = await olga.ok("mkt_flush_order_book");
    expect(await olga.failure("mkt_flush_order_book", { engineId, contractId: PEAK, confirm: true })).toMatchObject({
      status: "error",
      code: "invalid_input",
    });
    const { value } = await olga.call("mkt_flush_order_book", { contractId: "none", confirm: true });
    expect(value).toMatchObject({
      status: "rejected",
      error: { code: "not_found" },
      engineId: null,
      contractId: "none",
      ordersAffected: null,
    });
  });

  test("without Market.Operate even a preview is rejected", async () => {
    for (const tool of ["mkt_flush_order_book", "mkt_flush_all_orders"]) {
      expect(await alice.failure(tool)).toMatchObject({ status: "rejected", code: "forbidden" });
    }
  });
});
