// The specification's table of limits, one test for each row that no test of a tool has.

import { expect, test } from "bun:test";
import { clientHere, httpServerHere } from "../support/in-process.ts";
import { connected, failure, succeed } from "../support/official-client.ts";
import { runMkt } from "../support/executable.ts";
import { startPowerMarket, submit } from "../support/power-market.ts";
import { post } from "../support/http-requests.ts";
import { startSilentEngine } from "../support/silent-engine.ts";

/** Calls that get no confirmation. They wait while the other tests run. */
const silent = startSilentEngine();
const unanswered = await connected(clientHere(silent.environmentFor("anna")));
const unconfirmed = [
  unanswered.call("mkt_create_test_order", { contractId: "c", side: "BUY", price: 1, quantity: 1 }),
  unanswered.call("mkt_cancel_order", { orderId: "o" }),
];

const market = await startPowerMarket();
const operator = await market.trader("operator");
const tools = new Map((await operator.listTools()).map((tool) => [tool.name, tool]));

const limitOf = (tool: string) =>
  (tools.get(tool)?.inputSchema["properties"] as {
    limit: { description?: string; maximum?: number; minimum?: number };
  })
    .limit;

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

test("MAX_BODY_SIZE: default 1 MiB (bytes)", async () => {
  const server = await httpServerHere(market.environmentFor("anna"));
  expect((await post(server, " ".repeat(1_048_576))).status).toBe(400);
  expect((await post(server, " ".repeat(1_048_577))).status).toBe(413);
});

test("Container default HTTP port: 4087", async () => {
  expect((await runMkt(["demo", "--help"])).stdout).toMatch(/--port <port> .*4087/);
});

test("Confirmation wait for order create and cancel: 15 seconds", async () => {
  const requests = silent.requests as { operationId: string; validUntil: string }[];
  for (const answer of await Promise.all(unconfirmed)) {
    expect(answer).toMatchObject({ isError: true, structured: { status: "timeout", error: { code: "timeout" } } });
    const sent = requests.find(({ operationId }) => operationId === answer.structured?.["operationId"]);
    expect(answer.text).toContain("within 15000 ms");
    expect(answer.text).toContain(`can't take effect after ${sent?.validUntil}`);
  }
});
