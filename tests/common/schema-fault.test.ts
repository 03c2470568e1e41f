// What a schema finds wrong with a value, in plain words.

import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { faultOf, faultsOf, ofType, shown, valueAt } from "../../common/schema-fault.ts";

/** The faults of a value, as the field `x` of a body. */
function faults(schema: z.ZodType, ...value: [unknown?]): string {
  const body = value.length === 0 ? {} : { x: value[0] };
  const parsed = z.strictObject({ x: schema }).safeParse(body);
  return parsed.success ? "none" : faultsOf(parsed.error, body, "body");
}
const TIME = "a time with Z or an offset, such as 2030-01-31T08:00:00Z";

const WRONG: [z.ZodType, unknown, string | RegExp][] = [
  [z.int(), 1.5, "x: must be a whole number, not 1.5"],
  [z.number(), "1", 'x: must be a number, not the text "1"'],
  [z.number(), "a", 'x: must be a number, not "a"'],
  [z.number(), "", "x: must be a number"],
  [z.number(), {}, "x: must be a number"],
  [z.number(), null, "x: is null; give a value"],
  [z.string(), 5, "x: must be a text, not 5"],
  [z.boolean(), "x", 'x: must be true or false, not "x"'],
  [z.object({}), 5, "x: must be an object, not 5"],
  [z.record(z.string(), z.number()), [], "x: must be an object"],
  [z.array(z.number()), {}, "x: must be a list"],
  [z.tuple([z.number()]), false, "x: must be a list, not false"],
  [z.enum(["alpha", "beta"]), "alpa", 'x: there is no "alpa" (did you mean alpha?); give one of alpha, beta'],
  [z.enum(["alpha", "beta"]), 5, "x: must be one of alpha, beta, not 5"],
  [z.literal("a"), 5, "x: must be a, not 5"],
  [z.iso.date(), "1", 'x: must be a day, such as 2030-01-31, not "1"'],
  [z.iso.datetime({ offset: true }), "2", `x: must be ${TIME}, not "2"`],
  [z.url(), "z", 'x: must be an address, such as https://example.com, not "z"'],
  [z.union([z.number(), z.string()]), true, "x: is none of the allowed values, not true"],
  [z.int(ofType("must be whole cents")), 1.5, "x: must be whole cents, not 1.5"],
  [z.int(ofType("must be whole cents")).max(5), 6, "x: must be at most 5, not 6"],
  [z.object({ y: z.array(z.int()) }), { y: [1, "q"] }, 'x.y.1: must be a number, not "q"'],
  [z.strictObject({}), { more: 1, mores: 2 }, "x.more, mores: no such field"],
  [z.string().max(1), "\u202e" + "a".repeat(99), /^x: must have at most 1 characters, not "\\u202ea+\.\.\. \(\d+ more/],
];
test.each(WRONG.map((each) => [String(each[2]), each] as const))("%s", (_name, [schema, value, expected]) => {
  if (typeof expected === "string") expect(faults(schema, value)).toBe(expected);
  else expect(faults(schema, value)).toMatch(expected);
});

describe("a bound", () => {
  const within = z.number().min(2).max(4);
  const beyond = z.number().gt(2).lt(4);
  const BEYOND: [z.ZodType, unknown, string][] = [
    [within, 1, "x: must be at least 2, not 1"],
    [within, 5, "x: must be at most 4, not 5"],
    [beyond, 2, "x: must be above 2, not 2"],
    [beyond, 4, "x: must be below 4, not 4"],
    [z.number().multipleOf(0.5), 2.25, "x: must be a multiple of 0.5, not 2.25"],
    [z.string().min(2), "a", 'x: must have at least 2 characters, not "a"'],
    [z.string().max(2), "abc", 'x: must have at most 2 characters, not "abc"'],
    [z.string().min(1), "", "x: must not be empty"],
    [z.array(z.number()).min(1), [], "x: must not be empty"],
    [z.array(z.number()).min(2), [1], "x: must have at least 2 entries"],
    [z.array(z.number()).max(1), [1, 2], "x: must have at most 1 entries"],
    [z.number().min(1), 0, "x: must be at least 1, not 0"],
  ];
  test.each(BEYOND.map((each) => [each[2], each] as const))("%s", (_name, [schema, value, expected]) => {
    expect(faults(schema, value)).toBe(expected);
  });
});

test.each<[string, z.ZodType]>([
  ["x: is required", z.int()],
  ["x: is required: one of a, b", z.enum(["a", "b"])],
  ["x: is required, and must be whole cents", z.int(ofType("must be whole cents"))],
])("what is missing: %s", (expected, schema) => {
  expect(faults(schema)).toBe(expected);
});

test("several faults are told with their paths, the whole value by its name, and unknown names as the caller says", () => {
  const schema = z.strictObject({ a: z.int(), b: z.int() });
  const told = (value: unknown) => faultsOf(schema.safeParse(value).error!, value, "query", "no such parameter");
  expect(told({ a: 1.5, c: 1 })).toBe("a: must be a whole number, not 1.5; b: is required; c: no such parameter");
  expect(told(5)).toBe("query: must be an object, not 5");
});

test("a value is found at its path, and none if there is none", () => {
  const root = { a: [{ b: 0 }, null], c: "text" };
  const at = (...path: PropertyKey[]) => valueAt(root, path);
  expect([at(), at("a", 0, "b"), at("a", 1), at("a", 1, "b"), at("a", 5, "b"), at("c", "length"), at("d")])
    .toEqual([root, 0, null, undefined, undefined, undefined, undefined]);
  expect(shown("x".repeat(60))).toHaveLength(60);
  expect(shown("x".repeat(61))).toBe(`${"x".repeat(60)}... (1 more characters)`);
  expect(faultOf({ code: "custom", message: "must be odd", path: [] } as never, {})).toBe("must be odd");
});
