// The arguments as the call log keeps them: numbers, booleans, enum values and ids. Any other value could hold a secret, so
// only its size is kept.

import { z } from "zod";
import { bareSchema } from "../tools/bare-schema.ts";
import { identifiers } from "../tools/fields.ts";

/** By schema: the parameters whose texts are kept. */
const keptTexts = new WeakMap<z.ZodObject, ReadonlySet<string>>();

/** `input` fits `schema`. */
export function argumentSummary(
  schema: z.ZodObject,
  input: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const texts = keptTextsOf(schema);
  const summary: Record<string, unknown> = {};
  for (const name in input) {
    const value = input[name];
    if (value !== undefined) summary[name] = isPlain(value, texts.has(name)) ? value : sizeOf(value);
  }
  return summary;
}

function keptTextsOf(schema: z.ZodObject): ReadonlySet<string> {
  let names = keptTexts.get(schema);
  if (names === undefined) {
    const entries = Object.entries<z.core.$ZodType>(schema.shape);
    names = new Set(entries.filter(([, parameter]) => isKeptText(parameter)).map(([name]) => name));
    keptTexts.set(schema, names);
  }
  return names;
}

function isKeptText(parameter: z.core.$ZodType): boolean {
  const bare = bareSchema(parameter);
  return bare instanceof z.ZodEnum || identifiers.has(bare);
}

function isPlain(value: unknown, isKeptText: boolean): boolean {
  return typeof value === "string" ? isKeptText : typeof value === "number" || typeof value === "boolean";
}

function sizeOf(value: unknown): string {
  if (typeof value === "string") return `(text, ${value.length} characters)`;
  if (Array.isArray(value)) return `(list, ${value.length} items)`;
  return `(${typeof value})`;
}
