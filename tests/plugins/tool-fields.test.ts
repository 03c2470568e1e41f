// Every field that a tool derives or renames. Each field has another value, so swapped fields are found: both scopes, both
// sides, both directions, true and false, null and not null.

import { describe, expect, test } from "bun:test";
import { column, list } from "./support/desk.ts";
import { StillMarket } from "./support/still-market.ts";
import { wholeModule } from "../support/modules.ts";

const ENTITIES = { "/ENTITY/entity-1": {}, "/ENTITY/b": {}, "/ENTITY/c": {}, "/ENTITY/d": {} };

describe("mkt_get_market_state", () => {
  const market = {
    name: "Power",
    code: "PWR",
    status: "preopen",
    halted: false,
    haltReason: null,
    preopen: "2030-01-01T06:00:00.000Z",
    open: "2030-01-01T07:00:00.000Z",
    close: "2030-01-01T19:00:00.000Z",
    timezone: "Europe/Oslo",
    nodes: ["N1", "N2"],
  };
  const at = { marketTime: () => Date.parse("2030-01-01T06:30:00Z") };

  test.each([
    {},
    { status: "open" },
    { status: "closed" },
    { status: "halted", halted: true, haltReason: "storm" },
    { status: "closed", halted: true, haltReason: null },
    { preopen: null, open: null, close: null },
  ])("gives the market time, and each property of the market, also with %p", async (change) => {
    const still = new StillMarket({ modules: { "/MARKET/m": { ...market, ...change } }, pubsub: at });
    expect(await still.ok("mkt_get_market_state")).toEqual({
      id: "m",
      ...market,
      ...change,
      currentTime: "2030-01-01T06:30:00.000Z",
    });
  });
});

describe("mkt_get_order_book", () => {
  const levels = (first: number, step: number) =>
    Array.from({ length: 10 }, (_, at) => ({ price: first + at * step, volume: 0.5 + at, orderCount: at + 1 }));
  const engine = {
    contractId: "con",
    productCode: "BASE",
    bids: levels(100, -1),
    asks: levels(103, 2),
    lastPrice: 101,
    totalWorkingOrders: 77,
    lastUpdate: "2030-01-01T06:30:00.000Z",
  };
  const bookOf = (change: object) =>
    new StillMarket({ modules: { "/ENGINE/eng": { ...engine, ...change } } }).ok("mkt_get_order_book");

  test("gives five levels of each side", async () => {
    expect(await bookOf({})).toEqual({
      engineId: "eng",
      ...engine,
      bids: engine.bids.slice(0, 5),
      asks: engine.asks.slice(0, 5),
      spread: 3,
    });
  });

  const spreads: [string, object, number | null][] = [
    ["3 if the best two are 3 apart", {}, 3],
    ["0 if they are equal", { asks: levels(100, 2) }, 0],
    ["negative if they are crossed", { asks: levels(98, 2) }, -2],
    ["the distance also below zero", { bids: levels(-10, -1), asks: levels(-4, 1) }, 6],
    ["null without bids", { bids: [] }, null],
    ["null without asks", { asks: [] }, null],
    ["null without either", { bids: [], asks: [] }, null],
  ];

  test.each(spreads)("its spread is %s", async (_what, change, spread) => {
    expect((await bookOf(change))["spread"]).toBe(spread);
  });

  test.each([null, 0, -5])("the last price may be %p", async (lastPrice) => {
    expect((await bookOf({ lastPrice }))["lastPrice"]).toBe(lastPrice);
  });
});

describe("the credit tools", () => {
  const limit = (terms: object, limit: number, used: number) => ({
    limitType: "notional",
    scope: "total",
    contractId: null,
    marginPercent: 100,
    ...terms,
    limit,
    used,
    available: limit - used,
  });
  const ofContract = (contractId: string) => ({ scope: "per_contract", contractId });
  const credit = (counterpartyId: string, change: object) => ({
    entityId: "entity-1",
    counterpartyId,
    limits: [],
    usedNotional: 0,
    usedMw: 0,
    usedMwh: 0,
    documentation: "docs_in_place",
    counterpartyDocumentation: "docs_in_place",
    tradable: true,
    notes: null,
    updatedAt: "2030-01-01T06:30:00.000Z",
    ...change,
  });
  const LIMITS = [
    limit({ ...ofContract("here"), marginPercent: 20 }, 900, 1),
    limit({ limitType: "mw" }, 80, 2),
    limit({ marginPercent: 50 }, 1_000, 300),
    limit({ limitType: "mwh", ...ofContract("there") }, 70, 3),
    limit({ limitType: "mw", ...ofContract("gone") }, 60, 4),
    limit({ limitType: "mwh" }, 50, 5),
  ];
  const still = new StillMarket({
    permissions: ["Credit.View"],
    modules: {
      ...ENTITIES,
      "/MARKET/m": {},
      "/MARKET/n": {},
      "/CONTRACT/here": { marketId: "m", status: "listed" },
      "/CONTRACT/there": { marketId: "n" },
      "/CREDIT/1": credit("b", { limits: LIMITS, usedNotional: 600, usedMw: 7, usedMwh: 8 }),
      "/CREDIT/2": credit("c", {
        limits: [limit({}, 200, 500)],
        usedNotional: 501,
        usedMw: 9,
        usedMwh: 10,
        tradable: false,
      }),
      "/CREDIT/3": credit("d", {
        limits: [limit({ limitType: "mw" }, 40, 6)],
        usedNotional: 40.25,
        usedMw: 11,
        usedMwh: 12,
        documentation: "pending",
        counterpartyDocumentation: "no_docs",
        tradable: false,
        notes: "in the post",
      }),
      "/CREDIT/4": { ...credit("entity-1", { limits: [limit({}, 1e6, 0)] }), entityId: "b" },
    },
  });
  const UNITS = { notional: "dollars", mw: "MW", mwh: "MWh" } as const;
  const configs = (counterpartyId: string, limits: readonly Record<string, unknown>[]) =>
    limits.map((one) => ({
      counterpartyId,
      ...one,
      limit: one["limit"],
      value: one["limit"],
      unit: UNITS[one["limitType"] as keyof typeof UNITS],
    }));

  test("mkt_get_credit_status uses total notional limits, or else the use at face value, and says who can trade", async () => {
    const status = await still.ok("mkt_get_credit_status", { entityId: "entity-1" });
    const both = { entity: "docs_in_place", counterparty: "docs_in_place" };
    expect(status["creditLimits"]).toEqual([
      {
        counterpartyId: "b",
        tradable: true,
        reason: null,
        documentation: both,
        available: { notional: 700, mw: 78, mwh: 45 },
        creditLimit: 1_000,
        usedCredit: 300,
        availableCredit: 700,
      },
      {
        counterpartyId: "c",
        tradable: false,
        reason: "entity_limit",
        documentation: both,
        available: { notional: -300, mw: null, mwh: null },
        creditLimit: 200,
        usedCredit: 500,
        availableCredit: -300,
      },
      {
        counterpartyId: "d",
        tradable: false,
        reason: "entity_documents",
        documentation: { entity: "pending", counterparty: "no_docs" },
        available: { notional: null, mw: 34, mwh: null },
        creditLimit: null,
        usedCredit: 40.25,
        availableCredit: null,
      },
    ]);
    expect(status).toMatchObject({ entityId: "entity-1", usedCredit: 840.25, availableCredit: 700 });
    const ofB = configs("b", LIMITS.filter(({ contractId }) => contractId !== "there"));
    const others = [...configs("c", [limit({}, 200, 500)]), ...configs("d", [limit({ limitType: "mw" }, 40, 6)])];
    expect(status["enhancedLimitConfigs"]).toEqual([...ofB, ...others].map(({ value: _, ...config }) => config));
  });

  test("the sum of available credit leaves out credit that missing documents make useless", async () => {
    const modules = {
      ...ENTITIES,
      "/MARKET/m": {},
      "/CREDIT/1": credit("b", { limits: [limit({}, 1_000, 300)] }),
      "/CREDIT/2": credit("c", {
        limits: [limit({}, 5_000, 0)],
        counterpartyDocumentation: "pending",
        tradable: false,
      }),
      "/CREDIT/3": credit("d", { limits: [limit({}, 40, 0)], tradable: false }),
    };
    const pairs = new StillMarket({ permissions: ["Credit.View"], modules });
    const status = await pairs.ok("mkt_get_credit_status", { entityId: "entity-1" });
    expect(status).toMatchObject({ usedCredit: 300, availableCredit: 740 });
  });

  test.each([["m", "here", "there"], ["n", "there", "here"]])(
    "in market %s it lists the limits of its contracts, of unknown contracts, and for all",
    async (marketId, own, others) => {
      const status = await still.ok("mkt_get_credit_status", { entityId: "entity-1", marketId });
      const contracts = list(status, "enhancedLimitConfigs").map(({ contractId }) => contractId);
      expect(status["marketId"]).toBe(marketId);
      expect(contracts).toContain(own);
      expect(contracts).not.toContain(others);
      expect(contracts.filter((contractId) => contractId === null)).toHaveLength(5);
      expect(contracts).toContain("gone");
    },
  );

  test("mkt_list_credit_limit_configs gives every limit with counterparty, unit and use, page by page", async () => {
    const expected = [
      ...configs("b", LIMITS),
      ...configs("c", [limit({}, 200, 500)]),
      ...configs("d", [limit({ limitType: "mw" }, 40, 6)]),
    ];
    expect(await still.ok("mkt_list_credit_limit_configs", { entityId: "entity-1" })).toEqual({
      entityId: "entity-1",
      totalConfigs: 8,
      count: 8,
      hasMore: false,
      cursor: null,
      configs: expected,
    });
    const first = await still.ok("mkt_list_credit_limit_configs", { entityId: "entity-1", limit: 5 });
    expect(first).toMatchObject({ totalConfigs: 8, count: 5, hasMore: true, configs: expected.slice(0, 5) });
    const rest = { entityId: "entity-1", limit: 5, cursor: first["cursor"] };
    expect(await still.ok("mkt_list_credit_limit_configs", rest)).toMatchObject({
      count: 3,
      hasMore: false,
      cursor: null,
      configs: expected.slice(5),
    });
  });

  test("mkt_get_extended_credit sorts limits and use by type, and has the notes", async () => {
    const extended = await still.ok("mkt_get_extended_credit", { entityId: "entity-1", counterpartyId: "b" });
    const totalsFirst = LIMITS.toSorted((one, other) => other.scope.localeCompare(one.scope));
    const ofType = (type: string) => configs("b", totalsFirst.filter(({ limitType }) => limitType === type));
    expect(extended).toMatchObject({ entityId: "entity-1", counterpartyId: "b", notes: null });
    expect(extended["limits"]).toEqual({ notional: ofType("notional"), mw: ofType("mw"), mwh: ofType("mwh") });
    expect(extended["usage"]).toEqual({ notional: 600, mw: 7, mwh: 8 });
    expect(extended["updatedAt"]).toBe("2030-01-01T06:30:00.000Z");
    const other = await still.ok("mkt_get_extended_credit", { entityId: "entity-1", counterpartyId: "d" });
    expect(other).toMatchObject({ notes: "in the post", limits: { notional: [], mwh: [] } });
  });

  test("mkt_get_extended_credit says which entity is unknown, or that there is no credit", async () => {
    const refused = async (entityId: string, counterpartyId: string) =>
      (await global.failure("mkt_get_extended_credit", { entityId, counterpartyId }))["message"];
    const global = new StillMarket({
      permissions: ["Credit.View", "Scope.Global"],
      modules: { ...ENTITIES, "/CREDIT/1": credit("b", {}), "/CREDIT/2": { ...credit("entity-1", {}), entityId: "c" } },
    });
    expect(await refused("nobody", "b")).toBe('There is no ENTITY "nobody".');
    expect(await refused("b", "nobody")).toBe('There is no ENTITY "nobody".');
    expect(await refused("b", "entity-1")).toContain("no limits and no documentation status of b for entity-1");
    expect(await refused("entity-1", "c")).toContain("no limits and no documentation status of entity-1 for c");
  });

  const STATUSES = ["docs_in_place", "no_docs", "pending"];
  test.each(STATUSES.flatMap((own) => STATUSES.map((other) => [own, other])))(
    "documents are in place only if both say so: %s and %s",
    async (documentation = "", counterpartyDocumentation = "") => {
      const pair = new StillMarket({
        permissions: ["Credit.View"],
        modules: { ...ENTITIES, "/CREDIT/1": credit("b", { documentation, counterpartyDocumentation }) },
      });
      const { documentationStatus } = await pair.ok("mkt_get_extended_credit", {
        entityId: "entity-1",
        counterpartyId: "b",
      });
      expect(documentationStatus).toEqual({
        entity: documentation,
        counterparty: counterpartyDocumentation,
        inPlace: documentation === "docs_in_place" && counterpartyDocumentation === "docs_in_place",
      });
    },
  );
});

describe("mkt_connection_status", () => {
  const FACTS = {
    status: "reconnecting",
    url: "ws://e/ws",
    userId: "u",
    entityId: "e",
    engineId: "engine",
    epoch: 5,
    marketTime: "2030-01-02T03:04:05.678Z",
    clock: { mode: "fast", speed: 10 },
    since: "2030-01-01T00:00:00.000Z",
    reconnects: 3,
    unreadableMessages: 2,
    incomplete: true,
    lastError: "it was lost",
    lastDisconnect: { time: "2030-01-01T00:00:00.000Z", reason: "it was lost" },
  } as const;

  test("gives the facts of the connection, and counts by category", async () => {
    const still = new StillMarket({
      pubsub: { facts: () => FACTS },
      events: [["new.order", {}], ["new.fill", {}], ["new.trade", {}], ["halt.market", {}]],
    });
    const status = await still.ok("mkt_connection_status");
    expect(status["connections"]).toEqual({ redis: { status: "not_configured" }, pubsub: FACTS });
    expect(status["eventBuffer"]).toMatchObject({
      totalEvents: 4,
      latestSequence: 1_004,
      byCategory: { order: 1, fill: 2, market: 1, credit: 0 },
      gapEvents: 0,
      epoch: 1_000,
    });
  });
});

describe("reading while a connection is being restored", () => {
  const states = [["connected", false], ["reconnecting", false], ["connected", true], ["reconnecting", true]] as const;

  test.each(states)("%s, incomplete %p: the result says each", async (status, incomplete) => {
    const still = new StillMarket({ pubsub: { status, incomplete }, modules: ENTITIES });
    const listed = await still.ok("mkt_list_orders");
    expect("stale" in listed && "asOf" in listed).toBe(status === "reconnecting");
    expect("incomplete" in listed).toBe(incomplete);
  });
});

describe("lists", () => {
  const SPECIFICATION = { lot: 1, tick: 1, minimumPrice: -1, maximumPrice: 1 };
  const order = (entityId: string, status: string, minute: number) =>
    wholeModule("ORDER", { entityId, status, createdAt: `2030-01-01T00:0${minute}:00.000Z` });
  const fill = (entityId: string, orderId: string, minute: number) =>
    wholeModule("FILL", { entityId, orderId, time: `2030-01-01T00:0${minute}:00.000Z` });
  const still = new StillMarket({
    modules: {
      ...ENTITIES,
      "/ORDER/o1": order("b", "working", 1),
      "/ORDER/o2": order("b", "filled", 2),
      "/ORDER/o3": order("c", "working", 3),
      "/ORDER/o4": order("b", "working", 4),
      "/FILL/f1": fill("b", "o1", 1),
      "/FILL/f2": fill("c", "o1", 2),
      "/FILL/f3": fill("b", "o2", 3),
      "/PRODUCT/p1": wholeModule("PRODUCT", { contractSpecification: SPECIFICATION }),
      "/PRODUCT/p2": wholeModule("PRODUCT", { contractSpecification: SPECIFICATION }),
    },
  });
  const lists: ["orders" | "fills", Record<string, unknown>, string[], number][] = [
    ["orders", {}, ["o4", "o3", "o2", "o1"], 4],
    ["orders", { limit: 2 }, ["o4", "o3"], 4],
    ["orders", { entityId: "b" }, ["o4", "o2", "o1"], 3],
    ["orders", { status: "working" }, ["o4", "o3", "o1"], 3],
    ["orders", { entityId: "b", status: "working", limit: 1 }, ["o4"], 2],
    ["orders", { entityId: "c", status: "filled" }, [], 0],
    ["fills", {}, ["f3", "f2", "f1"], 3],
    ["fills", { limit: 1 }, ["f3"], 3],
    ["fills", { entityId: "b" }, ["f3", "f1"], 2],
    ["fills", { orderId: "o1" }, ["f2", "f1"], 2],
    ["fills", { entityId: "b", orderId: "o1" }, ["f1"], 1],
    ["fills", { entityId: "c", orderId: "o2" }, [], 0],
  ];

  test.each(lists)("mkt_list_%s with %p", async (items, input, expected, total) => {
    const listed = await still.ok(`mkt_list_${items}`, input);
    expect(column(listed, items, "id")).toEqual(expected);
    expect(listed).toMatchObject({ count: expected.length, total });
  });

  test("mkt_list_products and mkt_find_modules count returned and matched modules", async () => {
    expect(await still.ok("mkt_list_products", { limit: 1 })).toMatchObject({ count: 1, total: 2, products: [{}] });
    const find = { moduleType: "ORDER", filters: { entityId: "b" }, limit: 2 };
    expect(await still.ok("mkt_find_modules", find)).toEqual({
      moduleType: "ORDER",
      total: 3,
      returned: 2,
      hasMore: true,
      cursor: expect.any(String),
      ids: ["o4", "o2"],
    });
    const whole = await still.ok("mkt_find_modules", { ...find, includeData: true });
    expect(list(whole, "modules")).toMatchObject([{ id: "o4", status: "working" }, { id: "o2", status: "filled" }]);
    expect(await still.ok("mkt_find_modules", { ...find, includeData: false })).not.toHaveProperty("modules");
  });
});

test("mkt_find_modules takes 100 filters, and not 101", async () => {
  const find = (count: number) => {
    const filters = Object.fromEntries(Array.from({ length: count }, (_, at) => [`property${at}`, at]));
    return new StillMarket({}).failure("mkt_find_modules", { moduleType: "ORDER", filters });
  };
  expect((await find(100))["code"]).toBe("invalid_filter");
  expect((await find(101))["code"]).toBe("invalid_input");
});
