// The specification's table of errors, one test for each row. Rows that are about HTTP bodies: http-limits.test.ts.

import { expect, test } from "bun:test";
import { unavailability } from "../../core/packs/pack-choice.ts";
import dev from "../../plugins/dev/index.ts";
import { configurationFor } from "../core/support/services.ts";
import { connected, failure, succeed } from "../support/official-client.ts";
import { clientHere } from "../support/in-process.ts";
import { NORTH, startPowerMarket, WEST } from "../support/power-market.ts";
import { startSilentEngine } from "../support/silent-engine.ts";

const SECRET = "only-for-tests";
const PAIR = { entityId: "aurora", counterpartyId: "borealis" };
const BUY = { contractId: NORTH, side: "BUY", price: 4000, quantity: 5 };

const market = await startPowerMarket({ secret: SECRET });
const anna = await market.trader("anna");

test("mkt_create_test_order confirmation not received in 15 s: result status timeout", async () => {
  const silent = startSilentEngine();
  const client = await connected(clientHere({ ...silent.environmentFor("anna"), MKT_CONFIRM_TIMEOUT_MS: "150" }));
  const answer = await client.call("mkt_create_test_order", { contractId: "c", side: "BUY", price: 1, quantity: 1 });
  expect(answer).toMatchObject({
    isError: true,
    structured: { status: "timeout", orderId: null, error: { code: "timeout" } },
  });
  const [sent] = silent.requests as { operationId: string; validUntil: string }[];
  expect(answer.text).toContain(sent?.operationId ?? "nothing was sent");
  expect(answer.text).toContain(`can't take effect after ${sent?.validUntil}`);
});

test("mkt_create_test_order backend refuses the order: result status rejected", async () => {
  const outOfRange = await anna.call("mkt_create_test_order", { ...BUY, price: 900_000 });
  expect(outOfRange).toMatchObject({ isError: true, structured: { status: "rejected", orderId: null } });
  expect(outOfRange.text).toContain("500000");
  const notALot = await anna.call("mkt_create_test_order", { ...BUY, contractId: WEST, price: 100, quantity: 7 });
  expect(notALot).toMatchObject({ isError: true, structured: { status: "rejected" } });
});

test("mkt_create_test_order while no PubSub connection: result status not_connected", async () => {
  const client = await market.client("anna");
  const answer = await client.call("mkt_create_test_order", BUY);
  expect(answer).toMatchObject({
    isError: true,
    structured: {
      status: "not_connected",
      orderId: null,
      orderDetails: null,
      userId: null,
      error: { code: "not_connected", hint: expect.stringContaining("mkt_connect_pubsub") },
    },
  });
});

test("mkt_create_test_order when the connected user has no entity: result status no_entity", async () => {
  const submitter = await market.trader("submitter");
  const answer = await submitter.call("mkt_create_test_order", BUY);
  expect(answer).toMatchObject({ isError: true, structured: { status: "no_entity", orderId: null } });
});

test("mkt_create_test_order other failure: result status error", async () => {
  const answer = await anna.call("mkt_create_test_order", { ...BUY, side: "HOLD", quantity: -1 });
  expect(answer).toMatchObject({ isError: true, structured: { status: "error", error: { code: "invalid_input" } } });
  expect(answer.text).toContain("side");
  expect(answer.text).toContain("quantity");
});

test("mkt_cancel_order on a filled or cancelled order: result status not_cancellable", async () => {
  const { orderId } = await succeed(anna, "mkt_create_test_order", BUY);
  await succeed(anna, "mkt_cancel_order", { orderId });
  const again = await anna.call("mkt_cancel_order", { orderId });
  expect(again).toMatchObject({
    isError: true,
    structured: { status: "not_cancellable", orderId, orderDetails: { status: "cancelled" } },
  });
});

test("mkt_find_modules filter on a non-filterable property: error", async () => {
  const answer = await anna.call("mkt_find_modules", { moduleType: "ENGINE", filters: { bids: 1 } });
  expect(answer).toMatchObject({ isError: true, value: { error: { code: "invalid_filter" } } });
  expect(answer.text).toContain("bids");
});

test("mkt_flush_order_book / mkt_flush_all_orders without confirm=true: no cancellation, preview of the number", async () => {
  const { orderId } = await succeed(anna, "mkt_create_test_order", BUY);
  const operator = await market.trader("operator");
  const book = await succeed(operator, "mkt_flush_order_book", { contractId: NORTH });
  expect(book).toMatchObject({ status: "preview", ordersAffected: 1, contractId: NORTH });
  const all = await succeed(operator, "mkt_flush_all_orders", {});
  expect(all).toMatchObject({ status: "preview", ordersAffected: 1 });
  expect(await succeed(anna, "mkt_get_order", { orderId })).toMatchObject({ status: "working" });
  await succeed(anna, "mkt_cancel_order", { orderId });
});

test("mkt_dev_reset_credit_and_docs without STRESS_TEST_SECRET: tool is unavailable", async () => {
  await expect(anna.call("mkt_dev_reset_credit_and_docs", { creditLimit: 1 })).rejects.toThrow(
    "mkt_dev_reset_credit_and_docs",
  );
  expect(unavailability(dev, configurationFor())).toContain("STRESS_TEST_SECRET");
  expect(unavailability(dev, configurationFor({ STRESS_TEST_SECRET: SECRET }))).toBeNull();
  const right = await market.trader("operator", { STRESS_TEST_SECRET: SECRET });
  expect((await right.listTools()).map(({ name }) => name)).toContain("mkt_dev_reset_credit_and_docs");
  const wrong = await market.trader("operator", { STRESS_TEST_SECRET: "another secret" });
  const refused = await wrong.call("mkt_dev_reset_credit_and_docs", { creditLimit: 1 });
  expect(refused).toMatchObject({
    isError: true,
    structured: {
      status: "rejected",
      reason: "wrong_secret",
      error: { code: "forbidden" },
      summary: null,
      errors: [],
    },
  });
  expect(refused.text).not.toContain("another secret");
  expect(refused.text).not.toContain(SECRET);
});

test("audit log / order events tools without storage configuration: cannot be served", async () => {
  const client = await market.client("operator", { MKT_AUDIT_STORE: "azure" });
  for (const [tool, input] of [["mkt_get_audit_log", {}], ["mkt_get_order_events", { orderId: "ORD-1" }]] as const) {
    const answer = await client.call(tool, input);
    expect(answer).toMatchObject({ isError: true, value: { error: { code: "not_configured" } } });
    for (const variable of ["STORAGE_TABLE_ENDPOINT", "STORAGE_ACCOUNT_NAME", "MKT_STORAGE_KEY"]) {
      expect(answer.text).toContain(variable);
    }
  }
});

test("mutation, monitor or market-data tool before mkt_connect_pubsub: unavailable until connected", async () => {
  const client = await market.client("operator");
  const needing: [string, Record<string, unknown>][] = [
    ["mkt_get_market_state", {}],
    ["mkt_get_order_book", {}],
    ["mkt_get_order", { orderId: "x" }],
    ["mkt_list_orders", {}],
    ["mkt_get_fill", { fillId: "x" }],
    ["mkt_list_fills", {}],
    ["mkt_get_product", { productId: "x" }],
    ["mkt_list_products", {}],
    ["mkt_get_credit_status", { entityId: "aurora" }],
    ["mkt_get_extended_credit", PAIR],
    ["mkt_list_credit_limit_configs", { entityId: "aurora" }],
    ["mkt_find_modules", { moduleType: "ORDER" }],
    ["mkt_get_recent_events", {}],
    ["mkt_watch_orders", {}],
    ["mkt_watch_fills", {}],
    ["mkt_watch_book", {}],
    ["mkt_watch_market", {}],
  ];
  for (const [tool, input] of needing) {
    const { value } = await client.call(tool, input);
    const error = { code: "not_connected", hint: expect.stringContaining("mkt_connect_pubsub") };
    expect({ tool, ...value }).toMatchObject({ tool, error });
  }
  const mutations: [string, Record<string, unknown>][] = [
    ["mkt_create_test_order", BUY],
    ["mkt_cancel_order", { orderId: "x" }],
    ["mkt_halt_market", {}],
    ["mkt_resume_market", {}],
    ["mkt_set_credit_limit", { ...PAIR, limitType: "mw", scope: "total", limit: 1 }],
    ["mkt_set_documentation_status", { ...PAIR, status: "pending" }],
    ["mkt_flush_order_book", {}],
    ["mkt_flush_all_orders", {}],
  ];
  for (const [tool, input] of mutations) {
    const answer = await client.call(tool, input);
    expect({ tool, status: answer.structured?.["status"] }).toEqual({ tool, status: "not_connected" });
    expect(answer.isError).toBe(true);
  }
});

test("missing permission (Credit.View, Market.Operate): request refused", async () => {
  const viewer = await market.trader("viewer");
  const operations: [string, Record<string, unknown>][] = [
    ["mkt_halt_market", {}],
    ["mkt_resume_market", {}],
    ["mkt_flush_order_book", { confirm: true }],
    ["mkt_flush_all_orders", { confirm: true }],
    ["mkt_get_order_events", { orderId: "ORD-1" }],
  ];
  for (const [tool, input] of operations) {
    const answer = await viewer.call(tool, input);
    expect({ tool, isError: answer.isError, error: answer.value["error"] }).toMatchObject({
      tool,
      isError: true,
      error: { code: "forbidden", message: expect.stringContaining("Market.Operate") },
    });
  }
  const credit: [string, Record<string, unknown>][] = [
    ["mkt_get_credit_status", { entityId: "aurora" }],
    ["mkt_get_extended_credit", PAIR],
    ["mkt_list_credit_limit_configs", { entityId: "aurora" }],
  ];
  for (const [tool, input] of credit) {
    expect(await failure(viewer, tool, input)).toMatchObject({
      error: { code: "forbidden", message: expect.stringContaining("Credit.View") },
    });
    // Another entity's credit needs Scope.Global.
    expect(
      await failure(anna, tool, {
        ...input,
        entityId: "borealis",
        counterpartyId: input["counterpartyId"] && "aurora",
      }),
    ).toMatchObject({ error: { code: "forbidden" } });
  }
});
