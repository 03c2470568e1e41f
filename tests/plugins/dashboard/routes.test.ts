// The dashboard's other routes: the start of a stream, freezing, and calls of tools.

import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import type { FreezeAnswer, ToolReply } from "../../../web/contract/calls.ts";
import { MAX_WATCHED } from "../../../web/contract/update.ts";
import { MarketInProcess } from "../../core/support/market-in-process.ts";
import { until } from "../../support/until.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { BASE, MARKET, PEAK, SECRET } from "../support/market.ts";
import { DashboardServer, type Failed } from "./support/dashboard-server.ts";

const FREEZE = "/dashboard/freeze";

function served(environment: Readonly<Record<string, string>> = {}) {
  const market = new MarketInProcess(MARKET, SECRET);
  return { market, server: new DashboardServer(market, environment) };
}

/** A server with a kill switch that can be pulled. */
function withSwitch() {
  const folder = temporaryDirectory();
  const file = join(folder, "freeze");
  return { ...served({ MKT_FREEZE_FILE: file }), folder, file };
}

describe("the stream", () => {
  test("begins with the whole state and the books of the watched contracts", async () => {
    const { market, server } = served();
    await market.connect("olga");
    market.execute("alice", "order.submit", { contractId: BASE, side: 0, price: 4_200, quantity: 3 });
    const update = await server.firstUpdate(`?contract=${BASE}&contract=none&contract=${PEAK}`);
    expect(update).toMatchObject({ isWhole: true, continues: false, missed: 0, frozen: null });
    expect(update.contracts.find(({ contractId }) => contractId === BASE)).toMatchObject({ bestBid: 4_200 });
    expect(update.books.map(({ contractId }) => contractId)).toEqual([BASE, PEAK]);
    expect(update.events.at(-1)).toMatchObject({ sequence: update.sequence });
    expect(update.connection).toMatchObject({ status: "connected", userId: "olga", offersFreeze: false });
    expect(update.markets?.map(({ id }) => id)).toEqual(["power", "island"]);
  });

  test("has no events if the page wants none", async () => {
    const { market, server } = served();
    await market.connect("olga");
    market.execute("alice", "order.submit", { contractId: BASE, side: 0, price: 4_200, quantity: 3 });
    expect((await server.firstUpdate("?events=none")).events).toEqual([]);
    expect((await server.firstUpdate(`?events=watched&contract=${PEAK}`)).events).toEqual([]);
    expect((await server.firstUpdate(`?events=watched&contract=${BASE}`)).events.length).toBeGreaterThan(0);
  });

  test("refuses too many contracts, ids that are too long, and unknown choices", async () => {
    const { server } = served();
    const many = Array.from({ length: MAX_WATCHED + 1 }, (_, index) => `contract=c${index}`).join("&");
    for (const query of [many, `contract=${"x".repeat(201)}`, "events=some"]) {
      const { status, body } = await server.get<Failed>(`/dashboard/stream?${query}`);
      expect([status, body.error.code]).toEqual([400, "invalid_input"]);
    }
  });
});

describe("freezing", () => {
  test("needs a session with control", async () => {
    const { server, file } = withSwitch();
    const { status, body } = await server.post<Failed>(FREEZE, { reason: "a test" });
    expect([status, body.error.code]).toEqual([403, "forbidden"]);
    expect(existsSync(file)).toBe(false);
  });

  test("refuses changes from then on, and pages are told, until the host thaws", async () => {
    const { market, server, file } = withSwitch();
    await market.connect("olga");
    await server.control();
    expect((await server.firstUpdate()).connection?.offersFreeze).toBe(true);
    const { status, body } = await server.post<FreezeAnswer>(FREEZE, { reason: "  a test\n" });
    expect([status, body.frozen.reason, readFileSync(file, "utf8")]).toEqual([200, "a test", "a test"]);
    await until(async () => (await server.firstUpdate()).frozen?.reason === "a test");
    const halt = await server.post<ToolReply>("/dashboard/tools/mkt_create_test_order", {
      arguments: { contractId: BASE, side: "BUY", price: 4_200, quantity: 3 },
    });
    expect(JSON.stringify(halt.body)).toContain("frozen");
    // Already frozen: it stays so, with the first reason.
    expect((await server.post<Failed>(FREEZE, { reason: "again" })).body.error.code).toBe("frozen");
    rmSync(file);
    expect((await server.post<FreezeAnswer>(FREEZE, { reason: "again" })).body.frozen.reason).toBe("again");
  });

  test("works without a connection to the market", async () => {
    const { server } = withSwitch();
    await server.control();
    expect((await server.post(FREEZE, { reason: "a test" })).status).toBe(200);
  });

  test.each([{}, { reason: "" }, { reason: " \n" }, { reason: "x".repeat(1_001) }, { reason: 7 }, [], {
    reason: "a",
    file: "/etc/passwd",
  }])("refuses %j", async (body) => {
    const { server, file } = withSwitch();
    await server.control();
    const answer = await server.post<Failed>(FREEZE, body);
    expect([answer.status, answer.body.error.code, existsSync(file)]).toEqual([400, "invalid_input", false]);
  });

  test("says that there is no kill switch, or that it can't be pulled", async () => {
    const { server } = served();
    await server.control();
    const answer = await server.post<Failed>(FREEZE, { reason: "a test" });
    expect([answer.status, answer.body.error.code]).toEqual([501, "not_configured"]);
    expect(answer.body.error.message).toContain("MKT_FREEZE_FILE");
  });

  test("is not offered by a read-only server", async () => {
    const { server } = served({ MKT_READ_ONLY: "1", MKT_FREEZE_FILE: join(temporaryDirectory(), "freeze") });
    expect((await server.firstUpdate()).connection?.offersFreeze).toBe(false);
  });
});

describe("calls of tools", () => {
  test("give the tool's result", async () => {
    const { market, server } = served();
    await market.connect("olga");
    const { body } = await server.post<ToolReply>("/dashboard/tools/mkt_ping", { arguments: {} });
    expect(body).toMatchObject({ kind: "result", isError: false, result: { status: "ok" } });
  });

  test("escape what can't be seen once, as a call over MCP does", async () => {
    const { market, server } = served();
    await market.connect("olga");
    const pair = { entityId: "beta", counterpartyId: "alpha" };
    market.execute("bob", "credit.setDocumentation", { ...pair, status: "docs_in_place", notes: "a\u202eb" });
    const { body } = await server.post<ToolReply>("/dashboard/tools/mkt_get_extended_credit", { arguments: pair });
    expect(body).toMatchObject({ kind: "result", result: { notes: "a\\u202eb" } });
  });

  test("say that a tool is unknown, or that the request is none", async () => {
    const { server } = served();
    const unknown = await server.post<Failed>("/dashboard/tools/mkt_no_such", { arguments: {} });
    expect([unknown.status, unknown.body.error.code]).toEqual([404, "not_found"]);
    for (const body of [{}, { arguments: [] }, { arguments: {}, more: 1 }, "no json"]) {
      const { status, body: failed } = await server.post<Failed>("/dashboard/tools/mkt_ping", body);
      expect([status, failed.error.code]).toEqual([400, "invalid_input"]);
    }
  });

  test("give a tool's error as its result", async () => {
    const { server } = served();
    const { status, body } = await server.post<ToolReply>("/dashboard/tools/mkt_get_market_state", { arguments: {} });
    expect([status, body]).toMatchObject([200, { kind: "result", isError: true }]);
  });
});
