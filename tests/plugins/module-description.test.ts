import { expect, test } from "bun:test";
import { describeHierarchy, describeModule } from "../../plugins/query/module-description.ts";
import { MODULE_TYPES, MODULES } from "../../protocol/modules/registry.ts";

test("a module's description has each property once, in its group, with its filter operators", () => {
  for (const type of MODULE_TYPES) {
    const { moduleType, specs, state } = describeModule(type);
    expect(moduleType).toBe(type);
    const names = [...specs, ...state].map(({ name }) => name);
    const joined = type === "CONTRACT" ? ["bestBid", "bestAsk", "lastPrice", "volume"] : [];
    expect(names.toSorted()).toEqual(["id", ...Object.keys(MODULES[type].properties), ...joined].sort());
    for (const { filterable, operators } of [...specs, ...state]) expect(operators.length > 0).toBe(filterable);
  }
  const { specs, state } = describeModule("ORDER");
  expect(specs[0]).toMatchObject({ name: "id", type: "string", operators: ["eq", "contains", "in"] });
  expect(specs.find(({ name }) => name === "side")).toMatchObject({
    values: ["BUY", "SELL"],
    description: expect.stringContaining("filters take the numbers, too"),
  });
  expect(state.find(({ name }) => name === "averagePrice")).toEqual({
    name: "averagePrice",
    type: "number",
    unit: "cents/MWh",
    filterable: true,
    nullable: true,
    description: "Volume-weighted fill price",
    operators: ["eq", "gt", "lt", "gte", "lte", "in"],
  });
});

test("filterableOnly leaves out exactly the properties that are not filterable", () => {
  const all = describeModule("ENGINE").state.map(({ name }) => name);
  const filterable = describeModule("ENGINE", { filterableOnly: true }).state.map(({ name }) => name);
  expect(all.filter((name) => !filterable.includes(name))).toEqual(["bids", "asks"]);
});

test("the hierarchy gives parents, foreign keys and children of every type", () => {
  expect(describeHierarchy().map(({ moduleType }) => moduleType)).toEqual(MODULE_TYPES);
  expect(describeHierarchy("ENGINE")).toEqual([{
    moduleType: "ENGINE",
    parent: "CONTRACT",
    foreignKey: "contractId",
    children: [
      { moduleType: "QUEUE", foreignKey: "engineId" },
      { moduleType: "ORDER", foreignKey: "engineId" },
      { moduleType: "TRADE", foreignKey: "engineId" },
    ],
    path: ["MARKET", "PRODUCT", "CONTRACT", "ENGINE"],
  }]);
  expect(describeHierarchy("ENTITY")[0]).toMatchObject({ parent: null, foreignKey: null, path: ["ENTITY"] });
  expect(describeHierarchy("FILL")[0]?.path).toEqual(["MARKET", "PRODUCT", "CONTRACT", "ENGINE", "ORDER", "FILL"]);
});
