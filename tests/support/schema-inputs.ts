// Inputs for a tool, made from its whole JSON Schema alone, which has every bound; the published one leaves some out. Valid
// inputs have existing and unknown ids, and values at the ends of every range. Invalid inputs have a wrong type, a value out of
// range, a missing or unknown field, or what no schema expects (prototype keys, deep nesting, huge lists and texts, NaN,
// 1e999).

import fc from "fast-check";
import { z } from "zod";
import type { Tool } from "../../core/tools/tool.ts";
import { codePoint } from "./code-point.ts";

export type Schema = Readonly<Record<string, unknown>>;

export function wholeInputSchema(tool: Tool): Schema {
  return z.toJSONSchema(tool.input, { io: "input" });
}

/** Text that has caused faults in other programs. */
const HOSTILE_TEXTS = [
  ...["", " ", "null", "__proto__", "constructor", "toString", "../../etc/passwd", "'; drop table orders; --"],
  ...["\u0000", "\n", "\u202e\u200b", "\ud800", "\u{e0041}\u{1f600}", "%00%0a", "{{7*7}}${7*7}", "-1h"],
  ...["9999-12-31T23:59:59.999Z", "-271821-04-20T00:00:00.000Z", "2029-02-29T00:00:00.000Z"],
  ...["2030-04-31T00:00:00.000Z", "2030-01-01T24:00:00.000Z", "2030-01-01T00:00:00.000+01:00", "9".repeat(199)],
];
/** Valid times of other forms. */
const UNUSUAL_TIMES = ["2030-01-01T00:00:00Z", "2028-02-29T23:59:59.9Z", "2000-02-29T00:00:00.000000001Z"];
const HOSTILE_NUMBERS = [0, -0, 1, -1, 0.1, 1e-9, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, NaN, Infinity, -Infinity];

interface InputOptions {
  /** Texts with a meaning in the market: ids, codes, types. */
  readonly known: readonly string[];
}

/** Two thirds valid inputs, one third inputs with one or two faults. */
export function inputsOf(schema: Schema, options: InputOptions): fc.Arbitrary<unknown> {
  const fitting = fittingValue(schema, options);
  const broken = fc.tuple(fitting, fc.array(breakage, { minLength: 1, maxLength: 2 }))
    .map(([input, breakages]) => breakages.reduce((value, breakIt) => breakIt(value), input));
  return fc.oneof({ arbitrary: fitting, weight: 2 }, { arbitrary: broken, weight: 1 });
}

/** Values that are valid by the schema. A refinement outside the schema may still refuse one. */
export function fittingValue(schema: Schema, options: InputOptions): fc.Arbitrary<unknown> {
  if (schema["enum"] !== undefined) return fc.constantFrom(...schema["enum"] as unknown[]);
  if (schema["const"] !== undefined) return fc.constant(schema["const"]);
  if (schema["anyOf"] !== undefined) {
    return fc.oneof(...(schema["anyOf"] as Schema[]).map((part) => fittingValue(part, options)));
  }
  switch (schema["type"]) {
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "string":
      return textOf(schema, options);
    case "integer":
    case "number":
      return numberOf(schema);
    case "array":
      return listOf(schema, options);
    case "object":
      return objectOf(schema, options);
    default:
      return fc.jsonValue({ maxDepth: 3 });
  }
}

function textOf(schema: Schema, { known }: InputOptions): fc.Arbitrary<unknown> {
  if (schema["format"] === "date") {
    return fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
  }
  if (schema["format"] === "date-time") {
    const usual = fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
      .map((date) => date.toISOString());
    return fc.oneof({ arbitrary: usual, weight: 3 }, { arbitrary: fc.constantFrom(...UNUSUAL_TIMES), weight: 1 });
  }
  const [minLength, maxLength] = [Number(schema["minLength"] ?? 0), Number(schema["maxLength"] ?? 100)];
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength;
  return fc.oneof(
    { arbitrary: fc.constantFrom(...known.filter(fits)), weight: 5 },
    { arbitrary: fc.constantFrom(...HOSTILE_TEXTS.filter(fits)), weight: 2 },
    { arbitrary: fc.string({ unit: codePoint, maxLength: 30 }).filter(fits), weight: 2 },
    { arbitrary: fc.constantFrom("x".repeat(Math.max(1, minLength)), "\u202e".repeat(maxLength)), weight: 1 },
  );
}

function numberOf(schema: Schema): fc.Arbitrary<unknown> {
  const bound = (name: string, exclusive: string, fallback: number) =>
    Number(schema[name] ?? schema[exclusive] ?? fallback);
  const [min, max] = [bound("minimum", "exclusiveMinimum", -1e9), bound("maximum", "exclusiveMaximum", 1e9)];
  const edges = fc.constantFrom(min, max, ...[0, 1, 2, 5, 10, 100, 1000].filter((each) => each >= min && each <= max));
  return schema["type"] === "integer"
    ? fc.oneof(edges, fc.integer({ min: Math.max(min, -(2 ** 31)), max: Math.min(max, 2 ** 31 - 1) }))
    : fc.oneof(edges, fc.double({ min, max, noNaN: true }));
}

function listOf(schema: Schema, options: InputOptions): fc.Arbitrary<unknown> {
  const minLength = Number(schema["minItems"] ?? 0);
  const maxLength = Math.min(Number(schema["maxItems"] ?? 10), minLength + 5);
  return fc.array(fittingValue(schema["items"] as Schema, options), { minLength, maxLength });
}

function objectOf(schema: Schema, options: InputOptions): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, Schema>);
  const further = schema["additionalProperties"];
  if (properties.length === 0 && typeof further === "object" && further !== null) {
    const names = textOf((schema["propertyNames"] ?? {}) as Schema, options).filter((name) => name !== "__proto__");
    return fc.dictionary(names as fc.Arbitrary<string>, fittingValue(further as Schema, options), { maxKeys: 4 });
  }
  const requiredKeys = (schema["required"] ?? []) as string[];
  return fc.record(Object.fromEntries(properties.map(([name, part]) => [name, fittingValue(part, options)])), {
    requiredKeys,
  });
}

/** A value that fits hardly any parameter. */
const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, true, [], {}, "", [[]], { value: null }, { value: 1, operator: "in" }),
  fc.constantFrom<unknown>(...HOSTILE_NUMBERS),
  fc.constantFrom<unknown>(...HOSTILE_TEXTS),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(200, 2000, 100_000).map((length) => "x".repeat(length)),
  fc.constantFrom(100, 20_000).map((length) => Array.from({ length }, (_, index) => index)),
  fc.constantFrom(40, 3000).map(nested),
);

const INHERITED = ["__proto__", "constructor", "prototype", "toString"];
const oddName = fc.constantFrom(...INHERITED, "x", "", "\u202e", "limit ", "x".repeat(5000));

/** Lists and objects in each other. */
export function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

type Breakage = (input: unknown) => unknown;

const breakage = fc.oneof<fc.MaybeWeightedArbitrary<Breakage>[]>(
  { weight: 4, arbitrary: fc.tuple(fc.nat(), oddValue).map(([at, odd]) => (input) => withEntry(input, at, odd)) },
  { weight: 2, arbitrary: fc.nat().map((at) => (input) => withoutEntry(input, at)) },
  { weight: 2, arbitrary: fc.tuple(oddName, oddValue).map(([name, odd]) => (input) => withOwn(input, name, odd)) },
  { weight: 1, arbitrary: oddValue.map((odd) => () => odd) },
);

/** Replaces one field with `odd`, or a nested field if the field is an object. */
function withEntry(input: unknown, at: number, odd: unknown): unknown {
  if (typeof input !== "object" || input === null || Object.keys(input).length === 0) return odd;
  const names = Object.keys(input);
  const name = names[at % names.length] ?? "";
  return { ...input, [name]: at % 3 === 0 ? withEntry(Reflect.get(input, name), at >> 2, odd) : odd };
}

function withoutEntry(input: unknown, at: number): unknown {
  if (typeof input !== "object" || input === null) return undefined;
  const names = Object.keys(input);
  return Object.fromEntries(Object.entries(input).filter(([name]) => name !== names[at % names.length]));
}

/** Adds an own property, also for the name __proto__, as JSON.parse does. */
function withOwn(input: unknown, name: string, value: unknown): unknown {
  const copy = { ...input as object };
  Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}
