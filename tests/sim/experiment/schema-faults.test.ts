// What a schema finds wrong in JSON: the path, the reason, and the nearest description.

import { expect, test } from "bun:test";
import { z } from "zod";
import { pathText, schemaFaults } from "../../../sim/experiment/schema-faults.ts";

const schema = z.strictObject({
  count: z.int().describe("a count from 1"),
  kind: z.enum(["maker", "taker"]).optional(),
  list: z.array(z.strictObject({ price: z.number().describe("cents"), other: z.number() })).describe("a list")
    .optional(),
  by: z.record(z.string(), z.number().nullable().describe("of a name")).optional(),
  nothing: z.strictObject({}).nullish(),
  sizes: z.strictObject({ most: z.number() }).default({ most: 1 }),
  picked: z.string().superRefine((given, context) => {
    if (given !== "one") {
      context.addIssue({ code: "custom", message: "no", params: { names: ["one", "other"], given } });
    }
  }).optional(),
});

test.each<[string, object, string[]]>([
  [
    "nothing",
    { count: 1, kind: "maker", list: [{ price: 1, other: 2 }], by: { a: null }, nothing: {}, picked: "one" },
    [],
  ],
  ["a missing field", {}, ["count: is missing (a count from 1)"]],
  ["a wrong type", { count: "1" }, ["count: must be a number (a count from 1)"]],
  ["an unknown field", { count: 1, cuont: 2, kindd: 3 }, [
    "cuont: no such field (did you mean count?); use count, kind, list, by, nothing, sizes, picked",
    "kindd: no such field (did you mean kind?); use count, kind, list, by, nothing, sizes, picked",
  ]],
  ["a field of none", { count: 1, nothing: { x: 1 } }, ["nothing.x: no such field; there are none here"]],
  ["a field of a value with a default", { count: 1, sizes: { most: 1, mots: 2 } }, [
    "sizes.mots: no such field (did you mean most?); use most",
  ]],
  ["one of several values", { count: 1, kind: "takr" }, [
    'kind: there is no "takr" (did you mean taker?); give one of maker, taker',
  ]],
  ["a value of another type", { count: 1, kind: 3 }, [expect.stringMatching(/^kind: (?!there is no)/)]],
  ["a name of a check", { count: 1, picked: "othr" }, [
    'picked: there is no "othr" (did you mean other?); give one of one, other',
  ]],
  ["a field within a list", { count: 1, list: [{ price: 1, other: 1 }, { price: "x" }] }, [
    "list[1].price: must be a number (cents)",
    "list[1].other: is missing (a list)",
  ]],
  ["an unknown field within a list", { count: 1, list: [{ price: 1, other: 1, prize: 2 }] }, [
    "list[0].prize: no such field (did you mean price?); use price, other",
  ]],
  ["a value by name", { count: 1, by: { a: "x" } }, ["by.a: must be a number (of a name)"]],
])("%s is told with its path", (_, value, faults) => {
  expect(schemaFaults(schema, value)).toEqual(faults);
  expect(schemaFaults(schema, value, ["runs", 2])).toEqual(
    faults.map((fault) =>
      typeof fault === "string" ? `runs[2].${fault}` : expect.stringMatching(/^runs\[2\]\.kind: (?!there is no)/)
    ),
  );
});

test("a fault of the whole value has the path of the value, or none", () => {
  expect(schemaFaults(z.number(), "x")).toEqual(["must be a number"]);
  expect(schemaFaults(z.number(), "x", ["a"])).toEqual(["a: must be a number"]);
  expect(schemaFaults(z.number().describe("MW").optional(), "x")).toEqual(["must be a number (MW)"]);
});

test("a path has dots between names, and numbers in brackets", () => {
  expect([[], ["a"], [0], ["a", 0, "b", "c"], [1, 2, "a"]].map(pathText)).toEqual([
    "",
    "a",
    "[0]",
    "a[0].b.c",
    "[1][2].a",
  ]);
});
