// Further rows of the specification on the compiled executable: names in filters, days in audit queries, who may read the
// audit trail, names of refusals, and URLs that name two different engines.

import { beforeAll, describe, expect, test } from "bun:test";
import { failure, succeed } from "../support/official-client.ts";
import { runMkt, type RunningEngineProcess, startEngineProcess, startHttpServer } from "../support/executable.ts";
import { NORTH, startPowerMarket } from "../support/power-market.ts";

const market = await startPowerMarket({}, { isSimulated: true });
const [anna, operator] = await Promise.all([market.trader("anna"), market.trader("operator")]);

test("truncates start and end of an audit query to days before it compares them", async () => {
  const day = "2030-05-06";
  const log = await succeed(anna, "mkt_get_audit_log", { startTime: `${day}T20:00:00Z`, endTime: `${day}T08:00:00Z` });
  expect(log["range"]).toEqual({ from: day, to: day });
  const next = { startTime: "2030-05-07T00:00:00Z", endTime: `${day}T23:59:59Z` };
  expect(await failure(anna, "mkt_get_audit_log", next)).toMatchObject({ error: { code: "invalid_input" } });
});

test("marginPercent with a limit that it does not apply to is accepted, and the message says so", async () => {
  const limit = { entityId: "aurora", counterpartyId: "cirrus", scope: "total", limit: 10, marginPercent: 50 };
  const mw = await succeed(anna, "mkt_set_credit_limit", { ...limit, limitType: "mw" });
  expect(mw).toMatchObject({ status: "success", message: expect.stringContaining("marginPercent 50 has no effect") });
  const notional = await succeed(anna, "mkt_set_credit_limit", { ...limit, limitType: "notional" });
  expect(notional["message"]).not.toContain("no effect");
});

const UNKNOWN: [string, Record<string, unknown>, string, string][] = [
  ["mkt_get_audit_log", { moduleType: "ORDERS" }, "invalid_filter", "ORDER"],
  ["mkt_watch_orders", { orderTypes: ["created.order"] }, "invalid_filter", "new.order"],
  ["mkt_watch_fills", { fillTypes: ["created.fill"] }, "invalid_filter", "new.fill"],
  ["mkt_get_recent_events", { eventTypes: ["created.order"] }, "invalid_filter", "new.order"],
  ["mkt_watch_book", { productCode: "NOPE" }, "not_found", "NB, WP"],
  ["mkt_list_orders", { entityId: "nobody" }, "not_found", "aurora, borealis, cirrus"],
  ["mkt_list_fills", { entityId: "nobody" }, "not_found", "aurora, borealis, cirrus"],
  ["mkt_list_users", { entityId: "nobody" }, "not_found", "mkt_list_entities"],
  ["mkt_find_modules", { moduleType: "ORDER", filters: { contractId: "nope" } }, "not_found", NORTH],
];

test.each(UNKNOWN)("%s with %p is refused by name, with what is known", async (tool, input, code, known) => {
  const [value] = Object.values(input["filters"] ?? input).flat().slice(-1);
  expect(await failure(anna, tool, input)).toMatchObject({
    error: { code, message: expect.stringContaining(String(value)), hint: expect.stringContaining(known) },
  });
});

test("search of the audit log finds ids", async () => {
  const order = { contractId: NORTH, side: "BUY", price: 1, quantity: 1, idempotencyKey: "Find-Me-42" };
  const { orderId } = await succeed(anna, "mkt_create_test_order", order);
  for (const search of [String(orderId).toLowerCase(), "AURORA"]) {
    const { events } = await succeed(anna, "mkt_get_audit_log", { search, event: "orderQueued" });
    expect(events).toEqual(expect.arrayContaining([expect.objectContaining({ orderId })]));
  }
});

test("a refusal by a rule of the market has the code rejected, and the engine's own as reason", async () => {
  const { orderId } = await succeed(anna, "mkt_create_test_order", {
    contractId: NORTH,
    side: "BUY",
    price: 1,
    quantity: 1,
  });
  await succeed(anna, "mkt_cancel_order", { orderId });
  expect(await failure(anna, "mkt_cancel_order", { orderId })).toMatchObject({
    status: "not_cancellable",
    reason: "not_cancellable",
    error: { code: "rejected", hint: expect.stringMatching(/\.$/) },
  });
  expect(await failure(operator, "mkt_sim_trigger_event", { type: "heat_wave" })).toMatchObject({
    status: "rejected",
    reason: "not_running",
    error: { code: "rejected", hint: expect.stringContaining("mkt_sim_start") },
  });
});

test("mkt_get_order_events asks for Market.Operate, and its refusal names what shows a trader the same", async () => {
  const order = { contractId: NORTH, side: "BUY", price: 2, quantity: 1 };
  const { orderId } = await succeed(anna, "mkt_create_test_order", order);
  const { error } = await failure(anna, "mkt_get_order_events", { orderId });
  expect(error).toMatchObject({
    code: "forbidden",
    message: expect.stringContaining("Market.Operate"),
    hint: expect.stringMatching(/mkt_get_audit_log.*moduleType ORDER.*moduleId/),
  });
  const filter = { moduleType: "ORDER", moduleId: orderId, detail: "full" };
  const instead = await succeed(anna, "mkt_get_audit_log", filter);
  const history = await succeed(operator, "mkt_get_order_events", { orderId, detail: "full" });
  expect(instead["events"]).toEqual(history["events"]);
});

test("mkt_sim_trigger_event has changed the price when it answers", async () => {
  await succeed(operator, "mkt_sim_start", { preset: "thin", seed: 7, speed: 0.1 });
  const priceOf = async () => {
    const { nodes } = await succeed(operator, "mkt_sim_get_spot_prices", { hours: 0, node: "WEST" });
    return (nodes as { price: number }[])[0]?.price ?? NaN;
  };
  const before = await priceOf();
  await succeed(operator, "mkt_sim_trigger_event", { type: "plant_outage", node: "WEST", size: 5, durationHours: 2 });
  expect(await priceOf()).toBeGreaterThan(before);
  await succeed(operator, "mkt_sim_stop");
});

describe("MKT_BASE_URL and MKT_WS_URL of two engines", () => {
  let other: RunningEngineProcess;
  let mixed: Record<string, string>;
  let engineIds: string[];

  beforeAll(async () => {
    other = await startEngineProcess();
    mixed = { ...market.environmentFor("operator"), MKT_WS_URL: other.webSocketUrl };
    engineIds = await Promise.all(
      [market.port, other.port].map(async (port) => {
        const health = await (await fetch(`http://127.0.0.1:${port}/health`)).json() as { engineId: string };
        return health.engineId;
      }),
    );
  });

  test("mkt doctor names both, exit 1", async () => {
    const { exitCode, stdout } = await runMkt(["doctor"], mixed);
    expect(exitCode).toBe(1);
    const line = stdout.split("\n").find((each) => each.includes("backend WebSocket")) ?? "";
    expect(line).toStartWith("failed");
    for (const engineId of engineIds) expect(line).toContain(engineId);
  });

  test("mkt_connect_pubsub refuses, naming both", async () => {
    const { exitCode, stdout } = await runMkt(["call", "mkt_connect_pubsub"], mixed);
    expect(exitCode).toBe(1);
    const value = JSON.parse(stdout) as Record<string, unknown>;
    expect(value).toMatchObject({ status: "error", engineId: null, error: { code: "not_configured" } });
    for (const engineId of engineIds) expect(value["message"]).toContain(engineId);
  });

  test("MKT_AUTO_CONNECT ends with the same error, and connects to neither", async () => {
    const server = await startHttpServer({ ...mixed, MKT_AUTO_CONNECT: "1" });
    await server.untilStderr(/two engines[\s\S]*"disconnected"/);
  });
});
