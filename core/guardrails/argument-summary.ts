// What the call log keeps of a call's arguments: enough to know what was done, and nothing that a secret could hide in.
// Values of numbers, flags, choices and ids are kept; of all else only that it was given, and its size.

import { z } from "zod";
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
  const bare = withoutWrappers(schema);
  return bare instanceof z.ZodEnum || (bare !== undefined && identifiers.has(bare));
}

/** Without what makes it optional or gives it a default. */
function withoutWrappers(schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? withoutWrappers(schema.def.innerType)
    : schema;
}

function sizeOf(value: unknown): string {
  if (typeof value === "string") return `(text, ${value.length} characters)`;
  if (Array.isArray(value)) return `(list, ${value.length} items)`;
  return `(${typeof value})`;
}
