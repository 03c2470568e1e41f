// Ids that no module has: what reads understand, and what refusals suggest.

import { describe, expect, test } from "bun:test";
import { builtInMarket } from "../../engine/definition/built-in-market.ts";
import { suggestedIds } from "../../plugins/toolkit/meaning.ts";
import { column, Desk, list, text } from "./support/desk.ts";
import { snapshotOf, StillMarket } from "./support/still-market.ts";

const desk = await Desk.open(builtInMarket());
const trader = await desk.connected("riverbend-trader-1");
const find = { moduleType: "CONTRACT", filters: { productCode: "NORTH-DA-BASE" }, limit: 1 };
const { ids: [contractId] } = await trader.ok("mkt_find_modules", find) as { ids: [string] };

describe("a read understands another form of an id that has one meaning", () => {
  test("a contract's id in lower case, its name, and its engine's id", async () => {
    const name = `NORTH Day-ahead base ${contractId.slice("NORTH-DA-BASE-".length)}`;
    for (const form of [contractId.toLowerCase(), name, ` ${contractId} `, `ENG-${contractId}`]) {
      expect(await trader.ok("mkt_get_order_book", { contractId: form })).toMatchObject({ contractId });
    }
    for (const form of [contractId, `eng-${contractId}`]) {
      expect(await trader.ok("mkt_get_order_book", { engineId: form })).toMatchObject({ contractId });
    }
  });

  test("an order by its clientOrderId, a product, an entity and a user by another case or name", async () => {
    const order = { contractId, side: "BUY", price: 1, quantity: 1, idempotencyKey: "own-key" };
    const { orderId } = await trader.ok("mkt_create_test_order", order);
    for (const form of ["own-key", text({ orderId }, "orderId").toLowerCase()]) {
      expect(await trader.ok("mkt_get_order", { orderId: form })).toMatchObject({ id: orderId });
    }
    expect(await trader.ok("mkt_get_product", { productId: "north-da-hour" })).toMatchObject({ id: "NORTH-DA-HOUR" });
    expect(await trader.ok("mkt_get_entity", { entityId: "Riverbend Generation" })).toMatchObject({ id: "RIVERBEND" });
    expect(await trader.ok("mkt_get_user", { userId: "OPERATOR" })).toMatchObject({ id: "operator" });
  });
});

describe("a refusal suggests what was probably meant", () => {
  const book = async (given: string) => text(await trader.failure("mkt_get_order_book", { contractId: given }), "hint");

  test("contracts that deliver in a month, on a day, tomorrow, the month itself first", async () => {
    const { modules } = await trader.ok("mkt_find_modules", {
      moduleType: "CONTRACT",
      filters: { productCode: "NORTH-MO-BASE" },
      sort: "deliveryStart",
      fields: ["deliveryStart"],
    });
    // With one of the three, a quarter begins.
    expect(modules).toHaveLength(3);
    for (const month of list({ modules }, "modules")) {
      const start = new Date(text(month, "deliveryStart"));
      const options = { month: "long", timeZone: "America/Chicago" } as const;
      const name = new Intl.DateTimeFormat("en", options).format(start);
      const hint = await book(`north ${name}`);
      expect(hint).toStartWith(`Did you mean ${month["id"]}`);
    }
    expect(await book("west tomorrow base")).toMatch(/^Did you mean WEST-DA-BASE-/);
    // A weekend has no peak, so its day is that of a contract.
    const { ids: [peak] } = await trader.ok("mkt_find_modules", {
      moduleType: "CONTRACT",
      filters: { productCode: "WEST-DA-PEAK" },
      limit: 1,
    }) as { ids: [string] };
    expect(await book(`peak ${peak.slice("WEST-DA-PEAK-".length)} west`)).toStartWith(`Did you mean ${peak}`);
  });

  test("in a mutation, which never uses it", async () => {
    const order = { side: "BUY", price: 1, quantity: 1 };
    for (const given of [contractId.toLowerCase(), `ENG-${contractId}`]) {
      expect(await trader.failure("mkt_create_test_order", { ...order, contractId: given })).toMatchObject({
        status: "rejected",
        code: "not_found",
        hint: expect.stringContaining(`Did you mean ${contractId}?`),
      });
    }
    const operator = await desk.connected("operator");
    expect(await operator.failure("mkt_flush_order_book", { contractId: contractId.toLowerCase() })).toMatchObject({
      code: "not_found",
      hint: expect.stringContaining(`Did you mean ${contractId}?`),
    });
  });

  test("in lists and filters, by id, code and node", async () => {
    const wrong: [string, Record<string, unknown>, string][] = [
      ["mkt_list_orders", { entityId: "rivrbend" }, "Did you mean RIVERBEND?"],
      ["mkt_get_user", { userId: "opertor" }, "Did you mean operator?"],
      ["mkt_find_modules", { moduleType: "ORDER", filters: { contractId: contractId.slice(0, -1) } }, contractId],
      ["mkt_find_modules", { moduleType: "CONTRACT", filters: { productCode: "north-da-hour" } }, "NORTH-DA-HOUR?"],
      ["mkt_find_modules", { moduleType: "CONTRACT", filters: { node: "North" } }, "Did you mean NORTH?"],
    ];
    for (const [tool, input, hint] of wrong) {
      const refusal = await trader.failure(tool, input);
      expect(refusal).toMatchObject({ code: "not_found", hint: expect.stringContaining(hint) });
    }
  });

  test("nothing if nothing is near", async () => {
    expect(await book("zzz")).toBe("mkt_find_modules with moduleType CONTRACT gives the ids.");
    expect((await trader.failure("mkt_get_fill", { fillId: "zzz" }))["hint"]).toBe(
      "mkt_list_fills gives the fills you can see.",
    );
  });
});

test("an id with two meanings is refused, and both are suggested", async () => {
  const still = new StillMarket({
    modules: {
      "/CONTRACT/a": { name: "Base", code: "A", engineId: "e" },
      "/CONTRACT/b": { name: "base", code: "B", engineId: "e" },
      "/TRADE/t": { buyOrderId: "o1", sellOrderId: "o2" },
      "/ORDER/o1": {},
      "/ORDER/o2": {},
    },
  });
  expect((await still.failure("mkt_get_order_book", { contractId: "BASE" }))["hint"]).toContain("Did you mean a or b?");
  expect((await still.failure("mkt_get_order", { orderId: "t" }))["hint"]).toContain("Did you mean o1 or o2?");
});

test("names are looked for among at most 3,000 modules of a type, so no refusal is slow", () => {
  for (const [count, found] of [[3_000, ["p-2999"]], [3_001, []]] as const) {
    const products = Array.from({ length: count }, (_, at) => [`/PRODUCT/p-${at}`, { name: `Hour ${at}` }]);
    expect(suggestedIds(snapshotOf(Object.fromEntries(products)), "PRODUCT", "HOUR 2999")).toEqual([...found]);
  }
});

test("a crossed book says in words why the orders may not trade", async () => {
  const crossed = { contractId: "c", bids: [{ price: 5, volume: 1, orderCount: 1 }], asks: [] as object[] };
  for (const [ask, isCrossed] of [[4, true], [5, true], [6, false]] as const) {
    const asks = [{ price: ask, volume: 1, orderCount: 1 }];
    const still = new StillMarket({
      modules: {
        "/ENGINE/e": {
          ...crossed,
          asks,
          productCode: "P",
          lastPrice: null,
          totalWorkingOrders: 2,
          lastUpdate: "2030-01-01T00:00:00.000Z",
        },
      },
    });
    const book = await still.ok("mkt_get_order_book");
    expect("note" in book).toBe(isCrossed);
    expect(book["spread"]).toBe(ask - 5);
    expect(column(book, "bids", "price")).toEqual([5]);
  }
});
