// Names in filters that the engine of the other tests does not have: another engine's own types, markets of many modules,
// entities without users.

import { expect, test } from "bun:test";
import type { StateClient } from "../../core/backend/state-client.ts";
import { bookChange } from "../support/modules.ts";
import { StillMarket } from "./support/still-market.ts";

const many = (type: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`/${type}/${type}-${at + 1}`, {}]));

test("accepts an undeclared event type of the category while the buffer has such an event", async () => {
  const market = new StillMarket({ events: [["suspend.order", {}], ["tweak.moon", {}]] });
  expect(await market.ok("mkt_watch_orders", { orderTypes: ["suspend.order"] })).toMatchObject({ count: 1 });
  expect(await market.ok("mkt_get_recent_events", { category: "other", eventTypes: ["tweak.moon"] }))
    .toMatchObject({ count: 1 });
  expect(await market.ok("mkt_get_recent_events", { eventTypes: ["tweak.moon", "new.fill"] })).toMatchObject({
    count: 1,
  });
  expect(await market.failure("mkt_watch_fills", { fillTypes: ["suspend.order"] })).toMatchObject({
    code: "invalid_filter",
  });
  expect(await market.failure("mkt_get_recent_events", { category: "order", eventTypes: ["tweak.moon"] }))
    .toMatchObject({ code: "invalid_filter" });
});

test("accepts the code of a removed product while the buffer has an event of it", async () => {
  const market = new StillMarket({
    modules: { "/PRODUCT/p": { code: "NEW" } },
    events: [["change.book", bookChange({ productCode: "OLD" })], ["new.fill", { productCode: "FILLED" }]],
  });
  expect(await market.ok("mkt_watch_book", { productCode: "OLD" })).toMatchObject({ count: 1 });
  expect(await market.ok("mkt_watch_book", { productCode: "NEW" })).toMatchObject({ count: 0 });
  expect(await market.ok("mkt_watch_book", { productCode: "FILLED" })).toMatchObject({ count: 0 });
  expect(await market.failure("mkt_watch_book", { productCode: "NONE" })).toMatchObject({
    message: 'productCode: there is no PRODUCT with code "NONE".',
    hint: "Give one of NEW.",
  });
});

test("a hint lists at most twenty names, and names the tool for more", async () => {
  const filters = { contractId: "none" };
  const hintOf = async (count: number) => {
    const market = new StillMarket({ modules: many("CONTRACT", count) });
    return (await market.failure("mkt_find_modules", { moduleType: "ORDER", filters }))["hint"];
  };
  expect(await hintOf(20)).toMatch(/^Give one of CONTRACT-1, .*CONTRACT-20\.$/);
  expect(await hintOf(21)).toBe("mkt_find_modules with moduleType CONTRACT gives the ids.");
  expect(await hintOf(0)).toBe("There is no CONTRACT now: leave the filter out.");
});

test.each([
  ["serves entities over HTTP only", {}],
  ["shows the own entity only", { "/ENTITY/own": {}, "/USER/me": {} }],
])("unknown entities are accepted if the engine %s; other unknown modules are refused", async (_what, modules) => {
  const market = new StillMarket({ modules });
  for (const filter of [{ entityId: "anyone" }, { userId: "anyone" }]) {
    const find = { moduleType: "ORDER", filters: filter };
    expect(await market.ok("mkt_find_modules", find)).toMatchObject({ total: 0 });
  }
  expect(await market.failure("mkt_list_fills", { entityId: "anyone", orderId: "ORD-1" })).toMatchObject({
    code: "not_found",
    message: expect.stringContaining("orderId"),
  });
});

const REFERENCES: [moduleType: string, property: string, named: string][] = [
  ["CONTRACT", "marketId", "MARKET"],
  ["CONTRACT", "productId", "PRODUCT"],
  ["ORDER", "contractId", "CONTRACT"],
  ["ORDER", "engineId", "ENGINE"],
  ["FILL", "orderId", "ORDER"],
  ["TRADE", "buyOrderId", "ORDER"],
  ["TRADE", "sellOrderId", "ORDER"],
  ["FILL", "tradeId", "TRADE"],
  ["ORDER", "entityId", "ENTITY"],
  ["FILL", "counterpartyId", "ENTITY"],
  ["TRADE", "buyEntityId", "ENTITY"],
  ["TRADE", "sellEntityId", "ENTITY"],
  ["ORDER", "userId", "USER"],
];

test.each(REFERENCES)("a filter of %s by %s must name an existing %s", async (moduleType, property, named) => {
  // With more than one entity the snapshot has them all.
  const market = new StillMarket({ modules: { [`/${named}/known`]: {}, "/ENTITY/e1": {}, "/ENTITY/e2": {} } });
  const find = (filter: unknown) => ({ moduleType, filters: { [property]: filter } });
  const passed = [
    "known",
    { value: "known" },
    { value: "known", operator: "eq" },
    { value: ["known"], operator: "in" },
    { value: "unk", operator: "contains" },
  ];
  for (const filter of passed) {
    expect(await market.ok("mkt_find_modules", find(filter))).toMatchObject({ total: 0 });
  }
  const unknown = [
    "zzz",
    { value: "zzz" },
    { value: "zzz", operator: "eq" },
    { value: ["known", "zzz"], operator: "in" },
  ];
  for (const filter of unknown) {
    expect(await market.failure("mkt_find_modules", find(filter))).toEqual({
      code: "not_found",
      message: `${property}: there is no ${named} "zzz".`,
      hint: `Give one of known${named === "ENTITY" ? ", e1, e2" : ""}.`,
    });
  }
});

test("a filter by null names no module", async () => {
  const market = new StillMarket({ modules: { "/ENTITY/known": {} } });
  for (const filter of [null, { value: null }, { value: [null], operator: "in" }]) {
    const find = { moduleType: "USER", filters: { entityId: filter } };
    expect(await market.ok("mkt_find_modules", find)).toMatchObject({ total: 0 });
  }
});

test("a node is accepted if any market has it", async () => {
  const market = new StillMarket({ modules: { "/MARKET/a": { nodes: ["N1"] }, "/MARKET/b": { nodes: ["N2", "N3"] } } });
  const find = (node: string) => ({ moduleType: "CONTRACT", filters: { node } });
  expect(await market.ok("mkt_find_modules", find("N3"))).toMatchObject({ total: 0 });
  expect(await market.failure("mkt_find_modules", find("N4"))).toMatchObject({
    message: 'node: there is no price node "N4".',
    hint: "Give one of N1, N2, N3.",
  });
});

test("mkt_list_users gives an empty list for an entity without users, and not_found for an unknown entity", async () => {
  const entity = { id: "quiet", name: "Quiet", code: "Q", userIds: [], creditStatus: "none" } as const;
  const user = { id: "u", name: "U", entityId: "loud", permissions: [], connected: false };
  const backend = {
    entities: () => Promise.resolve([entity]),
    users: () => Promise.resolve([user]),
  } as unknown as StateClient;
  const market = new StillMarket({ services: { backend } });
  expect(await market.ok("mkt_list_users", { entityId: "quiet" })).toMatchObject({ count: 0, total: 0, users: [] });
  expect(await market.ok("mkt_list_users", { entityId: "loud" })).toMatchObject({ count: 1, total: 1 });
  expect(await market.failure("mkt_list_users", { entityId: "gone" })).toMatchObject({ code: "not_found" });
});

test("mkt_get_user understands a name in any case that one user has, and refuses one that two have", async () => {
  const users = [["u1", "Ann"], ["u2", "Bob"], ["u3", "bob"]].map(([id, name]) => ({
    id,
    name,
    entityId: null,
    connected: false,
  }));
  const backend = { users: () => Promise.resolve(users) } as unknown as StateClient;
  const market = new StillMarket({ services: { backend } });
  expect(await market.ok("mkt_get_user", { userId: "ANN" })).toMatchObject({ id: "u1" });
  expect(await market.failure("mkt_get_user", { userId: "BOB" })).toMatchObject({ code: "not_found" });
});
