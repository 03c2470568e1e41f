// What a filter may name, beside what the engine of the other tests knows: another engine's own types, markets of many
// modules, and entities without users.

import { expect, test } from "bun:test";
import type { StateClient } from "../../core/backend/state-client.ts";
import { StillMarket } from "./support/still-market.ts";

const many = (type: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`/${type}/${type}-${at + 1}`, {}]));

test("an event type that nothing declares is known while the buffer holds one, in its own category", async () => {
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

test("a product code is known while the buffer holds an event of it, though the product has gone", async () => {
  const market = new StillMarket({
    modules: { "/PRODUCT/p": { code: "NEW" } },
    events: [["change.book", { productCode: "OLD" }], ["new.fill", { productCode: "FILLED" }]],
  });
  expect(await market.ok("mkt_watch_book", { productCode: "OLD" })).toMatchObject({ count: 1 });
  expect(await market.ok("mkt_watch_book", { productCode: "NEW" })).toMatchObject({ count: 0 });
  expect(await market.failure("mkt_watch_book", { productCode: "FILLED" })).toMatchObject({
    message: 'productCode: there is no PRODUCT with code "FILLED".',
    hint: "Give one of NEW.",
  });
});

test("a hint lists twenty names at most, and names the tool for more", async () => {
  const filters = { contractId: "none" };
  const hintOf = async (count: number) => {
    const market = new StillMarket({ modules: many("CONTRACT", count) });
    return (await market.failure("mkt_find_modules", { moduleType: "ORDER", filters }))["hint"];
  };
  expect(await hintOf(20)).toMatch(/^Give one of CONTRACT-1, .*CONTRACT-20\.$/);
  expect(await hintOf(21)).toBe("mkt_find_modules with moduleType CONTRACT gives the ids.");
  expect(await hintOf(0)).toBe("There is no CONTRACT now: leave the filter out.");
});

test("entities of an engine that tells them over HTTP only are not refused, other modules are", async () => {
  const market = new StillMarket({ modules: {} });
  expect(await market.ok("mkt_list_orders", { entityId: "anyone" })).toMatchObject({ count: 0 });
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

test.each(REFERENCES)("a filter of %s on %s names a %s that must be there", async (moduleType, property, named) => {
  const market = new StillMarket({ modules: { [`/${named}/known`]: {} } });
  const find = (filter: unknown) => ({ moduleType, filters: { [property]: filter } });
  expect(await market.ok("mkt_find_modules", find("known"))).toMatchObject({ total: 0 });
  const unknown = ["unknown", { value: "unknown" }, { value: ["known", "unknown"], operator: "in" }];
  for (const filter of unknown) {
    expect(await market.failure("mkt_find_modules", find(filter))).toEqual({
      code: "not_found",
      message: `${property}: there is no ${named} "unknown".`,
      hint: "Give one of known.",
    });
  }
  expect(await market.ok("mkt_find_modules", find({ value: "unk", operator: "contains" }))).toMatchObject({ total: 0 });
});

test("a filter for nothing, or for what is no name, names nothing that must be there", async () => {
  const market = new StillMarket({ modules: { "/ENTITY/known": {} } });
  for (const filter of [null, { value: null }, { value: [null], operator: "in" }]) {
    const find = { moduleType: "USER", filters: { entityId: filter } };
    expect(await market.ok("mkt_find_modules", find)).toMatchObject({ total: 0 });
  }
});

test("a node is known if any market has it", async () => {
  const market = new StillMarket({ modules: { "/MARKET/a": { nodes: ["N1"] }, "/MARKET/b": { nodes: ["N2", "N3"] } } });
  const find = (node: string) => ({ moduleType: "CONTRACT", filters: { node } });
  expect(await market.ok("mkt_find_modules", find("N3"))).toMatchObject({ total: 0 });
  expect(await market.failure("mkt_find_modules", find("N4"))).toMatchObject({
    message: 'node: there is no price node "N4".',
    hint: "Give one of N1, N2, N3.",
  });
});

test("mkt_list_users of an entity without users is an empty list, of an unknown one not_found", async () => {
  const entity = { id: "quiet", name: "Quiet", code: "Q", userIds: [], creditStatus: "none" } as const;
  const user = { id: "u", name: "U", entityId: "loud", permissions: [], connected: false };
  const backend = {
    entities: () => Promise.resolve([entity]),
    users: () => Promise.resolve([user]),
  } as unknown as StateClient;
  const market = new StillMarket({ services: { backend } });
  expect(await market.ok("mkt_list_users", { entityId: "quiet" })).toEqual({ count: 0, total: 0, users: [] });
  expect(await market.ok("mkt_list_users", { entityId: "loud" })).toMatchObject({ count: 1, total: 1 });
  expect(await market.failure("mkt_list_users", { entityId: "gone" })).toMatchObject({ code: "not_found" });
});
