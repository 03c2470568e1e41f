// Audit log: names that the protocol does not declare, and who checks what a user may see.

import { describe, expect, test } from "bun:test";
import type { AuditReader } from "../../common/audit/audit-store.ts";
import type { StateClient } from "../../core/backend/state-client.ts";
import type { AuditPage } from "../../protocol/index.ts";
import { configurationFor } from "../core/support/services.ts";
import { StillMarket } from "./support/still-market.ts";

const RANGE = { from: "2030-06-01", to: "2030-06-01" };
const EVENT = {
  id: "1",
  time: "2030-06-01T12:00:00.000Z",
  event: "moonTweaked",
  moduleType: "MOON",
  moduleId: "m",
  userId: null,
  entityId: null,
  orderId: null,
  details: {},
};
const STORAGE = {
  STORAGE_TABLE_ENDPOINT: "http://127.0.0.1:1",
  STORAGE_ACCOUNT_NAME: "account",
  MKT_STORAGE_KEY: "a2V5",
};

/** A market whose trail answers every query with `page`, and the number of look-ups of users. */
function marketWith(page: Partial<AuditPage>, environment: Record<string, string>, permissions = ["Market.View"]) {
  const answer = () => Promise.resolve({ events: [], hasMore: false, cursor: null, range: RANGE, ...page });
  const audit: AuditReader = { query: answer, orderEvents: answer };
  let lookups = 0;
  const users = () => {
    lookups += 1;
    return Promise.resolve([{ id: "user-1", name: "U", entityId: "e", permissions, connected: false }]);
  };
  const health = () => Promise.resolve({ engineId: "engine", marketTime: null, clock: null });
  const backend = { users, health } as unknown as StateClient;
  const market = new StillMarket({
    pubsub: { status: "disconnected", session: null },
    services: { audit, backend, configuration: configurationFor(environment) },
  });
  return { market, lookups: () => lookups };
}

describe("an undeclared name", () => {
  const inputs = [{ event: "moonTweaked" }, { moduleType: "MOON" }];

  test.each(inputs)("is refused only if it finds nothing: %p", async (input) => {
    const store = { MKT_AUDIT_STORE: "backend" };
    expect(await marketWith({}, store).market.failure("mkt_get_audit_log", input)).toMatchObject({
      code: "invalid_filter",
    });
    const found = marketWith({ events: [EVENT] }, store).market;
    expect(await found.ok("mkt_get_audit_log", input)).toMatchObject({ count: 1 });
    const unfinished = marketWith({ hasMore: true, cursor: "further" }, store).market;
    expect(await unfinished.ok("mkt_get_audit_log", input)).toMatchObject({ count: 0, hasMore: true });
    const last = { ...input, cursor: "further" };
    expect(await marketWith({}, store).market.ok("mkt_get_audit_log", last)).toMatchObject({ count: 0 });
  });

  test.each(["SYSTEM", "ORDER", "CREDIT"])("%s is declared, and finds nothing", async (moduleType) => {
    const { market } = marketWith({}, { MKT_AUDIT_STORE: "backend" });
    expect(await market.ok("mkt_get_audit_log", { moduleType })).toMatchObject({ count: 0 });
  });
});

describe("who checks the permissions of the audit tools", () => {
  const TOOLS: [string, Record<string, unknown>, string][] = [
    ["mkt_get_audit_log", {}, "Market.View"],
    ["mkt_get_order_events", { orderId: "o" }, "Market.Operate"],
  ];

  test.each(TOOLS)(
    "%s with %p does not check if the backend keeps the trail",
    async (tool, input) => {
      for (const more of [{}, STORAGE]) {
        const { market, lookups } = marketWith({}, { MKT_AUDIT_STORE: "backend", ...more }, []);
        expect(await market.ok(tool, input)).toMatchObject({ count: 0 });
        expect(lookups()).toBe(0);
      }
    },
  );

  test.each(TOOLS)("%s with %p looks up the user for table storage, and requires %s alone", async (...given) => {
    const [tool, input, permission] = given;
    const allowed = marketWith({}, STORAGE, [permission]);
    expect(await allowed.market.ok(tool, input)).toMatchObject({ count: 0 });
    expect(allowed.lookups()).toBe(1);
    for (const permissions of [[], ["Order.Submit", "Scope.Global", "Credit.View"]]) {
      const { market } = marketWith({ events: [EVENT] }, STORAGE, permissions);
      expect(await market.failure(tool, input)).toMatchObject({
        code: "forbidden",
        message: `User user-1 lacks the permission ${permission}.`,
      });
    }
  });

  test("an internal failure is not reported as forbidden", async () => {
    const failing = new StillMarket({
      permissions: ["Market.Operate"],
      services: { audit: { query: fail, orderEvents: fail } },
    });
    expect(await failing.failure("mkt_get_order_events", { orderId: "o" })).toMatchObject({ code: "internal" });
  });

  function fail(): Promise<AuditPage> {
    return Promise.reject(new TypeError("broken inside"));
  }
});

describe("an order without events in the searched days", () => {
  const ORDER = { clientOrderId: "mine", createdAt: "2030-01-02T03:04:05.000Z" };

  interface Viewer {
    readonly permissions?: readonly string[];
    readonly incomplete?: boolean;
    readonly createdAt?: string;
  }

  function marketThat({ permissions = ["Market.View", "Market.Operate"], incomplete = false, createdAt }: Viewer) {
    const empty = () => Promise.resolve({ events: [], hasMore: false, cursor: null, range: RANGE });
    return new StillMarket({
      permissions,
      modules: { "/ORDER/ORD-1": { ...ORDER, ...(createdAt !== undefined && { createdAt }) } },
      pubsub: { incomplete },
      services: {
        audit: { query: empty, orderEvents: empty },
        configuration: configurationFor({ MKT_AUDIT_STORE: "backend" }),
      },
    });
  }

  test("is older if the market has it: the message gives its day", async () => {
    expect(await marketThat({}).ok("mkt_get_order_events", { orderId: "ORD-1" })).toMatchObject({
      count: 0,
      note: `Order "ORD-1" has no event on 2030-06-01. It was created at ${ORDER.createdAt}: give that day as date.`,
    });
  });

  test("has no event yet if its first day was searched", async () => {
    const createdAt = "2030-06-01T00:00:00.000Z";
    expect(await marketThat({ createdAt }).ok("mkt_get_order_events", { orderId: "ORD-1" })).toMatchObject({
      note:
        `Order "ORD-1" has no event on 2030-06-01. It was created at ${createdAt}: its events are not in the audit ` +
        "trail yet. Call again later.",
    });
  });

  test("is unknown if the whole market lacks it", async () => {
    expect(await marketThat({}).failure("mkt_get_order_events", { orderId: "mine" })).toMatchObject({
      code: "not_found",
      hint: expect.stringContaining("Did you mean ORD-1?"),
    });
  });

  test.each<Viewer>([{ incomplete: true }, { permissions: ["Market.Operate"] }])(
    "may exist if the snapshot lacks orders: %p",
    async (parts) => {
      expect(await marketThat(parts).ok("mkt_get_order_events", { orderId: "ORD-2" })).toMatchObject({
        count: 0,
        note: expect.stringContaining("If it is older, give its day as date."),
      });
    },
  );
});
