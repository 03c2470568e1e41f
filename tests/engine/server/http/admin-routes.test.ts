import { describe, expect, test } from "bun:test";
import {
  ACTING_USER_HEADER,
  auditResponse,
  entitiesResponse,
  errorResponse,
  healthResponse,
  orderBlocksResponse,
  PATHS,
  type Permission,
  positionsResponse,
  usersResponse,
} from "../../../../protocol/index.ts";
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

async function faultOf(response: Response) {
  const { error } = errorResponse.parse(await response.json());
  return { status: response.status, ...error };
}

const today = new Date().toISOString().slice(0, 10);
const auditPath = (query = "") => `${PATHS.audit}?from=2026-01-01&to=2999-01-01${query}`;

function submit(engine: TestEngine, side: 0 | 1 = 0, userId = BUYER): string {
  const execution = engine.execute({
    userId,
    operationId: crypto.randomUUID(),
    action: "order.submit",
    payload: { ...restingBuy(engine.contractId), side },
  });
  const order = resultOf(execution)?.["order"];
  if (typeof order !== "object" || order === null || !("id" in order)) {
    throw new Error(JSON.stringify(execution.response));
  }
  return String(order.id);
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

  test.each(guarded)("require the token at %s", async (path) => {
    const engine = serveTestEngine({ token: "sesame" });
    for (const authorization of ["", "Bearer wrong", "sesame"]) {
      const response = await ask(engine, path, OPERATOR, { Authorization: authorization });
      expect(response.headers.get("WWW-Authenticate")).toBe("Bearer");
      expect(await faultOf(response)).toMatchObject({ status: 401, code: "unauthorized" });
    }
    submit(engine);
    expect((await ask(engine, path, OPERATOR, { Authorization: "Bearer sesame" })).status).toBe(200);
  });

  test.each(guarded)("require a known user at %s", async (path) => {
    const engine = serveTestEngine();
    expect(await faultOf(await ask(engine, path))).toMatchObject({ status: 403, code: "unknown_user" });
    const fault = await faultOf(await ask(engine, path, "nobody"));
    expect(fault).toMatchObject({ status: 403, code: "unknown_user", message: expect.stringContaining("nobody") });
  });

  test.each([
    [PATHS.entities, "Market.View"],
    [PATHS.users, "Market.View"],
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
  const BLIND = "blind";

  /** Riverbend has withdrawn its documents for Heartland; their orders cross. */
  function crossedOrders() {
    const engine = serveTestEngine({}, (definition) => ({
      ...definition,
      users: [
        ...definition.users,
        { id: BLIND, name: "Blind", entityId: "SUMMIT", permissions: ["Order.Submit", "Credit.View"] },
      ],
    }));
    engine.execute({
      userId: BUYER,
      operationId: "documents",
      action: "credit.setDocumentation",
      payload: { entityId: "RIVERBEND", counterpartyId: "HEARTLAND", status: "pending" },
    });
    submit(engine, 1, SELLER);
    return { engine, orderId: submit(engine) };
  }

  test("are given to a user who may see the order, without any permission", async () => {
    const { engine, orderId } = crossedOrders();
    const response = await ask(engine, PATHS.orderBlocks(orderId), BUYER);
    expect(response.status).toBe(200);
    expect(orderBlocksResponse.parse(await response.json())).toMatchObject({
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
    const unknown = await faultOf(await ask(engine, PATHS.orderBlocks("ORD-99"), BLIND));
    expect(unknown).toMatchObject({ status: 404, code: "unknown_order" });
    for (const query of ["", "?userId=operator", "?viewer=operator&permissions=Market.View"]) {
      const fault = await faultOf(await ask(engine, `${PATHS.orderBlocks(orderId)}${query}`, BLIND));
      expect({ ...fault, message: fault.message.replace(orderId, "ORD-99") }).toEqual(unknown);
    }
    const third = orderBlocksResponse.parse(await (await ask(engine, PATHS.orderBlocks(orderId), VIEWER)).json());
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
  async function users(engine: TestEngine) {
    return usersResponse.parse(await (await ask(engine, PATHS.users, VIEWER)).json()).users;
  }

  async function entities(engine: TestEngine) {
    return entitiesResponse.parse(await (await ask(engine, PATHS.entities, VIEWER)).json()).entities;
  }

  test("are those of the engine's modules", async () => {
    const engine = serveTestEngine();
    const modules = (type: string) =>
      snapshotOf(engine.engine, Date.now()).filter(({ statePath }) => statePath.startsWith(`/${type}/`))
        .map(({ state }) => state);
    expect(await users(engine)).toEqual(modules("USER") as unknown as Awaited<ReturnType<typeof users>>);
    expect(await entities(engine)).toEqual(modules("ENTITY") as unknown as Awaited<ReturnType<typeof entities>>);
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

  async function positions(engine: TestEngine, userId: string, entityId = "RIVERBEND") {
    return positionsResponse.parse(await (await ask(engine, PATHS.positions(entityId), userId)).json());
  }

  /** One user of RIVERBEND without Credit.View, one without any permission, and one of no entity with Scope.Global. */
  function withUsers(definition: MarketDefinition): MarketDefinition {
    const user = (id: string, entityId: string | null, permissions: Permission[]) => ({
      id,
      name: id,
      entityId,
      permissions,
    });
    const users = [user("blind", "RIVERBEND", []), user("auditor", null, ["Scope.Global"])];
    return { ...definition, users: [...definition.users, ...users] };
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

  test("are given to users of the entity and to Scope.Global, and to nobody else", async () => {
    const engine = serveTestEngine({}, withUsers);
    trade(engine);
    for (const userId of [BUYER, "blind", "auditor", OPERATOR]) {
      expect((await positions(engine, userId)).positions).toHaveLength(1);
    }
    for (const [userId, own] of [[SELLER, "HEARTLAND"], [VIEWER, "no entity"]] as const) {
      const { status, code, message } = await faultOf(await ask(engine, PATHS.positions("RIVERBEND"), userId));
      expect([status, code]).toEqual([403, "forbidden"]);
      expect(message).toMatch(new RegExp(`belongs to .*${own}.* need the permission Scope.Global`));
    }
  });

  test("show used credit only with Credit.View", async () => {
    const engine = serveTestEngine({}, withUsers);
    trade(engine);
    for (const userId of ["blind", "auditor"]) {
      const { positions: [position], totals } = await positions(engine, userId);
      expect([position?.creditUsed, totals.creditUsed]).toEqual([null, null]);
    }
  });

  test("of an unknown entity are not found", async () => {
    const fault = await faultOf(await ask(serveTestEngine(), PATHS.positions("a/b ?#%"), OPERATOR));
    expect(fault).toMatchObject({ status: 404, code: "unknown_entity", message: expect.stringContaining("a/b ?#%") });
  });
});

describe("the audit trail over HTTP", () => {
  async function audit(engine: TestEngine, userId: string, query = "") {
    return auditResponse.parse(await (await ask(engine, auditPath(query), userId)).json());
  }

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
    engine.execute({
      userId: BUYER,
      operationId: "1",
      action: "credit.setDocumentation",
      payload: { ...pair, status: "pending" },
    });
    engine.execute({
      userId: BUYER,
      operationId: "2",
      action: "credit.setLimit",
      payload: { ...pair, limitType: "mw", scope: "total", limit: 5 },
    });
    const seen = async (userId: string) =>
      (await audit(engine, userId, "&moduleType=CREDIT")).events.map(({ event }) => event);
    expect(await seen(BUYER)).toEqual(["creditLimitSet", "documentationStatusSet"]);
    expect(await seen(OPERATOR)).toEqual(["creditLimitSet", "documentationStatusSet"]);
    expect(await seen(SELLER)).toEqual(["documentationStatusSet"]);
    expect(await seen(BYSTANDER)).toEqual([]);
    expect(await seen(VIEWER)).toEqual([]);
  });

  test("has the whole history of an order, for operators", async () => {
    const engine = serveTestEngine();
    const orderId = submit(engine);
    const modified = { orderId, price: 1100 };
    engine.execute({ userId: BUYER, operationId: "m", action: "order.modify", payload: modified });
    engine.execute({ userId: BUYER, operationId: "c", action: "order.cancel", payload: { orderId } });
    for (const query of ["", `?date=${today}`]) {
      const response = await ask(engine, `${PATHS.orderEvents(orderId)}${query}`, OPERATOR);
      const page = auditResponse.parse(await response.json());
      expect(page.events.map(({ event }) => event)).toEqual(["orderCancelled", "orderModified", "orderQueued"]);
    }
  });

  test("has an empty history for an unknown order, also if the id has reserved characters", async () => {
    const response = await ask(serveTestEngine(), PATHS.orderEvents("a/b ?#%"), OPERATOR);
    expect(auditResponse.parse(await response.json())).toMatchObject({ events: [], hasMore: false });
  });
});
