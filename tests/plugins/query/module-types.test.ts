// What the schema of a module type says of its properties, the relations of types, and both as resources.

import { expect, test } from "bun:test";
import { operatorsFor } from "../../../core/market/filter.ts";
import { propertiesOf } from "../../../core/market/module-properties.ts";
import moduleResources from "../../../plugins/query/module-resources.ts";
import modules, { moduleTypeField, moduleTypeSchema } from "../../../plugins/query/modules.ts";
import { MODULE_TYPES } from "../../../protocol/modules/registry.ts";
import { HOUR_MS } from "../../../protocol/time-units.ts";

const [getSchema, getHierarchy] = modules;
const [types, schema] = moduleResources;
const answerOf = (tool: typeof getSchema, input: object) => tool!.handler(input as never, {} as never) as unknown;

test("a schema has each property once, in its group, with what it is and how it is filtered", () => {
  for (const type of MODULE_TYPES) {
    const { moduleType, specs, state, note } = moduleTypeSchema(type);
    expect([moduleType, note.length > 0]).toEqual([type, true]);
    const properties = [...propertiesOf(type)];
    for (const [group, shown] of [["specs", specs], ["state", state]] as const) {
      const declared = properties.filter(([, property]) => property.group === group);
      expect(shown.map(({ name }) => name)).toEqual(declared.map(([name]) => name));
      for (const [at, [, property]] of declared.entries()) {
        const { filterable, nullable, operators, unit } = shown[at]!;
        expect<unknown>({ filterable, nullable, operators, unit }).toEqual({
          filterable: property.filterable,
          nullable: property.nullable,
          operators: [...operatorsFor(property)],
          unit: property.unit,
        });
        expect("values" in shown[at]!).toBe(property.values !== undefined);
      }
    }
    const filterable = moduleTypeSchema(type, { filterableOnly: true });
    const only = [...filterable.specs, ...filterable.state];
    expect(only).toEqual([...specs, ...state].filter((property) => property.filterable));
  }
});

test("a side is shown as BUY or SELL, another enumeration as it is", () => {
  const property = (name: string) => {
    const { specs, state } = moduleTypeSchema("ORDER");
    return [...specs, ...state].find((each) => each.name === name);
  };
  expect(property("side")).toMatchObject({
    type: "string",
    values: ["BUY", "SELL"],
    description: expect.stringMatching(/. Shown as BUY or SELL; filters take the numbers, too$/),
  });
  const { values, type } = propertiesOf("ORDER").get("status")!;
  expect(property("status")).toMatchObject({ type, values: [...values!] });
  expect(property("status")!.description).not.toContain("BUY");
  expect(property("price")).not.toHaveProperty("values");
});

test("the tool gives the names of all types, or the schema of one, and so do the resources", async () => {
  expect(answerOf(getSchema, { filterableOnly: false })).toEqual({ moduleTypes: [...MODULE_TYPES] });
  for (const filterableOnly of [true, false]) {
    expect<unknown>(answerOf(getSchema, { moduleType: "FILL", filterableOnly })).toEqual(
      moduleTypeSchema("FILL", { filterableOnly }),
    );
  }
  expect([types!.uri, schema!.uri]).toEqual(["mkt://modules", "mkt://modules/{moduleType}"]);
  expect([types!.cacheMs, schema!.cacheMs]).toEqual([HOUR_MS, HOUR_MS]);
  const read = async (resource: typeof types, parameters: object) =>
    await resource!.read(parameters as never, {} as never);
  expect<unknown>(await read(types, {})).toEqual({ moduleTypes: [...MODULE_TYPES] });
  for (const moduleType of ["fill", "FILL"]) {
    expect<unknown>(await read(schema, { moduleType })).toEqual(moduleTypeSchema("FILL"));
  }
  await expect(read(schema, { moduleType: "fil" })).rejects.toMatchObject({
    code: "not_found",
    message: 'There is no module type "fil".',
    hint: `Give one of ${MODULE_TYPES.join(", ")}.`,
  });
  expect(["order", "Order", "ORDER", "x", 1].map((given) => moduleTypeField.safeParse(given).data)).toEqual(
    ["ORDER", "ORDER", "ORDER", undefined, undefined],
  );
});

test("the hierarchy names parents and children of each other, and the path from the root", () => {
  interface Relations {
    readonly moduleType: string;
    readonly parent: string | null;
    readonly foreignKey: string | null;
    readonly children: readonly { readonly moduleType: string; readonly foreignKey: string }[];
    readonly path: readonly string[];
  }
  const { modules: all } = answerOf(getHierarchy, {}) as { modules: Relations[] };
  expect<unknown>(all.map(({ moduleType }) => moduleType)).toEqual([...MODULE_TYPES]);
  const byType = new Map(all.map((each) => [each.moduleType, each]));
  for (const { moduleType, parent, foreignKey, children, path } of all) {
    for (const child of children) {
      expect(byType.get(child.moduleType)).toMatchObject({ parent: moduleType, foreignKey: child.foreignKey });
    }
    const above = parent === null ? null : byType.get(parent)!;
    expect(path).toEqual([...above?.path ?? [], moduleType]);
    expect(foreignKey === null).toBe(above === null);
    if (above !== null) expect(above.children).toContainEqual({ moduleType, foreignKey: foreignKey! });
  }
  expect(byType.get("FILL")).toMatchObject({ parent: "ORDER", foreignKey: "orderId" });
  expect<unknown>(answerOf(getHierarchy, { moduleType: "FILL" })).toEqual({ modules: [byType.get("FILL")] });
});
