// The quick check of a call's arguments. It takes most valid arguments, and leaves all others to arguments.ts: everything
// invalid, every null and "", and parameters whose schema is not compiled here (transforms, refinements, objects, patterns).
//
// Invariant: what it takes, zod takes too, with the same output. tests/core/dispatch/plain-arguments.test.ts compares them
// over all tools. The checks follow from the tool's zod schema and are compiled once for each tool.
// Cost: a tenth of a microsecond for a few arguments. The walks over the arguments and zod take four times as much.

import { z } from "zod";
import type { Tool } from "../tools/tool.ts";

type Schema = z.core.$ZodType;

/** Whether zod accepts the value and gives it back unchanged. */
type Test = (value: unknown) => boolean;

interface Parameter {
  readonly name: string;
  /** Null: the schema is not compiled, so only zod knows. */
  readonly test: Test | null;
  readonly isList: boolean;
  readonly isRequired: boolean;
  /** For a parameter that is left out; undefined without a default. */
  readonly fallback: unknown;
}

const compiled = new WeakMap<Tool, readonly Parameter[] | null>();

/** The arguments as zod would give them; null if zod must check them. */
export function plainArguments(tool: Tool, rawArguments: unknown): Record<string, unknown> | null {
  const parameters = parametersOf(tool);
  if (typeof rawArguments !== "object" || rawArguments === null || Array.isArray(rawArguments)) return null;
  if (parameters === null) return null;
  const given = rawArguments as Readonly<Record<string, unknown>>;
  const input: Record<string, unknown> = {};
  let unread = 0;
  for (const _name in given) unread += 1;
  for (const { name, test, isList, isRequired, fallback } of parameters) {
    const value = given[name];
    if (value === undefined) {
      if (isRequired) return null;
      if (fallback !== undefined) input[name] = fallback;
      continue;
    }
    if (test === null || !test(value)) return null;
    input[name] = isList ? (value as unknown[]).slice() : value;
    unread -= 1;
  }
  // What is left has an unknown name.
  return unread === 0 ? input : null;
}

function parametersOf(tool: Tool): readonly Parameter[] | null {
  const known = compiled.get(tool);
  if (known !== undefined) return known;
  const { catchall, checks = [] } = tool.input.def;
  const isPlain = catchall instanceof z.ZodNever && checks.length === 0;
  const parameters = isPlain
    ? Object.entries(tool.input.shape).map(([name, schema]) => parameterOf(name, schema))
    : null;
  compiled.set(tool, parameters);
  return parameters;
}

function parameterOf(name: string, schema: Schema): Parameter {
  if (schema instanceof z.ZodOptional) {
    return { ...parameterOf(name, schema.def.innerType), isRequired: false };
  }
  if (schema instanceof z.ZodDefault && typeof schema.def.defaultValue !== "object") {
    return { ...parameterOf(name, schema.def.innerType), isRequired: false, fallback: schema.def.defaultValue };
  }
  return { name, test: testOf(schema), isList: schema instanceof z.ZodArray, isRequired: true, fallback: undefined };
}

/** Null if the schema is of a kind, or has a check, that is not known here. */
function testOf(schema: Schema): Test | null {
  if (schema instanceof z.ZodBoolean) return hasChecks(schema) ? null : (value) => typeof value === "boolean";
  if (schema instanceof z.ZodEnum) return hasChecks(schema) ? null : enumTest(schema);
  if (schema instanceof z.ZodString) return textTest(schema);
  if (schema instanceof z.ZodNumber) return numberTest(schema);
  return schema instanceof z.ZodArray ? listTest(schema) : null;
}

function hasChecks(schema: Schema): boolean {
  return (schema._zod.def.checks ?? []).length > 0;
}

function enumTest(schema: z.ZodEnum): Test {
  const values = new Set<unknown>(schema.options);
  return (value) => typeof value === "string" && value !== "" && values.has(value);
}

function textTest(schema: z.ZodString): Test | null {
  const range = rangeOf(schema, "min_length", "max_length");
  if (range === null || schema.def.coerce || schema instanceof z.ZodStringFormat) return null;
  const shortest = Math.max(range.least, 1);
  const longest = Math.min(range.most, MAX_LENGTH);
  return (value) =>
    typeof value === "string" && value.length >= shortest && value.length <= longest && value.isWellFormed();
}

function numberTest(schema: z.ZodNumber): Test | null {
  const range = rangeOf(schema, "greater_than", "less_than");
  if (range === null || schema.def.coerce) return null;
  const { least, most } = range;
  if (!(schema instanceof z.ZodNumberFormat)) {
    return (value) => Number.isFinite(value) && (value as number) >= least && (value as number) <= most;
  }
  if (schema.format !== "safeint") return null;
  return (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
}

function listTest(schema: z.ZodArray): Test | null {
  const item = schema.def.element instanceof z.ZodArray ? null : testOf(schema.def.element);
  const range = rangeOf(schema, "min_length", "max_length");
  if (item === null || range === null) return null;
  const longest = Math.min(range.most, MAX_LENGTH);
  return (value) => Array.isArray(value) && value.length >= range.least && value.length <= longest && value.every(item);
}

/** Longer texts and lists have further limits in arguments.ts. */
const MAX_LENGTH = 1_000;

/** The bounds that a schema's checks set, both included; null if it has other checks. */
function rangeOf(
  schema: Schema,
  lower: "min_length" | "greater_than",
  upper: "max_length" | "less_than",
): { readonly least: number; readonly most: number } | null {
  let [least, most] = [-Infinity, Infinity];
  for (const { _zod: { def } } of schema._zod.def.checks ?? []) {
    const bound = boundOf(def);
    if (bound !== null && def.check === lower) least = Math.max(least, bound);
    else if (bound !== null && def.check === upper) most = Math.min(most, bound);
    else return null;
  }
  return { least, most };
}

type BoundDef =
  & z.core.$ZodCheckMinLengthDef
  & z.core.$ZodCheckMaxLengthDef
  & z.core.$ZodCheckGreaterThanDef
  & z.core.$ZodCheckLessThanDef;

/** Null for a check that is no bound, or one that excludes its own value. */
function boundOf(def: z.core.$ZodCheckDef): number | null {
  const { minimum, maximum, value, inclusive = true } = def as Partial<BoundDef>;
  const bound = minimum ?? maximum ?? value;
  return typeof bound === "number" && inclusive === true ? bound : null;
}
