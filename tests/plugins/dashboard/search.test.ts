// What the search field finds, and in which order.

import { beforeAll, describe, expect, test } from "bun:test";
import type { SearchAnswer } from "../../../web/contract/search.ts";
import { marketDefinition } from "../../../engine/definition/market-definition.ts";
import { MarketInProcess } from "../../core/support/market-in-process.ts";
import { BASE, MARKET, PEAK, SECRET } from "../support/market.ts";
import { DashboardServer, type Failed } from "./support/dashboard-server.ts";

const HOSTILE = '<img src=x onerror="alert(1)">\u202e';

const DEFINITION = marketDefinition.parse({
  ...MARKET,
  entities: [...MARKET.entities, { id: "delta", code: "DELTA", name: HOSTILE }],
});

const market = new MarketInProcess(DEFINITION, SECRET);
const server = new DashboardServer(market);

beforeAll(async () => {
  await market.connect("olga");
  for (let count = 0; count < 30; count++) {
    const clientOrderId = `mine-${count}-abcdef`;
    market.execute("alice", "order.submit", { contractId: PEAK, side: 0, price: 4_200, quantity: 5, clientOrderId });
  }
});

async function found(text: string): Promise<SearchAnswer> {
  return (await server.get<SearchAnswer>(`/dashboard/search?text=${encodeURIComponent(text)}`)).body;
}

async function namesOf(text: string): Promise<string[]> {
  return (await found(text)).results.map(({ kind, id }) => `${kind} ${id}`);
}

describe("the search", () => {
  test("finds contracts, entities and users by id, code, name and part of it", async () => {
    expect((await namesOf(BASE))[0]).toBe(`contract ${BASE}`);
    expect(await namesOf("BASE-1")).toContain(`contract ${BASE}`);
    expect((await namesOf("alpha"))[0]).toBe("entity alpha");
    expect((await namesOf("gamma ener"))[0]).toBe("entity gamma");
    expect((await namesOf("greta"))[0]).toBe("user greta");
  });

  test("says what each result is", async () => {
    const [entity] = (await found("alpha")).results;
    expect(entity).toEqual({ kind: "entity", id: "alpha", title: "alpha Energy", detail: "ALPHA" });
    const [user] = (await found("greta")).results;
    expect(user).toEqual({ kind: "user", id: "greta", title: "Greta", detail: "of gamma", entityId: "gamma" });
    const [order] = (await found("ORD-7")).results;
    expect(order).toEqual({
      kind: "order",
      id: "ORD-7",
      title: PEAK,
      detail: "BUY 5 MW at 42.00 $/MWh, working",
      entityId: "alpha",
    });
  });

  test("finds an order by its id in any case, its number, and its clientOrderId", async () => {
    for (const text of ["ORD-7", "ord-7", "7", "order 7", "mine-6-abcdef"]) {
      expect([text, (await namesOf(text))[0]]).toEqual([text, "order ORD-7"]);
    }
  });

  test("finds each only once", async () => {
    for (const text of ["ORD-7", "peak", "a"]) {
      const names = await namesOf(text);
      expect(names.length).toBe(new Set(names).size);
    }
  });

  test("gives at most 20, and says that there are more", async () => {
    const { results, hasMore } = await found("ORD");
    expect([results.length, hasMore]).toEqual([20, true]);
    expect(await found("ORD-7")).toMatchObject({ hasMore: false });
  });

  test("finds nothing for nothing, and for what nobody has", async () => {
    expect(await found("   ")).toEqual({ text: "", results: [], hasMore: false });
    expect((await found("zzzz-no-such")).results).toEqual([]);
  });

  test("escapes what can't be seen, and leaves the rest to the page", async () => {
    const { text } = await server.get("/dashboard/search?text=delta");
    expect(text).not.toContain("\u202e");
    expect((JSON.parse(text) as SearchAnswer).results[0]?.title).toContain("<img src=x");
  });

  test("refuses a text that is too long", async () => {
    for (const text of ["x".repeat(201), "a ".repeat(13)]) {
      const { status, body } = await server.get<Failed>(`/dashboard/search?text=${encodeURIComponent(text)}`);
      expect([status, body.error.code]).toEqual([400, "invalid_input"]);
    }
  });
});
