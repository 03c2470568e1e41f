// The quick check of a call's arguments. It takes most valid arguments, and leaves all others to arguments.ts: everything
// invalid, every null and "", objects, and parameters whose schema is not compiled (protocol/checkers/compiled-test.ts).
//
// Invariant: what it takes, zod takes too, with the same output. tests/core/dispatch/plain-arguments.test.ts compares them
// over all tools. The checks follow from the tool's zod schema and are compiled once for each tool.
// Cost: a tenth of a microsecond for a few arguments. The walks over the arguments and zod take four times as much.

import { z } from "zod";
import { compiledTest, type Schema, type Test } from "../../protocol/checkers/compiled-test.ts";
import { isObject } from "../../protocol/json.ts";
import type { Tool } from "../tools/tool.ts";

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
  if (parameters === null || !isObject(rawArguments)) return null;
  const given = rawArguments;
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

/** Null if the schema is not compiled. */
function testOf(schema: Schema): Test | null {
  const test = compiledTest(schema);
  return test === null ? null : (value) => isPlain(value) && test(value);
}

/** Whether arguments.ts has no rule of its own for the value. */
function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.length <= MAX_LENGTH && value.every(isPlainItem);
  return isPlainItem(value);
}

function isPlainItem(value: unknown): boolean {
  if (typeof value === "string") return value !== "" && value.length <= MAX_LENGTH && value.isWellFormed();
  return typeof value === "number" || typeof value === "boolean";
}

/** Longer texts and lists have further limits in arguments.ts. */
const MAX_LENGTH = 1_000;
