// The quick check of arguments against zod: over all tools, and over schemas that the quick check must leave to zod.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { z } from "zod";
import { argumentsBySchema } from "../../../core/dispatch/arguments.ts";
import { plainArguments } from "../../../core/dispatch/plain-arguments.ts";
import { idField, limitField } from "../../../core/tools/fields.ts";
import type { Tool } from "../../../core/tools/tool.ts";
import { TOOLS } from "../../plugins/support/packs.ts";
import { inputsOf, wholeInputSchema } from "../../support/schema-inputs.ts";
import { size } from "../../support/sizes.ts";

const INPUTS = size(6_000, 400_000);

function toolWith(shape: z.ZodRawShape, readOnlyHint = true, input: z.ZodObject = z.strictObject(shape)): Tool {
  return { name: "mkt_say", input, annotations: { readOnlyHint } } as never as Tool;
}

const TOOLS_BY_NAME = new Map(TOOLS.map((tool) => [tool.name, tool]));
const text = z.string().max(10);

/** Each has a form that a quick check could take for a plain one. */
const OTHERS: readonly Tool[] = [
  toolWith({ a: text.trim(), b: text.toLowerCase(), c: text.regex(/x/), d: z.email(), e: z.iso.date() }),
  toolWith({ a: z.coerce.number(), b: z.coerce.string(), c: z.coerce.boolean(), d: z.stringbool() }),
  toolWith({ a: z.number().gt(0).lt(5), b: z.number().multipleOf(3), c: z.int32(), d: z.float32(), e: z.int().gt(0) }),
  toolWith({ a: text.refine((value) => value !== "x"), b: text.transform((value) => `${value}!`) }),
  toolWith({ a: text.optional().default("x"), b: text.default("y").optional(), c: z.int().default(1).default(2) }),
  toolWith({ a: text.nullable().default(null), b: text.prefault("x"), c: text.catch("y"), d: text.readonly() }),
  toolWith({ a: z.array(text).default([]), b: z.array(z.array(z.int())), c: z.array(z.enum(["x", "y"])).length(1) }),
  toolWith({ a: z.literal("x"), b: z.union([text, z.int()]), c: z.enum({ one: 1, two: "x" }), d: z.unknown() }),
  toolWith({}, true, z.object({ a: text.optional() })),
  toolWith({}, true, z.looseObject({ a: text.optional() })),
  toolWith({}, true, z.object({ a: text.optional() }).catchall(z.int())),
  toolWith({}, true, z.strictObject({ a: text.optional() }).refine(({ a }) => a !== "x")),
  toolWith({ a: text.optional(), b: idField("An id").optional(), c: limitField(5), d: z.boolean().default(true) }),
  toolWith({ a: text.optional(), b: idField("An id"), c: z.enum(["x", ""]).optional() }, false),
  toolWith({ constructor: text.optional(), toString: text.optional(), length: z.int().optional() }),
];

/** The arguments by zod; null if they are invalid. */
function judged(tool: Tool, input: unknown): Record<string, unknown> | null {
  const given = tool.input.safeParse(input);
  return given.success ? given.data : null;
}

function expectAgreement(tool: Tool, input: unknown): boolean {
  const taken = plainArguments(tool, input);
  if (taken === null) return false;
  const whole = argumentsBySchema(tool, input);
  for (const expected of [judged(tool, input), whole]) {
    if (expected === null) throw new Error(`${tool.name} takes ${JSON.stringify(input)}, and zod does not`);
    expect(taken).toStrictEqual(expected);
    expect(Object.keys(taken)).toEqual(Object.keys(expected));
  }
  expect(Object.getPrototypeOf(taken)).toBe(Object.prototype);
  return true;
}

const KNOWN = ["x", "y", "new.order", "side", "price", "1", "true", "2030-01-01", "ORDER", "BASE"];

test("what the quick check takes, zod takes too, with the same output", () => {
  const options = { known: KNOWN };
  const calls = fc.oneof(
    ...TOOLS.map((tool) => inputsOf(wholeInputSchema(tool), options).map((input) => ({ name: tool.name, input }))),
  );
  let taken = 0;
  fc.assert(
    fc.property(calls, ({ name, input }) => {
      if (expectAgreement(TOOLS_BY_NAME.get(name)!, input)) taken += 1;
    }),
    { numRuns: INPUTS },
  );
  // Two thirds of the inputs are valid by their schema. Most of these must not need zod.
  expect(taken).toBeGreaterThan(INPUTS / 3);
});

test("a schema of another form is left to zod, or gives the same", () => {
  const value = fc.oneof(
    fc.constantFrom<unknown>(
      "x",
      "y",
      " x ",
      "X",
      "",
      null,
      undefined,
      true,
      0,
      -0,
      1,
      2,
      3,
      4.5,
      5,
      2 ** 53,
      NaN,
      [],
      {},
    ),
    fc.constantFrom<unknown>("a@b.de", "2030-01-01", "x".repeat(10), "x".repeat(11), "\ud800", ["x"], [[1]], [null]),
  );
  const input = fc.dictionary(fc.constantFrom("a", "b", "c", "d", "e", "constructor", "length"), value, {
    maxKeys: 5,
    noNullPrototype: true,
  });
  fc.assert(
    fc.property(fc.nat(OTHERS.length - 1), input, (at, input) => void expectAgreement(OTHERS[at]!, input)),
    { numRuns: INPUTS },
  );
});

test.each<[string, unknown, boolean]>([
  ["nothing", {}, true],
  ["an id and a limit", { orderId: "o-1", limit: 5 }, true],
  ["an empty text", { orderId: "" }, false],
  ["null", { orderId: null }, false],
  ["undefined", { orderId: undefined }, false],
  ["half of a character", { orderId: "\ud800" }, false],
  ["an unknown name", { order: "o-1" }, false],
  ["an own key __proto__", JSON.parse('{"__proto__":{}}'), false],
  ["a list", [], false],
  ["a text", "o-1", false],
])("of mkt_watch_orders it decides on %s: %j, %p", (_name, input, isTaken) => {
  const tool = TOOLS_BY_NAME.get("mkt_watch_orders")!;
  expect(plainArguments(tool, input) !== null).toBe(isTaken);
});

test("a list in the result is a copy, and the client's own object stays as it was", () => {
  const tool = TOOLS_BY_NAME.get("mkt_watch_orders")!;
  const given = Object.freeze({ orderTypes: Object.freeze(["new.order"]) });
  const taken = plainArguments(tool, given);
  expect(taken?.["orderTypes"]).toEqual(["new.order"]);
  expect(taken?.["orderTypes"]).not.toBe(given.orderTypes);
});
