// Null and "" as arguments, for every tool and at every depth. The JSON Schemas say which parameters are optional, and the
// generated calls leave some of them out, so the tests don't depend on how the server finds either.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseArguments } from "../../core/dispatch/arguments.ts";
import type { Tool } from "../../core/tools/tool.ts";
import { fittingValue, type Schema, wholeInputSchema } from "../support/schema-inputs.ts";
import { listedTool } from "./support/listed-tool.ts";
import { TOOLS } from "./support/packs.ts";

const KNOWN = ["base-1", "alice", "BUY", "SELL", "ORDER", "price", "-1h", "value", "operator", "eq"];

function checkCalls(tool: Tool, check: (input: unknown, schema: Schema) => void): void {
  const schema = wholeInputSchema(tool);
  fc.assert(fc.property(fittingValue(schema, { known: KNOWN }), (input) => check(input, schema)));
}

/** What the handler would get, or the message of the refusal. */
function outcomeOf(tool: Tool, input: unknown): unknown {
  try {
    return { parsed: parseArguments(tool, input) };
  } catch (error) {
    return { message: String(error) };
  }
}

/** `value` with `filler` for every absent optional parameter that `fits`, at every depth. */
function filled(value: unknown, schema: Schema, filler: unknown, fits: (parameter: Schema) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => filled(item, (schema["items"] ?? {}) as Schema, filler, fits));
  const properties = schema["properties"] as Readonly<Record<string, Schema>> | undefined;
  if (typeof value !== "object" || value === null || properties === undefined) return value;
  const required = (schema["required"] ?? []) as readonly string[];
  const given = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, parameter]) => {
      if (name in given) return [[name, filled(given[name], parameter, filler, fits)] as const];
      return required.includes(name) || !fits(parameter) ? [] : [[name, filler] as const];
    }),
  );
}

const isText = ({ type, enum: values }: Schema) => type === "string" || Array.isArray(values);
const named = (tools: readonly Tool[]) => tools.map((tool) => [tool.name, tool] as const);

describe.each(named(TOOLS))("%s", (_name, tool) => {
  test("takes null for any optional parameter as absent", () => {
    checkCalls(tool, (input, schema) => {
      const withNulls = filled(input, schema, null, () => true);
      expect(outcomeOf(tool, withNulls)).toEqual(outcomeOf(tool, input));
    });
  });

  test("refuses null for a required parameter, and names the parameter", () => {
    for (const name of listedTool(tool).inputSchema.required ?? []) {
      expect(outcomeOf(tool, { [name]: null })).toMatchObject({ message: expect.stringContaining(`${name}: `) });
    }
  });
});

const READS = TOOLS.filter(({ annotations }) => annotations.readOnlyHint);
const MUTATIONS = TOOLS.filter(({ annotations }) => !annotations.readOnlyHint);

test.each(named(READS))(
  "%s, which only reads, takes an empty text for an optional parameter as absent",
  (_name, tool) => {
    checkCalls(tool, (input, schema) => {
      expect(outcomeOf(tool, filled(input, schema, "", isText))).toEqual(outcomeOf(tool, input));
    });
  },
);

/** Paths of the texts in `input` by its schema. */
function textsIn(input: unknown, schema: Schema, path: readonly string[] = []): (readonly string[])[] {
  if (isText(schema)) return [path];
  if (Array.isArray(input)) {
    return input.flatMap((item, at) => textsIn(item, schema["items"] as Schema, [...path, String(at)]));
  }
  if (typeof input !== "object" || input === null) return [];
  const properties = schema["properties"] as Readonly<Record<string, Schema>>;
  return Object.entries(input).flatMap(([name, value]) => textsIn(value, properties[name] ?? {}, [...path, name]));
}

function replaced(input: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(input)) return input.map((item, at) => String(at) === name ? replaced(item, rest, value) : item);
  return { ...input as object, [name]: replaced(Reflect.get(input as object, name), rest, value) };
}

/** Half a surrogate pair is refused before any field is looked at. */
function wellFormed(input: unknown): unknown {
  const text = JSON.stringify(input, (_name, value) => typeof value === "string" ? value.toWellFormed() : value);
  return JSON.parse(text);
}

test.each(named(MUTATIONS))("%s, which changes something, refuses every empty text by its name", (_name, tool) => {
  checkCalls(tool, (input, schema) => {
    const withTexts = wellFormed(filled(input, schema, "x", isText));
    for (const path of textsIn(withTexts, schema)) {
      const message = `${path.join(".")}: is empty; give a value`;
      expect(outcomeOf(tool, replaced(withTexts, path, ""))).toMatchObject({
        message: expect.stringContaining(message),
      });
    }
  });
});

test("a null among the filters of mkt_find_modules is a value", () => {
  const tool = TOOLS.find(({ name }) => name === "mkt_find_modules") ?? expect.unreachable();
  const filters = { closeReason: null, status: { value: null, operator: "eq" } };
  expect(parseArguments(tool, { moduleType: "ORDER", filters, limit: null })).toMatchObject({ filters, limit: 100 });
});
