import { describe, expect, test } from "bun:test";
import type { z } from "zod";
import {
  ACTING_USER_HEADER,
  auditResponse,
  entitiesResponse,
  errorResponse,
  healthResponse,
  orderBlocksResponse,
  PATHS,
  PERMISSIONS,
  positionsResponse,
  usersResponse,
} from "../../../../protocol/index.ts";
import { moduleSchema } from "../../../../protocol/modules/registry.ts";
import packageJson from "../../../../package.json" with { type: "json" };
import type { MarketDefinition } from "../../../../engine/definition/market-definition.ts";
import {
  BUYER,
  BYSTANDER,
  connect,
  OPERATOR,
  restingBuy,
  SELLER,
  serveTestEngine,
  type TestEngine,
  VIEWER,
} from "../harness.ts";
import { until } from "../../../support/until.ts";
import { resultOf, snapshotOf } from "../../../support/executions.ts";

function ask(engine: TestEngine, path: string, userId?: string, headers: Record<string, string> = {}) {
  return fetch(`${engine.url}${path}`, {
    headers: userId === undefined ? headers : { [ACTING_USER_HEADER]: userId, ...headers },
  });
}

/** The answer to a user, by its schema. */
async function read<Schema extends z.ZodType>(engine: TestEngine, path: string, userId: string, schema: Schema) {
  const response = await ask(engine, path, userId);
  expect(response.status).toBe(200);
  return schema.parse(await response.json());
}

async function faultOf(response: Response) {
  const { error } = errorResponse.parse(await response.json());
  return { status: response.status, ...error };
}

const today = new Date().toISOString().slice(0, 10);
const auditPath = (query = "") => `${PATHS.audit}?from=2026-01-01&to=2999-01-01${query}`;

/** Returns the order's id. */
function submit(engine: TestEngine, side: 0 | 1 = 0, userId = BUYER): string {
  const payload = { ...restingBuy(engine.contractId), side };
  const execution = engine.execute({ userId, operationId: crypto.randomUUID(), action: "order.submit", payload });
  return moduleSchema("ORDER").parse(resultOf(execution)?.["order"]).id;
}

describe("the HTTP routes", () => {
  test("report the engine's health to anyone", async () => {
    const engine = serveTestEngine({ token: "sesame" });
    const response = await ask(engine, PATHS.health);
    expect(response.status).toBe(200);
    expect(healthResponse.parse(await response.json())).toMatchObject({
      status: "ok",
      engineId: "test-engine",
      version: packageJson.version,
    });
  });

  const guarded = [
    PATHS.entities,
    PATHS.users,
    auditPath(),
    PATHS.positions("RIVERBEND"),
    PATHS.orderEvents("x"),
    PATHS.orderBlocks("ORD-1"),
  ];

  test.each(guarded)("require the token, and a known user, at %s", async (path) => {
    const engine = serveTestEngine({ token: "sesame" });
    for (const authorization of ["", "Bearer wrong", "sesame"]) {
      const response = await ask(engine, path, OPERATOR, { Authorization: authorization });
      expect(response.headers.get("WWW-Authenticate")).toBe("Bearer");
      expect(await faultOf(response)).toMatchObject({ status: 401, code: "unauthorized" });
    }
    submit(engine);
    expect((await ask(engine, path, OPERATOR, { Authorization: "Bearer sesame" })).status).toBe(200);
    const open = serveTestEngine();
    expect(await faultOf(await ask(open, path))).toMatchObject({ status: 403, code: "unknown_user" });
    const fault = await faultOf(await ask(open, path, "nobody"));
    expect(fault).toMatchObject({ status: 403, code: "unknown_user", message: expect.stringContaining("nobody") });
  });

  test.each([
    [auditPath(), "Market.View"],
    [PATHS.orderEvents("x"), "Market.Operate"],
  ])("at %s require the permission %s", async (path, permission) => {
    const engine = serveTestEngine({}, (definition) => ({
      ...definition,
      users: [...definition.users, { id: "blind", name: "Blind", entityId: null, permissions: [] }],
    }));
    const fault = await faultOf(await ask(engine, path, "blind"));
    expect(fault).toMatchObject({ status: 403, code: "forbidden", message: expect.stringContaining(permission) });
  });

  test.each([
    ["from", `${PATHS.audit}?to=2026-01-01`],
    ["from", `${PATHS.audit}?from=yesterday&to=2026-01-01`],
    ["from", `${PATHS.audit}?from=2026-01-02&to=2026-01-01`],
    ["to", `${PATHS.audit}?from=2026-02-30&to=2026-02-31`],
    ["limit", auditPath("&limit=0")],
    ["limit", auditPath("&limit=201")],
    ["limit", auditPath("&limit=many")],
    ["cursor", auditPath("&cursor=x")],
    ["moduletype", auditPath("&moduletype=ORDER")],
    ["date", `${PATHS.orderEvents("x")}?date=01.02.2026`],
    ["limit", `${PATHS.orderEvents("x")}?limit=1.5`],
  ])("name the wrong parameter %s in %s", async (name, path) => {
    const fault = await faultOf(await ask(serveTestEngine(), path, OPERATOR));
    expect(fault).toMatchObject({ status: 400, code: "invalid_query", message: expect.stringContaining(name) });
  });

  test("answer an unknown route with 404 in JSON", async () => {
    const engine = serveTestEngine();
    expect(await faultOf(await ask(engine, "/api/admin/nothing", OPERATOR))).toMatchObject({ status: 404 });
    const post = await fetch(`${engine.url}${PATHS.entities}`, { method: "POST" });
    expect(await faultOf(post)).toMatchObject({ status: 404, code: "not_found" });
  });
});

describe("the reasons why an order does not trade", () => {
  /** Riverbend has withdrawn its documents for Heartland; their orders cross. */
  function crossedOrders() {
    const engine = serveTestEngine({}, (definition) => ({
      ...definition,
      users: [
        ...definition.users,
        { id: "blind", name: "Blind", entityId: "SUMMIT", permissions: ["Order.Submit", "Credit.View"] },
      ],
    }));
    const payload = { entityId: "RIVERBEND", counterpartyId: "HEARTLAND", status: "pending" };
    engine.execute({ userId: BUYER, operationId: "documents", action: "credit.setDocumentation", payload });
    submit(engine, 1, SELLER);
    return { engine, orderId: submit(engine) };
  }

  test("are given to a user who may see the order, without any permission", async () => {
    const { engine, orderId } = crossedOrders();
    expect(await read(engine, PATHS.orderBlocks(orderId), BUYER, orderBlocksResponse)).toMatchObject({
      orderId,
      contractId: engine.contractId,
      marketStatus: "open",
      blockedBy: [{ counterpartyId: "HEARTLAND", reason: "entity_documents", documentation: "pending" }],
      moreCounterparties: 0,
      complete: true,
    });
  });

  test("are as if the order did not exist for a user who may not see it, whatever the user adds to the request", async () => {
    const { engine, orderId } = crossedOrders();
    const unknown = await faultOf(await ask(engine, PATHS.orderBlocks("ORD-99"), "blind"));
    expect(unknown).toMatchObject({ status: 404, code: "unknown_order" });
    for (const query of ["", "?userId=operator", "?viewer=operator&permissions=Market.View"]) {
      const fault = await faultOf(await ask(engine, `${PATHS.orderBlocks(orderId)}${query}`, "blind"));
      expect({ ...fault, message: fault.message.replace(orderId, "ORD-99") }).toEqual(unknown);
    }
    const third = await read(engine, PATHS.orderBlocks(orderId), VIEWER, orderBlocksResponse);
    expect(third.blockedBy).toMatchObject([{ counterpartyId: "HEARTLAND", reason: "documents_or_credit" }]);
    expect(JSON.stringify(third)).not.toContain("pending");
  });

  test("count against the user's rate", async () => {
    const engine = serveTestEngine({ limits: { requestsPerSecond: 1 }, rateClock: () => 0 });
    const orderId = submit(engine);
    const statuses: number[] = [];
    for (let count = 0; count < 40; count++) {
      statuses.push((await ask(engine, PATHS.orderBlocks(orderId), BUYER)).status);
    }
    expect(statuses).toContain(429);
  });

  test("take any id as it is", async () => {
    const engine = serveTestEngine();
    for (const orderId of ["../../users", "__proto__", "ORD-1/events", "%2e%2e", "x".repeat(5000)]) {
      const fault = await faultOf(await ask(engine, PATHS.orderBlocks(orderId), OPERATOR));
      expect(fault).toMatchObject({ status: 404, code: "unknown_order" });
    }
  });
});

describe("entities and users", () => {
  const users = async (engine: TestEngine) => (await read(engine, PATHS.users, VIEWER, usersResponse)).users;
  const entities = async (engine: TestEngine) =>
    (await read(engine, PATHS.entities, VIEWER, entitiesResponse)).entities;

  test("are those of the engine's modules", async () => {
    const engine = serveTestEngine();
    const modules = (type: string) =>
      snapshotOf(engine.engine, Date.now()).filter(({ statePath }) => statePath.startsWith(`/${type}/`))
        .map(({ state }) => state);
    expect(await users(engine)).toEqual(modules("USER") as never);
    expect(await entities(engine)).toEqual(modules("ENTITY") as never);
  });

  test("show who is connected now", async () => {
    const engine = serveTestEngine();
    const connected = async () => (await users(engine)).filter((user) => user.connected).map(({ id }) => id);
    expect(await connected()).toEqual([]);
    const client = await connect(engine, BUYER);
    expect(await connected()).toEqual([BUYER]);
    client.close();
    await until(async () => (await connected()).length === 0, "the disconnect");
  });

  test("show the credit status after trades", async () => {
    const engine = serveTestEngine({}, (definition) => ({
      ...definition,
      creditDefaults: {
        documentation: "docs_in_place",
        limits: [{ limitType: "mw", scope: "total", limit: 1, marginPercent: 100 }],
      },
      entities: definition.entities.filter(({ id }) => ["RIVERBEND", "HEARTLAND"].includes(id)),
      users: definition.users.filter(({ entityId }) => ["RIVERBEND", "HEARTLAND", null].includes(entityId)),
    }));
    const status = async () =>
      Object.fromEntries((await entities(engine)).map(({ id, creditStatus }) => [id, creditStatus]));
    expect(await status()).toEqual({ RIVERBEND: "ok", HEARTLAND: "ok" });
    submit(engine);
    submit(engine, 1, SELLER);
    expect(await status()).toEqual({ RIVERBEND: "exhausted", HEARTLAND: "exhausted" });
  });
});

describe("positions over HTTP", () => {
  function trade(engine: TestEngine): void {
    submit(engine);
    submit(engine, 1, SELLER);
  }

  const positions = (engine: TestEngine, userId: string) =>
    read(engine, PATHS.positions("RIVERBEND"), userId, positionsResponse);

  /** One user of RIVERBEND who may do everything but Credit.View, and one of no entity with Scope.Global. */
  function withUsers(definition: MarketDefinition): MarketDefinition {
    const others = PERMISSIONS.filter((each) => !["Credit.View", "Scope.Global"].includes(each));
    const blind = { id: "blind", name: "Blind", entityId: "RIVERBEND", permissions: others };
    const auditor = { id: "auditor", name: "Auditor", entityId: null, permissions: ["Scope.Global" as const] };
    return { ...definition, users: [...definition.users, blind, auditor] };
  }

  test("are those of the engine, with the credit that they use", async () => {
    const engine = serveTestEngine();
    trade(engine);
    const shown = await positions(engine, BUYER);
    expect(shown.positions).toMatchObject([{ contractId: engine.contractId, netQuantity: 1, markSource: "trade" }]);
    expect(shown.totals.creditUsed).toBeGreaterThan(0);
    expect(shown.totals.creditUsed).toBe(shown.positions[0]?.creditUsed ?? null);
    expect({ ...engine.engine.positions("RIVERBEND", Date.now()), asOf: shown.asOf }).toEqual(shown);
  });

  test("are given to users of a known entity and Scope.Global alone; used credit only with Credit.View", async () => {
    const engine = serveTestEngine({}, withUsers);
    trade(engine);
    for (
      const [userId, seesCredit] of [[BUYER, true], ["blind", false], ["auditor", false], [OPERATOR, true]] as const
    ) {
      const { positions: shown, totals } = await positions(engine, userId);
      expect(shown).toHaveLength(1);
      for (const { creditUsed } of [...shown, totals]) {
        expect([userId, creditUsed !== null]).toEqual([userId, seesCredit]);
      }
    }
    for (const [userId, own] of [[SELLER, "HEARTLAND"], [VIEWER, "no entity"]] as const) {
      const { status, code, message } = await faultOf(await ask(engine, PATHS.positions("RIVERBEND"), userId));
      expect([status, code]).toEqual([403, "forbidden"]);
      expect(message).toMatch(new RegExp(`belongs to .*${own}.* need the permission Scope.Global`));
    }
    const fault = await faultOf(await ask(engine, PATHS.positions("a/b ?#%"), OPERATOR));
    expect(fault).toMatchObject({ status: 404, code: "unknown_entity", message: expect.stringContaining("a/b ?#%") });
  });
});

describe("the audit trail over HTTP", () => {
  const audit = (engine: TestEngine, userId: string, query: string) =>
    read(engine, auditPath(query), userId, auditResponse);

  test("has the engine's audit events, newest first, in pages", async () => {
    const engine = serveTestEngine();
    const ids = [submit(engine), submit(engine), submit(engine)];
    const first = await audit(engine, VIEWER, "&limit=2&event=orderQueued");
    expect(first.events.map(({ moduleId }) => moduleId)).toEqual([ids[2], ids[1]].map(String));
    expect(first.hasMore).toBe(true);
    const second = await audit(engine, VIEWER, `&event=orderQueued&cursor=${encodeURIComponent(first.cursor ?? "")}`);
    expect(second.events.map(({ moduleId }) => moduleId)).toEqual([String(ids[0])]);
    expect(second).toMatchObject({ hasMore: false, cursor: null });
  });

  test("shows credit limits to the entity that grants them, documentation to both entities, all to Scope.Global", async () => {
    const engine = serveTestEngine();
    const pair = { entityId: "RIVERBEND", counterpartyId: "HEARTLAND" };
    const limit = { ...pair, limitType: "mw", scope: "total", limit: 5 };
    const sent = { userId: BUYER, operationId: "1" };
    engine.execute({ ...sent, action: "credit.setDocumentation", payload: { ...pair, status: "pending" } });
    engine.execute({ ...sent, operationId: "2", action: "credit.setLimit", payload: limit });
    const seen = async (userId: string) =>
      (await audit(engine, userId, "&moduleType=CREDIT")).events.map(({ event }) => event);
    expect(await seen(BUYER)).toEqual(["creditLimitSet", "documentationStatusSet"]);
    expect(await seen(OPERATOR)).toEqual(["creditLimitSet", "documentationStatusSet"]);
    expect(await seen(SELLER)).toEqual(["documentationStatusSet"]);
    expect(await seen(BYSTANDER)).toEqual([]);
    expect(await seen(VIEWER)).toEqual([]);
  });

  test("has the whole history of an order for operators, which is empty for an unknown order", async () => {
    const engine = serveTestEngine();
    const orderId = submit(engine);
    const modified = { orderId, price: 1100 };
    engine.execute({ userId: BUYER, operationId: "m", action: "order.modify", payload: modified });
    engine.execute({ userId: BUYER, operationId: "c", action: "order.cancel", payload: { orderId } });
    for (const query of ["", `?date=${today}`]) {
      const page = await read(engine, `${PATHS.orderEvents(orderId)}${query}`, OPERATOR, auditResponse);
      expect(page.events.map(({ event }) => event)).toEqual(["orderCancelled", "orderModified", "orderQueued"]);
    }
    const page = await read(engine, PATHS.orderEvents("a/b ?#%"), OPERATOR, auditResponse);
    expect(page).toMatchObject({ events: [], hasMore: false });
  });
});
