// The properties and relations of module types, as the tools tell them. Neither needs a connection.

import { expect, test } from "bun:test";
import { MODULE_TYPES, MODULES } from "../../protocol/modules/registry.ts";
import { list, type Value } from "./support/desk.ts";
import { StillMarket } from "./support/still-market.ts";

const still = new StillMarket({ pubsub: { status: "disconnected", session: null } });
const schemaOf = async (moduleType: string, more: object = {}) => {
  const schema = await still.ok("mkt_get_module_schema", { moduleType, ...more });
  return { ...schema, specs: list(schema, "specs"), state: list(schema, "state") };
};
const hierarchyOf = async (input: Record<string, unknown>) =>
  list(await still.ok("mkt_get_module_hierarchy", input), "modules");

test("mkt_get_module_schema lists the types", async () => {
  expect((await still.ok("mkt_get_module_schema"))["moduleTypes"]).toEqual(MODULE_TYPES);
});

test.each(MODULE_TYPES)("%s has each property once, in its group, with its filter operators", async (type) => {
  const { moduleType, specs, state } = await schemaOf(type) as Value & { specs: Value[]; state: Value[] };
  expect(moduleType).toBe(type);
  const joined = type === "CONTRACT" ? ["bestBid", "bestAsk", "lastPrice", "volume"] : [];
  expect([...specs, ...state].map(({ name }) => name).toSorted())
    .toEqual(["id", ...Object.keys(MODULES[type].properties), ...joined].sort());
  for (const property of [...specs, ...state]) {
    expect(list(property, "operators").length > 0).toBe(property["filterable"] === true);
  }
});

test("properties have type, unit, values, and whether they may be null", async () => {
  const { specs, state } = await schemaOf("ORDER");
  expect(specs[0]).toMatchObject({ name: "id", type: "string", operators: ["eq", "contains", "in"] });
  expect(specs.find(({ name }) => name === "side")).toMatchObject({
    type: "string",
    values: ["BUY", "SELL"],
    description: expect.stringContaining("filters take the numbers, too"),
  });
  const clientOrderId = specs.find(({ name }) => name === "clientOrderId");
  expect(clientOrderId).not.toHaveProperty("values");
  expect(clientOrderId).not.toHaveProperty("unit");
  expect([...specs, ...state].find(({ name }) => name === "price")).toMatchObject({ nullable: false });
  expect(state.find(({ name }) => name === "averagePrice")).toEqual({
    name: "averagePrice",
    type: "number",
    unit: "cents/MWh",
    filterable: true,
    nullable: true,
    description: "Volume-weighted fill price",
    operators: ["eq", "gt", "lt", "gte", "lte", "in"],
  });
  const market = await schemaOf("MARKET");
  expect([...market.specs, ...market.state].find(({ name }) => name === "halted"))
    .toMatchObject({ type: "boolean", operators: ["eq", "in"] });
});

test("filterableOnly leaves out exactly the properties that are not filterable", async () => {
  const namesIn = async (more: object) => (await schemaOf("ENGINE", more)).state.map(({ name }) => name);
  const filterable = await namesIn({ filterableOnly: true });
  expect((await namesIn({})).filter((name) => !filterable.includes(name))).toEqual(["bids", "asks"]);
});

test("mkt_get_module_hierarchy gives parents, foreign keys and children of every type", async () => {
  expect((await hierarchyOf({})).map(({ moduleType }) => moduleType)).toEqual(MODULE_TYPES);
  expect(await hierarchyOf({ moduleType: "ENGINE" })).toEqual([{
    moduleType: "ENGINE",
    parent: "CONTRACT",
    foreignKey: "contractId",
    children: ["QUEUE", "ORDER", "TRADE"].map((moduleType) => ({ moduleType, foreignKey: "engineId" })),
    path: ["MARKET", "PRODUCT", "CONTRACT", "ENGINE"],
  }]);
  expect(await hierarchyOf({ moduleType: "ENTITY" }))
    .toMatchObject([{ parent: null, foreignKey: null, path: ["ENTITY"] }]);
  expect(await hierarchyOf({ moduleType: "FILL" }))
    .toMatchObject([{ path: ["MARKET", "PRODUCT", "CONTRACT", "ENGINE", "ORDER", "FILL"] }]);
});
