// Modules in the order of a property, page by page, with ties, gaps and both directions; and lists and resources of a snapshot.

import { describe, expect, test } from "bun:test";
import type { ToolContext } from "../../../core/tools/context.ts";
import { contractsOfProducts } from "../../../plugins/query/listed-contracts.ts";
import marketResources from "../../../plugins/query/market-resources.ts";
import { sortedModules } from "../../../plugins/query/module-order.ts";
import orderResources from "../../../plugins/query/order-resources.ts";
import { emptyListNote, listModules } from "../../../plugins/query/snapshot-list.ts";
import { snapshotOf } from "../support/still-market.ts";

const NOW = Date.parse("2030-06-01T00:00:00Z");
const day = (number: number) => `2030-06-0${number}T00:00:00Z`;

describe("sorted modules", () => {
  const orders = (values: Record<string, unknown>, name: string) =>
    snapshotOf(
      Object.fromEntries(Object.entries(values).map(([id, value]) => [`/ORDER/${id}`, { [name]: value, side: 0 }])),
    );

  /** The ids of all pages. */
  const pages = (snapshot: ReturnType<typeof orders>, sort: string, limit: number) => {
    const read: string[][] = [];
    let cursor: string | undefined;
    for (let hasMore = true; hasMore && read.length < 9;) {
      const page = sortedModules(snapshot, "ORDER", {}, { sort, limit, cursor, list: "l", filters: {} });
      read.push(page.items.map(({ id }) => id));
      expect([page.cursor === null, page.total]).toEqual([!page.hasMore, 7]);
      hasMore = page.hasMore;
      cursor = page.cursor ?? undefined;
    }
    return read;
  };

  test.each<[string, string, unknown[], string]>([
    ["numbers", "averagePrice", [5, -1, 5, null, 10, null, 0], "bgaceDF"],
    ["texts", "clientOrderId", ["b", "A", "b", null, "c", null, "a"], "bgaceDF"],
    ["times, whatever their form", "createdAt", [
      day(5),
      day(1),
      "2030-06-05T02:00:00+02:00",
      null,
      day(9),
      null,
      "2030-06-02T00:00:00.000Z",
    ], "bgaceDF"],
  ])(
    "of %s come in both directions with equal ones by id and those without a value last",
    (_what, name, values, order) => {
      const snapshot = orders(Object.fromEntries([..."abcDeFg"].map((id, at) => [id, values[at]])), name);
      const ascending = [...order];
      // Equal ones stay in the order of their ids, and those without a value at the end.
      const descending = [..."eacgbDF"];
      for (const limit of [1, 2, 3, 7]) {
        expect(pages(snapshot, name, limit).flat()).toEqual(ascending);
        expect(pages(snapshot, `-${name}`, limit).flat()).toEqual(descending);
      }
      expect(pages(snapshot, name, 3).map(({ length }) => length)).toEqual([3, 3, 1]);
    },
  );

  test("go on after a module that is gone meanwhile, and refuse a property that can't be sorted", () => {
    const request = { sort: "price", limit: 1, list: "l", filters: {} };
    const before = orders({ a: 1, b: 2, c: 3 }, "price");
    const { cursor } = sortedModules(before, "ORDER", {}, request);
    const after = orders({ b: 2, c: 3 }, "price");
    const page = sortedModules(after, "ORDER", {}, { ...request, cursor: cursor! });
    expect(page.items.map(({ id }) => id)).toEqual(["b"]);
    for (const sort of ["prise", "--price", ""]) {
      expect(() => sortedModules(after, "ORDER", {}, { ...request, sort })).toThrow("ORDER can't be sorted by");
    }
    expect(() => sortedModules(snapshotOf({ "/ENTITY/e": {} }), "ENTITY", {}, { ...request, sort: "userIds" }))
      .toThrow('ENTITY can\'t be sorted by "userIds"');
  });
});

const MARKET = {
  "/MARKET/M": { name: "Market", code: "M", timezone: "UTC" },
  "/MARKET/M2": { name: "Other", code: "M2", timezone: "UTC" },
  "/PRODUCT/P": { name: "Base", code: "P", marketId: "M" },
  "/PRODUCT/Q": { name: "Peak", code: "Q", marketId: "M" },
  "/CONTRACT/c2": {
    productId: "P",
    marketId: "M",
    engineId: "e2",
    status: "listed",
    deliveryStart: day(2),
    deliveryEnd: day(4),
    hours: 24,
    name: "Two",
  },
  "/CONTRACT/q1": {
    productId: "Q",
    marketId: "M",
    engineId: "e3",
    status: "listed",
    deliveryStart: day(1),
    deliveryEnd: day(4),
    hours: 24,
    name: "Q",
  },
  "/CONTRACT/c1": {
    productId: "P",
    marketId: "M",
    engineId: "e1",
    status: "listed",
    deliveryStart: day(1),
    deliveryEnd: day(4),
    hours: 24,
    name: "One",
  },
  "/CONTRACT/c0": {
    productId: "P",
    marketId: "M",
    engineId: "e0",
    status: "expired",
    deliveryStart: day(1),
    deliveryEnd: day(4),
    hours: 24,
    name: "Old",
  },
  "/CONTRACT/cx": {
    productId: "P",
    marketId: "M",
    engineId: "none",
    status: "listed",
    deliveryStart: day(3),
    deliveryEnd: day(4),
    hours: 24,
    name: "X",
  },
  ...Object.fromEntries([["e0", "c0"], ["e1", "c1"], ["e2", "c2"], ["e3", "q1"]].map(([id, contractId], at) => [
    `/ENGINE/${id}`,
    { contractId, bids: [], asks: [], bestBid: at, bestAsk: null, lastPrice: 10 * at, tradedQuantity: at },
  ])),
  "/ORDER/1": { userId: "u", status: "working", entityId: "A", side: 0 },
  "/ORDER/2": { userId: "u", status: "filled", entityId: "A", side: 1 },
  "/ORDER/3": { userId: "v", status: "held", entityId: "B", side: 1 },
  "/ORDER/5": { userId: "u", status: "held", entityId: "B", side: 0 },
  "/ORDER/4": { userId: "u", status: "partial", entityId: "B", side: 0 },
  "/ENTITY/A": { name: "A" },
  "/ENTITY/B": { name: "B" },
  "/USER/u": { name: "U" },
  "/USER/v": { name: "V" },
};
const context = () => ({ snapshot: snapshotOf(MARKET), pubsub: { marketTime: () => NOW } }) as unknown as ToolContext;

test("the contracts of a product are those listed, by delivery, with the prices of their own books", () => {
  const { snapshot } = context();
  const [base, peak, none] = contractsOfProducts(snapshot, ["P", "Q", "R"]);
  const prices = base!.contracts.map(({ id, bestBid, lastPrice }) => [id, bestBid, lastPrice]);
  expect([prices.slice(0, 2), base!.contracts.map(({ id }) => id)]).toEqual([
    [["c1", 1, 10], ["c2", 2, 20]],
    ["c1", "c2", "cx"],
  ]);
  expect([peak!.contracts.map(({ id }) => id), none, "contractCount" in base!]).toEqual([
    ["q1"],
    { contracts: [] },
    false,
  ]);
});

describe("resources of a snapshot", () => {
  test("are the open orders of one user, newest first, with another version once they change", async () => {
    const [openOrders] = orderResources as unknown as [typeof orderResources[number]];
    const asked = context();
    const found = await openOrders.read({ userId: "u" }, asked) as { ids: string[]; modules: object[] };
    expect([found.ids.toSorted(), found.modules.length]).toEqual([["1", "4", "5"], 3]);
    const version = () => openOrders.version!({ userId: "u" }, asked);
    const before = version();
    expect(version()).toBe(before);
    (asked.snapshot as ReturnType<typeof snapshotOf>).apply(
      { statePath: "/ORDER/9", state: { id: "9", userId: "u" } },
      "now",
    );
    expect(version()).not.toBe(before);
    await expect((async () => await openOrders.version!({ userId: "nobody" }, asked))()).rejects.toMatchObject({
      code: "not_found",
    });
  });

  test("are the books of listed contracts by product and delivery, and the first market", () => {
    const [market, book] = marketResources as unknown as [
      typeof marketResources[number],
      typeof marketResources[number],
    ];
    const asked = context();
    const listed = book.list!(asked) as unknown as { parameters: { contractId: string } }[];
    expect(listed.map(({ parameters: { contractId } }) => contractId)).toEqual(["c1", "c2", "q1"]);
    expect(market.read({}, asked)).toMatchObject({ id: "M", currentTime: "2030-06-01T00:00:00.000Z" });
    expect(book.read({ contractId: "c2" }, asked)).toMatchObject({ contractId: "c2", lastPrice: 20 });
    expect(book.version!({ contractId: "c2" }, asked)).toBe(asked.snapshot.get("ENGINE", "e2") as never);
    expect(market.version!({}, asked)).toBe(asked.snapshot.get("MARKET", "M") as never);
  });
});

describe("a list by values of properties", () => {
  const list = (filters: Record<string, unknown>, limit = 9) =>
    listModules(context(), "ORDER", { filters, limit, list: "l", fields: ["userId"], cursor: undefined });

  test("has the modules that have them all, and ignores what is absent", () => {
    const ids = (filters: Record<string, unknown>) => list(filters).items.map(({ id }) => id).toSorted();
    expect([ids({ userId: "u", status: undefined }), ids({ userId: "u", status: "filled" })]).toEqual([
      ["1", "2", "4", "5"],
      ["2"],
    ]);
    expect(list({ userId: "u" }, 1)).toMatchObject({ count: 1, total: 4, hasMore: true, items: [{ userId: "u" }] });
  });

  test("that is empty says how many each of several filters matches, and refuses a name that nobody has", () => {
    expect(list({ userId: "v", status: "filled" })).toMatchObject({
      total: 0,
      note: "Matches of each filter alone: userId 1, status 1.",
    });
    expect(list({ status: "cancelled" })).not.toHaveProperty("note");
    expect(() => list({ userId: "w" })).toThrow(expect.objectContaining({ code: "not_found" }));
    const none = { snapshot: snapshotOf({}), now: NOW } as never;
    expect(emptyListNote("ORDER", { userId: "u" }, none)).toEqual({ note: "There is no ORDER now that you can see." });
  });
});
