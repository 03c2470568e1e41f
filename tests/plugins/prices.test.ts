// Contracts with the prices of their books, in the built-in market.

import { describe, expect, test } from "bun:test";
import { builtInMarket } from "../../engine/definition/built-in-market.ts";
import { placeInitialOrders } from "../../sim/live/initial-orders.ts";
import { column, Desk, list, number, text, type Value } from "./support/desk.ts";
import { StillMarket } from "./support/still-market.ts";

const desk = await Desk.open(builtInMarket());
placeInitialOrders(desk.engine, 1, Date.now());
const operator = await desk.connected("operator");

const TOMORROW = { hours: 1, deliveryStart: "tomorrow" };
const bytesOf = (value: Value) => Buffer.byteLength(JSON.stringify(value));
const find = (input: Record<string, unknown>) => operator.ok("mkt_find_modules", { moduleType: "CONTRACT", ...input });

describe("contracts in mkt_find_modules", () => {
  test("the cheapest hour of tomorrow at both nodes is one call, and its price is that of its book", async () => {
    const found = await find({ filters: TOMORROW, sort: "bestAsk", limit: 1, includeData: true });
    const [cheapest] = list(found, "modules");
    // A day on which the clock changes has 23 or 25 hours.
    expect(number(found, "total")).toBeOneOf([46, 48, 50]);
    const every = list(await find({ filters: TOMORROW, includeData: true }), "modules");
    const asks = every.map(({ bestAsk }) => bestAsk).filter((ask) => ask !== null) as number[];
    expect(cheapest?.["bestAsk"]).toBe(Math.min(...asks));
    const book = await operator.ok("mkt_get_order_book", { contractId: cheapest?.["id"] });
    expect(list(book, "asks")[0]?.["price"]).toBe(cheapest?.["bestAsk"]);
    expect(list(book, "bids")[0]?.["price"] ?? null).toBe(cheapest?.["bestBid"] ?? null);
  });

  test("all hours of tomorrow with prices are one answer of less than 20,000 bytes", async () => {
    const found = await find({ filters: TOMORROW, includeData: true });
    expect(found["hasMore"]).toBe(false);
    expect(bytesOf(found)).toBeLessThan(20_000);
  });

  test("prices are filters and columns", async () => {
    const filters = { ...TOMORROW, bestAsk: { value: 4500, operator: "lt" }, volume: 0 };
    const found = list(await find({ filters, fields: ["bestAsk", "volume", "name"] }), "modules");
    expect(found.length).toBeGreaterThan(0);
    for (const contract of found) {
      expect(Object.keys(contract)).toEqual(["id", "bestAsk", "volume", "name"]);
      expect(number(contract, "bestAsk")).toBeLessThan(4500);
    }
  });

  test("sort goes both ways", async () => {
    for (const [sort, sign] of [["bestAsk", 1], ["-bestAsk", -1]] as const) {
      const found = column(await find({ sort, fields: ["bestAsk"], limit: 1000 }), "modules", "bestAsk");
      const asks = found.filter((ask) => ask !== null) as number[];
      // Tomorrow's hours, and what else is listed: late on a Saturday nothing of today is left, and there are no peaks.
      expect(asks.length).toBeGreaterThan(60);
      expect(asks).toEqual(asks.toSorted((a, b) => sign * (a - b)));
    }
    const starts = column(
      await find({ sort: "-deliveryStart", fields: ["deliveryStart"] }),
      "modules",
      "deliveryStart",
    );
    expect(starts).toEqual(starts.toSorted().reverse());
  });

  test("contracts without a price come last in both directions, and so do those without an engine", async () => {
    const still = new StillMarket({
      modules: {
        "/CONTRACT/none": { engineId: "gone" },
        "/CONTRACT/dear": { engineId: "e1" },
        "/CONTRACT/empty": { engineId: "e2" },
        "/CONTRACT/cheap": { engineId: "e3" },
        "/ENGINE/e1": { bestAsk: 900 },
        "/ENGINE/e2": { bestAsk: null },
        "/ENGINE/e3": { bestAsk: -5 },
      },
    });
    const sorted = async (sort: string) =>
      (await still.ok("mkt_find_modules", { moduleType: "CONTRACT", sort }))["ids"] as string[];
    expect(await sorted("bestAsk")).toEqual(["cheap", "dear", "empty", "none"]);
    expect(await sorted("-bestAsk")).toEqual(["dear", "cheap", "empty", "none"]);
  });

  test.each(["bestAsk", "-bestAsk", "id", "-lastPrice", "status"])(
    "the pages of a list sorted by %s are the list",
    async (sort) => {
      const whole = await find({ sort, limit: 1000 });
      expect(whole).toMatchObject({ hasMore: false, cursor: null });
      const paged: unknown[] = [];
      for (let cursor: unknown, hasMore = true; hasMore;) {
        const page = await find({ sort, limit: 7, cursor });
        paged.push(...page["ids"] as string[]);
        ({ cursor, hasMore } = page as { cursor: unknown; hasMore: boolean });
      }
      expect(paged).toEqual(whole["ids"] as string[]);
    },
  );

  test("refuses the cursor of a list in another order, and a property that has no order", async () => {
    const { cursor } = await find({ limit: 2 });
    const refused = await operator.failure("mkt_find_modules", { moduleType: "CONTRACT", sort: "id", cursor });
    expect(refused).toMatchObject({ code: "invalid_input", message: expect.stringContaining("cursor") });
    const unsortable = await operator.failure("mkt_find_modules", {
      moduleType: "PRODUCT",
      sort: "contractSpecification",
    });
    expect(unsortable).toMatchObject({ code: "invalid_input", hint: expect.stringContaining("code, type, node") });
    expect(await operator.failure("mkt_find_modules", { moduleType: "ORDER", sort: "-colour" })).toMatchObject({
      code: "invalid_input",
      message: 'sort: ORDER can\'t be sorted by "colour".',
    });
  });

  test("moduleType is accepted in lower case", async () => {
    expect(await operator.ok("mkt_find_modules", { moduleType: "market" })).toMatchObject({ moduleType: "MARKET" });
  });
});

describe("mkt_list_products with contracts", () => {
  test("gives every listed contract with its prices, in less than 20,000 bytes", async () => {
    const products = await operator.ok("mkt_list_products", { contracts: true });
    expect(products).toMatchObject({ count: 18, total: 18, hasMore: false });
    expect(bytesOf(products)).toBeLessThan(20_000);
    const contracts = list(products, "products").flatMap((product) => list(product, "contracts"));
    const found = await find({ filters: { status: "listed" }, includeData: true, limit: 1000 });
    expect(contracts.map(({ id }) => id).sort()).toEqual(column(found, "modules", "id").toSorted());
    const prices = new Map(list(found, "modules").map(({ id, bestBid, bestAsk }) => [id, { bestBid, bestAsk }]));
    for (const { id, bestBid, bestAsk } of contracts) expect({ bestBid, bestAsk }).toEqual(prices.get(id) as never);
    const [hours] = list(products, "products").filter(({ name }) => text({ name }, "name").endsWith("hour"));
    const starts = column(hours, "contracts", "deliveryStart");
    expect(starts).toEqual(starts.toSorted());
  });

  test("gives other columns with fields, and pages", async () => {
    const input = { contracts: true, fields: ["node"], limit: 3 };
    const first = await operator.ok("mkt_list_products", input);
    expect(first).toMatchObject({ count: 3, hasMore: true });
    expect(Object.keys(list(first, "products")[0] ?? {})).toEqual(["id", "node", "contracts"]);
    const next = await operator.ok("mkt_list_products", { ...input, cursor: first["cursor"] });
    expect(next).toMatchObject({ count: 3 });
    expect(column(next, "products", "id")).not.toContain(column(first, "products", "id")[0]);
  });

  test("a page has only as many products as have room for their contracts; one product with too many shows the earliest", async () => {
    const hour = (at: number) => new Date(Date.parse("2030-01-01T00:00:00Z") + at * 3_600_000).toISOString();
    const contractsOf = (productId: string, count: number, status = "listed") =>
      Array.from({ length: count }, (_, at) => [
        `/CONTRACT/${productId}-${status}-${count - at}`,
        { productId, status, deliveryStart: hour(count - at), engineId: "none" },
      ]);
    const still = new StillMarket({
      modules: Object.fromEntries([
        ...["a", "b", "c", "d"].map((id) => [`/PRODUCT/${id}`, { name: id }]),
        ...contractsOf("a", 60),
        ...contractsOf("a", 500, "expired"),
        ...contractsOf("b", 70),
        ...contractsOf("c", 1),
        ...contractsOf("d", 200),
      ]) as never,
    });
    const pages: Value[] = [];
    let cursor: unknown;
    do {
      pages.push(await still.ok("mkt_list_products", { contracts: true, cursor }));
      cursor = pages.at(-1)?.["cursor"] ?? undefined;
    } while (cursor !== undefined);
    expect(pages.map((page) => column(page, "products", "id"))).toEqual([["a", "b"], ["c"], ["d"]]);
    const [large] = list(pages[2], "products");
    expect(large).toMatchObject({ contractCount: 200 });
    const shown = column(large, "contracts", "id");
    expect(shown).toHaveLength(130);
    expect(shown.slice(0, 2)).toEqual(["d-listed-1", "d-listed-2"]);
    expect(list(pages[0], "products")[0]).not.toHaveProperty("contractCount");
  });
});
