// The arguments as the call log keeps them: numbers, booleans, enum values and ids. Any other value could hold a secret, so
// only its size is kept.

import { z } from "zod";
import { bareSchema } from "../tools/bare-schema.ts";
import { identifiers } from "../tools/fields.ts";

/** `input` fits `schema`. */
export function argumentSummary(
  schema: z.ZodObject,
  input: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, isPlain(schema.shape[name], value) ? value : sizeOf(value)]),
  );
}

function isPlain(schema: z.core.$ZodType | undefined, value: unknown): boolean {
  if (typeof value !== "string") return typeof value === "number" || typeof value === "boolean";
  const bare = schema && bareSchema(schema);
  return bare instanceof z.ZodEnum || (bare !== undefined && identifiers.has(bare));
}

function sizeOf(value: unknown): string {
  if (typeof value === "string") return `(text, ${value.length} characters)`;
  if (Array.isArray(value)) return `(list, ${value.length} items)`;
  return `(${typeof value})`;
}
