// The tools that read the snapshot: what each list filters by, and a cursor that is that list's alone.

import { describe, expect, test } from "bun:test";
import fills from "../../../plugins/query/fills.ts";
import orders from "../../../plugins/query/orders.ts";
import products from "../../../plugins/query/products.ts";
import utility from "../../../plugins/query/utility.ts";
import { wholeModule } from "../../support/modules.ts";
import { snapshotOf } from "../support/snapshot-of.ts";

const fill = (entityId: string, orderId: string) => wholeModule("FILL", { entityId, orderId, price: 1, quantity: 2 });
const order = (entityId: string, status: string) => wholeModule("ORDER", { entityId, status, closeReason: status });
const contract = (productId: string, status = "listed") => wholeModule("CONTRACT", { productId, status });
const MODULES = {
  "/ENTITY/A": {},
  "/ENTITY/B": {},
  "/FILL/f1": fill("A", "o1"),
  "/FILL/f2": fill("B", "o2"),
  "/FILL/f3": fill("A", "o2"),
  "/ORDER/o1": order("A", "filled"),
  "/ORDER/o2": order("B", "filled"),
  "/ORDER/o3": order("A", "cancelled"),
  "/PRODUCT/p1": wholeModule("PRODUCT", { name: "One" }),
  "/PRODUCT/p2": wholeModule("PRODUCT", { name: "Two" }),
  "/CONTRACT/c1": contract("p1"),
  "/CONTRACT/c2": contract("p2"),
  "/CONTRACT/c3": contract("p2", "expired"),
};
const snapshot = snapshotOf(MODULES);
const context = { snapshot, pubsub: { marketTime: () => 0, session: null } } as never;
type Row = { readonly id: string } & Record<string, unknown>;

async function listed(
  tool: (typeof fills)[number] | undefined,
  given: object,
  of = context,
): Promise<Record<string, unknown>> {
  return await tool!.handler({ limit: 100, ...given } as never, of) as never;
}
const idsIn = (answer: Record<string, unknown>, name: string) => (answer[name] as Row[]).map(({ id }) => id).toSorted();

describe.each(
  [
    ["fills", fills[1], [
      [{}, ["f1", "f2", "f3"]],
      [{ entityId: "A" }, ["f1", "f3"]],
      [{ orderId: "o2" }, ["f2", "f3"]],
      [{ entityId: "A", orderId: "o2" }, ["f3"]],
      [{ entityId: "B", orderId: "o1" }, []],
    ]],
    ["orders", orders[1], [
      [{}, ["o1", "o2", "o3"]],
      [{ entityId: "A" }, ["o1", "o3"]],
      [{ status: "filled" }, ["o1", "o2"]],
      [{ entityId: "A", status: "cancelled" }, ["o3"]],
      [{ status: "held" }, []],
    ]],
    ["products", products[1], [[{}, ["p1", "p2"]], [{ contracts: true }, ["p1", "p2"]]]],
  ] as const,
)("%s", (name, tool, table) => {
  test.each(table as never as [object, string[]][])("asked for with %j are %j", async (given, ids) => {
    const answer = await listed(tool, given);
    expect([idsIn(answer, name), answer["count"], answer["total"]]).toEqual([ids, ids.length, ids.length]);
    expect(answer).toMatchObject({ hasMore: false, cursor: null });
    expect(answer).not.toHaveProperty("items");
  });

  test("come page by page, and a cursor is refused with other filters or in another list", async () => {
    const first = await listed(tool, { limit: 1 });
    const second = await listed(tool, { limit: 1, cursor: first["cursor"] });
    expect(first["hasMore"]).toBe(true);
    expect(idsIn(first, name)).not.toEqual(idsIn(second, name));
    expect(second["count"]).toBe(1);
    const others = [[fills, {}], [orders, {}], [products, {}], [fills, { entityId: "A" }], [orders, { entityId: "A" }]];
    for (const [[, other], given] of others as [typeof fills, object][]) {
      if (other === tool && Object.keys(given).length === 0) continue;
      await expect(listed(other, { ...given, cursor: first["cursor"] })).rejects.toMatchObject({
        code: "invalid_input",
      });
    }
  });

  test("have the columns that are asked for, and need a connection", async () => {
    const [column] = name === "products" ? ["name"] : ["entityId"];
    const [row] = (await listed(tool, { fields: [column] }))[name] as Row[];
    expect(Object.keys(row!)).toEqual(["id", column!]);
    expect(tool!.requires).toEqual({ connection: "read" });
  });
});

test("products with contracts have their name alone, and the listed contracts of each", async () => {
  const answer = await listed(products[1], { contracts: true });
  const shown = (answer["products"] as { id: string; name: string; contracts: Row[] }[]).toSorted((a, b) =>
    a.id < b.id ? -1 : 1
  );
  expect(shown.map(({ id, name, contracts }) => [id, name, contracts.map((row) => row.id)]))
    .toEqual([["p1", "One", ["c1"]], ["p2", "Two", ["c2"]]]);
  expect(Object.keys(shown[0]!)).toEqual(["id", "name", "contracts"]);
  const [first] = (await listed(products[1], { contracts: true, limit: 1 }))["products"] as Row[];
  expect(first).toHaveProperty("contracts");
  const typed = (await listed(products[1], { contracts: true, fields: ["type"] }))["products"] as Row[];
  expect(Object.keys(typed[0]!)).toEqual(["id", "type", "contracts"]);
});

test("only as many products are listed as have room for their contracts, and the cursor goes on after them", async () => {
  const many = Array.from({ length: 130 }, (_, at) => [`/CONTRACT/m${at}`, contract("p2")] as const);
  const full = { ...(context as object), snapshot: snapshotOf({ ...MODULES, ...Object.fromEntries(many) }) } as never;
  const ids: string[][] = [];
  let cursor: unknown = undefined;
  do {
    const answer: Record<string, unknown> = await listed(products[1], { contracts: true, cursor }, full);
    expect([answer["count"], answer["total"]]).toEqual([1, 2]);
    ids.push(idsIn(answer, "products"));
    cursor = answer["cursor"];
  } while (cursor !== null && ids.length < 3);
  expect(ids.toSorted()).toEqual([["p1"], ["p2"]]);
});

test("one module is found by its id, with all its fields", async () => {
  expect(await fills[0]!.handler({ fillId: "f1" } as never, context)).toMatchObject({ id: "f1", orderId: "o1" });
  expect(await products[0]!.handler({ productId: "p2" } as never, context)).toMatchObject({ id: "p2", name: "Two" });
  const wrong = { fillId: "x", productId: "x", orderId: "x" } as never;
  for (const [tool] of [fills, products, orders]) {
    expect(() => tool!.handler(wrong, context)).toThrow(expect.objectContaining({ code: "not_found" }));
    expect(tool!.requires).toEqual({ connection: "read" });
  }
});

test("a ping tells of the server, at the real time", async () => {
  const [ping] = utility;
  const server = { name: "mkt", version: "1.2.3", tools: new Map([["a", 1], ["b", 2]]) };
  const now = () => Date.UTC(2030, 0, 2);
  expect<unknown>(await ping!.handler({} as never, { server, now } as never)).toEqual({
    status: "ok",
    server: "mkt",
    version: "1.2.3",
    timestamp: "2030-01-02T00:00:00.000Z",
    toolCount: 2,
  });
  expect(ping!.requires).toBeUndefined();
});

test("the status of the connection has the facts of each, and what the buffer holds in this epoch", async () => {
  const [, status] = utility;
  const stats = { totalEvents: 5, latestSequence: 9, byCategory: { order: 5 }, oldestEvent: "a", newestEvent: "b" };
  const given = {
    pubsub: { facts: () => ({ status: "connected", lastError: null }) },
    redis: () => ({ status: "off" }),
    events: { stats: () => ({ ...stats, gapEvents: 2 }), epoch: 7 },
  };
  expect<unknown>(await status!.handler({} as never, given as never)).toEqual({
    connections: { redis: { status: "off" }, pubsub: { status: "connected", lastError: null } },
    eventBuffer: { ...stats, gapEvents: 2, epoch: 7 },
  });
  expect([status!.requires, status!.reportsConnection]).toEqual([undefined, true]);
});
