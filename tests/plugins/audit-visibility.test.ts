// The audit tools show a user no more than the module tools do, whichever store has the trail. Table storage has no users,
// so mkt alone checks what a user may see there.

import { beforeAll, describe, expect, test } from "bun:test";
import { AzureAuditStore } from "../../common/audit/azure/azure-audit-store.ts";
import type { AuditEvent } from "../../protocol/index.ts";
import { marketDefinition } from "../../engine/definition/market-definition.ts";
import { ACCOUNT_KEY, ACCOUNT_NAME, endpointOn, startAzurite, storageEnvironment } from "../support/azurite.ts";
import { column, Desk, list, type Seat, text } from "./support/desk.ts";
import { BASE, MARKET } from "./support/market.ts";

/** Users besides those of the small market: with other rights to see credit, or with none. */
const USERS = [
  { id: "sam", name: "Sam", entityId: "alpha", permissions: ["Order.Submit", "Credit.View", "Scope.Global"] },
  { id: "nora", name: "Nora", entityId: null, permissions: ["Market.View"] },
  { id: "oscar", name: "Oscar", entityId: "beta", permissions: ["Market.Operate"] },
] as const;

const DEFINITION = marketDefinition.parse({ ...MARKET, users: [...MARKET.users, ...USERS] });

const desk = await Desk.open(DEFINITION);
const azurite = await startAzurite();
let orderId: string;

beforeAll(async () => {
  const [alice, bob, greta, olga] = await Promise.all(
    ["alice", "bob", "greta", "olga"].map((user) => desk.connected(user)),
  );
  if (alice === undefined || bob === undefined || greta === undefined || olga === undefined) {
    throw new Error("no seats");
  }
  const limit = { limitType: "mw", scope: "total", limit: 4321 };
  await alice.ok("mkt_set_credit_limit", { ...limit, entityId: "alpha", counterpartyId: "gamma" });
  await bob.ok("mkt_set_credit_limit", { ...limit, entityId: "beta", counterpartyId: "alpha" });
  const documents = { status: "pending", notes: "a secret note" };
  await alice.ok("mkt_set_documentation_status", { ...documents, entityId: "alpha", counterpartyId: "beta" });
  await greta.ok("mkt_set_documentation_status", { ...documents, entityId: "gamma", counterpartyId: "beta" });
  orderId = text(await alice.buy(BASE, 4500, 1), "orderId");
  const whole = await olga.ok("mkt_get_audit_log", { limit: 200, detail: "full" });
  const trail = list(whole, "events") as unknown as AuditEvent[];
  const table = { endpoint: endpointOn(azurite.port), accountName: ACCOUNT_NAME, accountKey: ACCOUNT_KEY };
  await new AzureAuditStore({ ...table, now: Date.now }).append(trail.toReversed());
});

/** Credit records of the trail, as `event entity:counterparty`. */
const LIMITS = { alpha: "creditLimitSet alpha:gamma", beta: "creditLimitSet beta:alpha" };
const DOCUMENTS = { alpha: "documentationStatusSet alpha:beta", gamma: "documentationStatusSet gamma:beta" };
const SEEN: readonly [user: string, credit: readonly string[]][] = [
  ["alice", [LIMITS.alpha, DOCUMENTS.alpha]],
  ["vera", [LIMITS.alpha, DOCUMENTS.alpha]],
  ["bob", [LIMITS.beta, DOCUMENTS.alpha, DOCUMENTS.gamma]],
  ["greta", [DOCUMENTS.gamma]],
  ["nora", []],
  ["olga", [LIMITS.alpha, LIMITS.beta, DOCUMENTS.alpha, DOCUMENTS.gamma]],
];

describe.each(["backend", "azure"])("with the trail in the store %s", (store) => {
  const seat = (user: string) => desk.seat(user, { ...storageEnvironment(azurite.port), MKT_AUDIT_STORE: store });

  const opened = new Map<string, Seat[]>();

  async function seats(user: string): Promise<Seat[]> {
    const connected = await seat(user);
    await connected.ok("mkt_connect_pubsub");
    return [await seat(user), connected];
  }

  async function seatsOf(user: string): Promise<Seat[]> {
    if (!opened.has(user)) opened.set(user, await seats(user));
    return opened.get(user)!;
  }

  const creditIn = (value: Record<string, unknown>) =>
    list(value, "events")
      .filter(({ moduleType }) => moduleType === "CREDIT")
      .map(({ event, moduleId }) => `${event} ${moduleId}`)
      .toSorted();

  test.each(SEEN)(
    "%s sees limits only of their own entity, and documents only of pairs with it",
    async (user, seen) => {
      for (const one of await seatsOf(user)) {
        const filters = [{}, { moduleType: "CREDIT" }, { search: "alpha" }, { search: "4321" }, { search: "secret" }];
        const shown = await Promise.all(
          filters.map((filter) => one.ok("mkt_get_audit_log", { ...filter, limit: 200 })),
        );
        expect(creditIn(shown[0] ?? {})).toEqual(seen.toSorted());
        expect(creditIn(shown[1] ?? {})).toEqual(seen.toSorted());
        for (const some of shown) expect(seen).toEqual(expect.arrayContaining(creditIn(some)));
        expect(shown[0]).toMatchObject({ hasMore: false });
        expect(column(shown[0], "events", "event")).toContain("orderQueued");
      }
    },
  );

  test.each(SEEN)("%s learns nothing of hidden records from a count, a page or a cursor", async (user, seen) => {
    for (const one of await seatsOf(user)) {
      const input = { moduleType: "CREDIT", limit: 1 };
      const found: unknown[] = [];
      let page = await one.ok("mkt_get_audit_log", input);
      for (;;) {
        found.push(...column(page, "events", "moduleId"));
        if (page["cursor"] === null) break;
        page = await one.ok("mkt_get_audit_log", { ...input, cursor: page["cursor"] });
      }
      expect(found).toHaveLength(seen.length);
      expect(page["hasMore"]).toBe(false);
    }
  });

  test.each(["sam", "oscar"])("%s, who lacks Market.View, reads nothing of the audit log", async (user) => {
    for (const one of await seatsOf(user)) {
      for (const input of [{}, { moduleType: "ORDER", moduleId: orderId }, { event: "creditLimitSet" }]) {
        expect(await one.failure("mkt_get_audit_log", input)).toMatchObject({
          code: "forbidden",
          message: expect.stringContaining("Market.View"),
        });
      }
    }
  });

  test("a user that the backend does not know reads nothing", async () => {
    const stranger = await seat("stranger");
    expect(await stranger.failure("mkt_get_audit_log")).toMatchObject({ code: "forbidden" });
    expect(await stranger.failure("mkt_get_order_events", { orderId })).toMatchObject({ code: "forbidden" });
  });

  test.each(["alice", "vera", "nora", "sam"])(
    "%s, who lacks Market.Operate, reads no order's history",
    async (user) => {
      for (const one of await seatsOf(user)) {
        expect(await one.failure("mkt_get_order_events", { orderId })).toMatchObject({
          code: "forbidden",
          hint: expect.stringMatching(/mkt_get_audit_log.*moduleType ORDER.*moduleId/),
        });
      }
    },
  );

  test("an operator reads an order's history, and a trader the same events in the audit log", async () => {
    const [operator, trader] = [await seat("olga"), await seat("alice")];
    const history = await operator.ok("mkt_get_order_events", { orderId, detail: "full" });
    expect(column(history, "events", "event")).toEqual(["orderQueued"]);
    const filter = { moduleType: "ORDER", moduleId: orderId, detail: "full" };
    const instead = await trader.ok("mkt_get_audit_log", filter);
    expect(instead["events"]).toEqual(history["events"]);
  });
});
