// What every list has: pages, and columns that the caller chooses.

import { describe, expect, test } from "bun:test";
import type { StateClient } from "../../core/backend/state-client.ts";
import { propertiesOf } from "../../core/market/module-properties.ts";
import { MODULE_TYPES, type ModuleData, type ModuleType } from "../../protocol/modules/registry.ts";
import { wholeModule } from "../support/modules.ts";
import { column, list, text, type Value } from "./support/desk.ts";
import { StillMarket } from "./support/still-market.ts";

const number = (at: number) => String(at).padStart(2, "0");
const many = (type: "ORDER" | "FILL" | "PRODUCT" | "ENTITY", count: number) =>
  Array.from({ length: count }, (_, at) => [
    `/${type}/${type}-${number(at)}`,
    wholeModule(type, propertiesWith(type, at)),
  ]);

/** Example values for the properties that the type has. */
function propertiesWith(type: ModuleType, at: number): Record<string, unknown> {
  const time = `2030-01-01T00:${number(at)}:00.000Z`;
  const contractSpecification = { lot: 1, tick: 1, minimumPrice: -1, maximumPrice: 1 };
  const values = {
    entityId: "e",
    orderId: "ORDER-01",
    side: at % 2,
    status: "working",
    createdAt: time,
    time,
    contractSpecification,
  };
  return Object.fromEntries(Object.entries(values).filter(([name]) => propertiesOf(type).has(name)));
}

const entities = Array.from({ length: 25 }, (_, at) => ({ ...wholeModule("ENTITY", {}), id: `e-${at}` }));
const users = Array.from({ length: 25 }, (_, at) => ({ ...wholeModule("USER", { entityId: "e" }), id: `u-${at}` }));

function market(): StillMarket {
  const modules = Object.fromEntries([
    ...many("ORDER", 25),
    ...many("FILL", 25),
    ...many("PRODUCT", 25),
    ["/ENTITY/e", {}],
  ]) as Record<string, Record<string, unknown>>;
  const backend = {
    entities: () => Promise.resolve(entities as unknown as ModuleData<"ENTITY">[]),
    users: () => Promise.resolve(users as unknown as ModuleData<"USER">[]),
  } as unknown as StateClient;
  return new StillMarket({ modules, services: { backend } });
}

const LISTS: [tool: string, items: string, input: Record<string, unknown>, column: string][] = [
  ["mkt_list_orders", "orders", { entityId: "e" }, "createdAt"],
  ["mkt_list_fills", "fills", { orderId: "ORDER-01" }, "time"],
  ["mkt_list_products", "products", {}, "currency"],
  ["mkt_list_entities", "entities", {}, "name"],
  ["mkt_list_users", "users", { entityId: "e" }, "connected"],
  ["mkt_find_modules", "modules", { moduleType: "ORDER", filters: { entityId: "e" }, includeData: true }, "userId"],
];

describe.each(LISTS)("%s", (tool, items, input, property) => {
  const still = market();

  test("gives every item exactly once, page by page", async () => {
    const whole = await still.ok(tool, input);
    expect(whole).toMatchObject({ total: 25, hasMore: false, cursor: null });
    const pages: Value[] = [];
    let cursor: string | undefined;
    do {
      const page = await still.ok(tool, { ...input, limit: 10, cursor });
      pages.push(page);
      expect(page["total"]).toBe(25);
      expect(page["hasMore"]).toBe(page["cursor"] !== null);
      cursor = page["cursor"] === null ? undefined : text(page, "cursor");
    } while (cursor !== undefined);
    expect(pages.map((page) => list(page, items).length)).toEqual([10, 10, 5]);
    expect(pages.flatMap((page) => list(page, items))).toEqual(list(whole, items));
  });

  test("gives the columns in fields, and id", async () => {
    const listed = list(await still.ok(tool, { ...input, fields: [property] }), items);
    expect(listed.map((item) => Object.keys(item))).toEqual(listed.map(() => ["id", property]));
    const all = list(await still.ok(tool, { ...input, fields: ["all"] }), items);
    const type = tool === "mkt_find_modules" ? "ORDER" : typeOf(items);
    expect(Object.keys(all[0] ?? {})).toEqual(expect.arrayContaining([...propertiesOf(type).keys()]));
  });

  test("refuses an unknown column and names the known ones", async () => {
    expect(await still.failure(tool, { ...input, fields: ["colour"] })).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining('"colour"'),
      hint: expect.stringContaining(property),
    });
  });

  test("refuses a cursor of another list, and text that is no cursor", async () => {
    const other = tool === "mkt_list_orders" ? "mkt_list_fills" : "mkt_list_orders";
    const { cursor } = await still.ok(other, { limit: 1 });
    const forged = Buffer.from('["x",1,2]').toString("base64url");
    for (const wrong of [cursor, "x", "null", forged]) {
      expect(await still.failure(tool, { ...input, cursor: wrong })).toEqual({
        code: "invalid_input",
        message: expect.stringMatching(/^cursor (belongs to another list|is not a cursor)/),
        hint: "Start again without cursor.",
      });
    }
  });
});

function typeOf(items: string) {
  const singular = { orders: "ORDER", fills: "FILL", products: "PRODUCT", entities: "ENTITY", users: "USER" } as const;
  return singular[items as keyof typeof singular];
}

test("a cursor is refused with other filters, and goes with another limit and other columns", async () => {
  const still = market();
  const find = { moduleType: "ORDER", filters: { entityId: "e", side: 1 }, limit: 1 };
  const { cursor, ids } = await still.ok("mkt_find_modules", find);
  for (
    const other of [{ filters: { entityId: "e" } }, { filters: { entityId: "e", side: 0 } }, { moduleType: "FILL" }]
  ) {
    expect(await still.failure("mkt_find_modules", { ...find, ...other, cursor })).toMatchObject({
      code: "invalid_input",
      message: "cursor belongs to another list or to other filters.",
    });
  }
  const next = await still.ok("mkt_find_modules", { ...find, limit: 3, fields: ["side"], cursor });
  expect(ids).toEqual(["ORDER-23"]);
  expect(next["modules"]).toEqual([21, 19, 17].map((at) => ({ id: `ORDER-${at}`, side: "SELL" })));
});

test("a list of users can't be continued after a user who is gone", async () => {
  const { cursor } = await market().ok("mkt_list_users", { limit: 2 });
  const backend = { users: () => Promise.resolve([]), entities: () => Promise.resolve([]) } as unknown as StateClient;
  const emptied = new StillMarket({ services: { backend } });
  expect(await emptied.failure("mkt_list_users", { cursor })).toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("gone"),
  });
});

test("a list of products can't be continued after a product that is gone; one of orders can", async () => {
  const still = market();
  const [products, orders] = [
    await still.ok("mkt_list_products", { limit: 2 }),
    await still.ok("mkt_list_orders", { limit: 2 }),
  ];
  const less = new StillMarket({ modules: Object.fromEntries(many("ORDER", 10)) as never });
  expect(await less.failure("mkt_list_products", { cursor: products["cursor"] })).toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("gone"),
    hint: "Start again without cursor.",
  });
  const rest = await less.ok("mkt_list_orders", { cursor: orders["cursor"] });
  expect(column(rest, "orders", "id")[0]).toBe("ORDER-09");
});

test("fields gives data without includeData, and default columns are properties of their type", async () => {
  const still = new StillMarket({
    modules: Object.fromEntries(MODULE_TYPES.map((type) => [`/${type}/m`, wholeModule(type, {})])),
  });
  for (const moduleType of MODULE_TYPES) {
    const [shown] = list(await still.ok("mkt_find_modules", { moduleType, includeData: true }), "modules");
    expect(Object.keys(shown ?? {}).length).toBeGreaterThan(2);
    expect(await still.ok("mkt_find_modules", { moduleType, fields: ["id"] })).toMatchObject({
      modules: [{ id: "m" }],
    });
  }
});

describe("an empty list", () => {
  const still = new StillMarket({
    modules: {
      "/ENTITY/quiet": {},
      "/ENTITY/busy": {},
      "/ORDER/o1": wholeModule("ORDER", { entityId: "busy", status: "working" }),
      "/ORDER/o2": wholeModule("ORDER", { entityId: "busy", status: "held" }),
    },
  });

  test("says if there is no such module at all", async () => {
    expect(await still.ok("mkt_list_fills")).toMatchObject({
      total: 0,
      note: "There is no FILL now that you can see.",
    });
    expect(await still.ok("mkt_find_modules", { moduleType: "TRADE" })).toMatchObject({
      note: "There is no TRADE now that you can see.",
    });
  });

  test("says how many modules each of several filters matches alone", async () => {
    const filters = { entityId: "busy", status: "filled" };
    const note = "Matches of each filter alone: entityId 2, status 0.";
    expect(await still.ok("mkt_list_orders", filters)).toMatchObject({ total: 0, note });
    expect(await still.ok("mkt_find_modules", { moduleType: "ORDER", filters })).toMatchObject({ total: 0, note });
  });

  test("says when a day ends that is the bound of a filter, whether something matches or not", async () => {
    const after = (value: string) => ({ moduleType: "ORDER", filters: { createdAt: { value, operator: "gt" } } });
    const some = await still.ok("mkt_find_modules", after("2001-01-01"));
    expect(some["note"]).toStartWith('createdAt gt "2001-01-01" begins after the whole of it, at 2001-01-0');
    expect(some["total"]).toBeGreaterThan(0);
    expect(await still.ok("mkt_find_modules", after("2090-01-01"))).toMatchObject({
      total: 0,
      note: expect.stringContaining("; gte begins with it."),
    });
  });

  test("says nothing if it has one filter, and a list with items never has a note", async () => {
    expect(await still.ok("mkt_list_orders", { entityId: "quiet" })).not.toHaveProperty("note");
    expect(await still.ok("mkt_list_orders", { entityId: "busy", status: "held" })).not.toHaveProperty("note");
  });
});
