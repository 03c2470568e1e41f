// The specification's table of limits, one test for each row.

import { expect, jest, test } from "bun:test";
import { clientHere, httpServerHere } from "../support/in-process.ts";
import { connected, failure, succeed } from "../support/official-client.ts";
import { runMkt } from "../support/executable.ts";
import { NORTH, startPowerMarket, submit } from "../support/power-market.ts";
import { post } from "../support/http-requests.ts";
import { startSilentEngine } from "../support/silent-engine.ts";
import { until } from "../support/until.ts";

const market = await startPowerMarket();
const operator = await market.trader("operator");
const tools = new Map((await operator.listTools()).map((tool) => [tool.name, tool]));

const limitOf = (tool: string) =>
  (tools.get(tool)?.inputSchema["properties"] as {
    limit: { description?: string; maximum?: number; minimum?: number };
  })
    .limit;

test("Order book depth: top 5 price levels per side", async () => {
  const anna = await market.trader("anna");
  const orders: unknown[] = [];
  for (let level = 0; level < 7; level++) {
    for (const [side, price] of [["BUY", 4000 - level], ["SELL", 4100 + level]] as const) {
      orders.push((await submit(anna, side, price, 1))["orderId"]);
    }
  }
  const book = await until(
    () => succeed(operator, "mkt_get_order_book", { contractId: NORTH }),
    (value) => value["totalWorkingOrders"] === 14,
  );
  expect((book["bids"] as { price: number }[]).map(({ price }) => price)).toEqual([4000, 3999, 3998, 3997, 3996]);
  expect((book["asks"] as { price: number }[]).map(({ price }) => price)).toEqual([4100, 4101, 4102, 4103, 4104]);
  expect(book["spread"]).toBe(100);
  for (const orderId of orders) await succeed(anna, "mkt_cancel_order", { orderId });
});

test("Default limit of list tools (orders, fills, entities, users, products, find_modules): 100", async () => {
  for (const tool of ["orders", "fills", "entities", "users", "products"]) {
    expect(limitOf(`mkt_list_${tool}`).description).toMatch(/\b100\b/);
  }
  expect(limitOf("mkt_find_modules").description).toMatch(/\b100\b/);
  const anna = await market.trader("anna");
  await Promise.all(Array.from({ length: 101 }, () => submit(anna, "BUY", 1, 1)));
  for (const [tool, more] of [["mkt_list_orders", {}], ["mkt_find_modules", { moduleType: "ORDER" }]] as const) {
    const working = { status: "working" };
    const listed = await succeed(anna, tool, tool === "mkt_list_orders" ? working : { ...more, filters: working });
    expect(listed["total"]).toBe(101);
    expect(listed["count"] ?? listed["returned"]).toBe(100);
  }
});

test("mkt_find_modules max limit: 1000", async () => {
  expect(limitOf("mkt_find_modules").maximum).toBe(1000);
  expect((await succeed(operator, "mkt_find_modules", { moduleType: "ORDER", limit: 1000 }))["returned"])
    .toBeNumber();
  const above = await operator.call("mkt_find_modules", { moduleType: "ORDER", limit: 1001 });
  expect(above).toMatchObject({ isError: true, value: { error: { code: "invalid_input" } } });
});

test("mkt_get_audit_log limit: default 50, max 200", async () => {
  expect(limitOf("mkt_get_audit_log")).toMatchObject({
    description: expect.stringMatching(/\b50\b/),
    maximum: 200,
    minimum: 1,
  });
  const page = await succeed(operator, "mkt_get_audit_log");
  expect(page["count"]).toBe(50);
  expect(page["hasMore"]).toBe(true);
  for (const limit of [0, 201, 1.5]) {
    expect(await failure(operator, "mkt_get_audit_log", { limit })).toMatchObject({
      error: { code: "invalid_input" },
    });
  }
});

test("mkt_get_recent_events and mkt_watch_* default limit: 50", async () => {
  for (
    const tool of [
      "mkt_get_recent_events",
      ...["orders", "fills", "book", "market"].map((topic) => `mkt_watch_${topic}`),
    ]
  ) {
    expect(limitOf(tool).description).toMatch(/\b50\b/);
  }
  expect((await succeed(operator, "mkt_get_recent_events"))["count"]).toBe(50);
  expect((await succeed(operator, "mkt_watch_orders"))["count"]).toBe(50);
});

test("Audit log time filters: day granularity", async () => {
  const today = new Date().toISOString().slice(0, 10);
  const page = await succeed(operator, "mkt_get_audit_log", { startTime: "-1h", limit: 1 });
  const range = page["range"] as { from: string; to: string };
  expect([today, new Date(Date.now() - 3_600_000).toISOString().slice(0, 10)]).toContain(range.from);
  const yesterday = await succeed(operator, "mkt_get_audit_log", {
    startTime: "2020-02-28T23:59:59Z",
    endTime: "2020-03-01T00:00:00Z",
  });
  expect(yesterday).toMatchObject({ count: 0, hasMore: false, range: { from: "2020-02-28", to: "2020-03-01" } });
});

test("Order events with no date: last 7 days", async () => {
  const anna = await market.trader("anna");
  const { orderId } = await submit(anna, "BUY", 2, 1);
  await succeed(anna, "mkt_cancel_order", { orderId });
  const history = await succeed(operator, "mkt_get_order_events", { orderId });
  expect((history["events"] as { event: string }[]).map(({ event }) => event)).toEqual([
    "orderCancelled",
    "orderQueued",
  ]);
  const { from, to } = history["range"] as { from: string; to: string };
  expect(Date.parse(to) - Date.parse(from)).toBe(6 * 86_400_000);
  const otherDay = await succeed(operator, "mkt_get_order_events", { orderId, date: "2020-01-01" });
  expect(otherDay).toMatchObject({ count: 0, hasMore: false });
});

test("marginPercent range: 0 to 100", async () => {
  const anna = await market.trader("anna");
  const limit = { entityId: "aurora", counterpartyId: "cirrus", limitType: "notional", scope: "total", limit: 1000 };
  for (const marginPercent of [0, 100]) {
    const set = await succeed(anna, "mkt_set_credit_limit", { ...limit, marginPercent });
    expect(set["status"]).toBe("success");
  }
  for (const marginPercent of [-0.001, 100.001]) {
    const answer = await anna.call("mkt_set_credit_limit", { ...limit, marginPercent });
    expect(answer).toMatchObject({
      isError: true,
      structured: { status: "error", error: { code: "invalid_input" } },
    });
    expect(answer.text).toContain("marginPercent");
  }
});

test("MAX_BODY_SIZE: default 1 MiB (bytes)", async () => {
  const server = await httpServerHere(market.environmentFor("anna"));
  expect((await post(server, " ".repeat(1_048_576))).status).toBe(400);
  expect((await post(server, " ".repeat(1_048_577))).status).toBe(413);
});

test("Container default HTTP port: 4087", async () => {
  expect((await runMkt(["demo", "--help"])).stdout).toMatch(/--port <port> .*4087/);
});

test("Confirmation wait for order create and cancel: 15 seconds", async () => {
  const silent = startSilentEngine();
  const client = await connected(clientHere(silent.environmentFor("anna")));
  jest.useFakeTimers();
  const answers = [
    client.call("mkt_create_test_order", { contractId: "c", side: "BUY", price: 1, quantity: 1 }),
    client.call("mkt_cancel_order", { orderId: "o" }),
  ];
  let answered = 0;
  for (const answer of answers) void answer.then(() => (answered += 1));
  // Not by until(), whose pauses and limit would stand still with all timers.
  for (let turn = 0; turn < 10_000 && silent.requests.length < answers.length; turn++) await nextTurn();
  jest.advanceTimersByTime(14_999);
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  const early = answered;
  jest.advanceTimersByTime(2);
  jest.useRealTimers();
  expect(early).toBe(0);
  for (const answer of await Promise.all(answers)) {
    expect(answer).toMatchObject({ isError: true, structured: { status: "timeout" } });
    expect(answer.text).toContain("within 15000 ms");
  }
});

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
