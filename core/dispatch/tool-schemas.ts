// The JSON Schemas of a tool as tools/list publishes them. They are smaller than the zod declarations, which check
// everything, because clients put them into a model's prompt and convert them to a provider's function declarations.
//
// Input: only keywords that OpenAI's strict mode, Gemini's function declarations and Anthropic's tools all take, so a bound
// that they can't express is left out. A record is an object without properties. Checked in tests/plugins/converters.test.ts.
//
// Output: types, names and units, without bounds. Every object is open, so a client that validates results accepts
// fields that come later. `stale`, `asOf` and `incomplete`, which the dispatcher adds to a read, are declared here.
// No `$defs`: few tools have one shape twice, and every reader would have to follow references.

import type { ListToolsResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Tool } from "../tools/tool.ts";

type JsonSchema = Readonly<Record<string, unknown>>;
/** The form in which the SDK takes the schemas of a tool. */
type ObjectSchema = ListToolsResult["tools"][number]["inputSchema"];

export function publishedInput(tool: Tool): ObjectSchema {
  if (tool.publishedInput !== undefined) return tool.publishedInput as ObjectSchema;
  return published(tool.input, "input", reducedInput);
}

export function publishedOutput(tool: Tool): ObjectSchema {
  const output = tool.requires?.connection === "read" ? tool.output.extend(freshness) : tool.output;
  return published(output, "output", reducedOutput);
}

const freshness = { stale: z.boolean().optional(), asOf: z.string().optional(), incomplete: z.boolean().optional() };

function published(schema: z.ZodObject, io: "input" | "output", reduced: (schema: JsonSchema) => JsonSchema) {
  return reduced(z.toJSONSchema(schema, { io, unrepresentable: "any" })) as ObjectSchema;
}

/** Names the header in which clients of protocol 2026-07-28 repeat the argument over HTTP. */
export const HEADER_KEYWORD = "x-mcp-header";

const INPUT_KEYWORDS = [
  "type",
  "description",
  "enum",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  HEADER_KEYWORD,
] as const;

function reducedInput(schema: JsonSchema): JsonSchema {
  const { exclusiveMinimum, exclusiveMaximum, properties, required, items } = schema;
  const bounded = {
    ...schema,
    minimum: schema["minimum"] ?? exclusiveMinimum,
    maximum: schema["maximum"] ?? exclusiveMaximum,
  };
  return {
    ...kept(bounded, INPUT_KEYWORDS),
    ...(properties !== undefined && {
      properties: eachReduced(properties as Readonly<Record<string, JsonSchema>>, reducedInput),
      ...(required !== undefined && { required }),
      additionalProperties: false,
    }),
    ...(items !== undefined && { items: reducedInput(items as JsonSchema) }),
    ...alternatives(schema, reducedInput),
  };
}

const OUTPUT_KEYWORDS = ["type", "description", "enum", "const", "format"] as const;

function reducedOutput(schema: JsonSchema): JsonSchema {
  const { properties, required, items, additionalProperties: further } = schema;
  const reduced = {
    ...kept(schema, OUTPUT_KEYWORDS),
    ...(isMeaningful(properties) && {
      properties: eachReduced(properties as Readonly<Record<string, JsonSchema>>, reducedOutput),
    }),
    ...(Array.isArray(required) && required.length > 0 && { required }),
    ...(items !== undefined && { items: reducedOutput(items as JsonSchema) }),
    ...(isMeaningful(further) && { additionalProperties: reducedOutput(further) }),
    ...alternatives(schema, reducedOutput),
  };
  return shortNullable(reduced);
}

/** False for an empty schema, which allows anything just as a missing one does, and for `false`, which closes an object. */
function isMeaningful(schemas: unknown): schemas is JsonSchema {
  return typeof schemas === "object" && schemas !== null && Object.keys(schemas).length > 0;
}

/** `type: [T, "null"]` for a schema of one type or null. An enumeration would need null among its values. */
function shortNullable(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [value, none] = anyOf as [JsonSchema, JsonSchema];
  if (none["type"] !== "null" || typeof value["type"] !== "string" || "enum" in value) return schema;
  return { ...value, ...rest, type: [value["type"], "null"] };
}

function alternatives({ anyOf, oneOf }: JsonSchema, reduced: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const schemas = anyOf ?? oneOf;
  return schemas === undefined ? {} : { anyOf: (schemas as JsonSchema[]).map(reduced) };
}

function eachReduced(
  schemas: Readonly<Record<string, JsonSchema>>,
  reduced: (schema: JsonSchema) => JsonSchema,
): JsonSchema {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, reduced(schema)]));
}

function kept(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(
    keywords.map((keyword) => [keyword, schema[keyword]]).filter(([, value]) =>
      value !== undefined && !isSafeIntegerBound(value)
    ),
  );
}

/** zod gives every integer these bounds, beyond which a number is not exact. They say nothing about the parameter. */
function isSafeIntegerBound(bound: unknown): boolean {
  return bound === Number.MAX_SAFE_INTEGER || bound === Number.MIN_SAFE_INTEGER;
}
