// Unwraps zod schemas of parameters.

import { z } from "zod";

type Schema = z.core.$ZodType;

/** The schema within `optional`, `default`, `nullable`, `readonly` and `z.preprocess`. */
export function bareSchema(schema: Schema): Schema {
  const inner = wrappedSchema(schema);
  return inner === null ? schema : bareSchema(inner);
}

/** Whether the parameter may be left out. */
export function mayBeAbsent(schema: Schema): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return true;
  const inner = wrappedSchema(schema);
  return inner !== null && mayBeAbsent(inner);
}

/** Null for a schema that wraps none. */
function wrappedSchema(schema: Schema): Schema | null {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return schema.def.innerType;
  }
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodReadonly) return schema.def.innerType;
  if (!(schema instanceof z.ZodPipe)) return null;
  const { in: before, out: after } = schema.def;
  return before instanceof z.ZodTransform ? after : before;
}
