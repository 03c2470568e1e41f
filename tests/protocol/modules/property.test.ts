import { expect, test } from "bun:test";
import { z } from "zod";
import { type Property, specs, state } from "../../../protocol/modules/property.ts";
import { MODULES } from "../../../protocol/modules/registry.ts";

test("a property is nullable exactly if its schema takes null", () => {
  for (const [type, { properties }] of Object.entries(MODULES)) {
    for (const [name, { nullable, schema }] of Object.entries(properties)) {
      expect({ type, name, nullable }).toEqual({ type, name, nullable: schema.safeParse(null).success });
    }
  }
});

test.each([["specs", specs], ["state", state]] as const)("%s: what each builder declares", (group, build) => {
  const about = { group, description: "d", unit: undefined, values: undefined, filterable: true, nullable: false };
  const declared: [unknown, object, unknown[], unknown[]][] = [
    [build.string("d"), { type: "string" }, ["a"], [1, null]],
    [build.nullableString("d"), { type: "string", nullable: true }, ["a", null], [1]],
    [build.oneOf(["a", "b"], "d"), { type: "string", values: ["a", "b"] }, ["a"], ["c", null]],
    [build.nullableOneOf(["a"], "d"), { type: "string", values: ["a"], nullable: true }, ["a", null], ["c"]],
    [build.number("d", { unit: "MW" }), { type: "number", unit: "MW" }, [-1.5], ["1", null]],
    [build.number("d", { filterable: false }), { type: "number", filterable: false }, [1], []],
    [build.nullableNumber("d"), { type: "number", nullable: true }, [1, null], ["1"]],
    [build.side("d"), { type: "number", values: [0, 1] }, [0, 1], [2, null]],
    [build.boolean("d"), { type: "boolean" }, [true], [0, null]],
    [build.time("d"), { type: "time" }, ["2026-01-01T00:00:00.000Z"], ["2026-01-01", null]],
    [build.nullableTime("d"), { type: "time", nullable: true }, ["2026-01-01T00:00:00Z", null], ["now"]],
    [build.strings("d"), { type: "array" }, [[], ["a"]], [[1], null]],
    [build.arrayOf(z.number(), "d"), { type: "array", filterable: false }, [[1]], [["a"], null]],
    [build.object(z.object({}), "d"), { type: "object", filterable: false }, [{}], [1, null]],
  ];
  for (const [property, parts, good, bad] of declared) {
    const { schema, ...rest } = property as Property;
    expect(rest).toEqual({ ...about, ...parts } as never);
    expect([...good, ...bad].map((value) => schema.safeParse(value).success))
      .toEqual([...good.map(() => true), ...bad.map(() => false)]);
  }
});
