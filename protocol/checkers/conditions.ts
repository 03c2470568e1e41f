// Conditions of texts, numbers and enumerations: JavaScript expressions over a variable that compiled-test.ts puts together.
// A condition is null if the schema has a form or a check that is not compiled.

import type { z } from "zod";

export type Schema = z.core.$ZodType;

/** Gives the name by which source refers to a value. */
type Given = (value: unknown) => string;

export function stringCondition(schema: Schema, name: string, given: Given): string | null {
  const conditions: (string | null)[] = [`typeof ${name} === "string"`];
  for (const check of checksOf(schema)) {
    if (check.check === "min_length") conditions.push(`${name}.length >= ${check.minimum}`);
    else if (check.check === "max_length") conditions.push(`${name}.length <= ${check.maximum}`);
    else if (isPatternOnly(check)) conditions.push(`${given(check.pattern)}.test(${name})`);
    else return null;
  }
  return isCoerced(schema) ? null : all(conditions);
}

export function numberCondition(schema: Schema, name: string): string | null {
  const conditions = [`Number.isFinite(${name})`];
  for (const { check, format, value, inclusive } of checksOf(schema)) {
    if (check === "number_format" && format === "safeint") conditions[0] = `Number.isSafeInteger(${name})`;
    else if (typeof value !== "number") return null;
    else if (check === "greater_than") conditions.push(`${name} ${inclusive ? ">=" : ">"} ${value}`);
    else if (check === "less_than") conditions.push(`${name} ${inclusive ? "<=" : "<"} ${value}`);
    else return null;
  }
  return isCoerced(schema) ? null : all(conditions);
}

/** Of an enumeration or a literal. */
export function valueCondition(schema: Schema, name: string, given: Given): string | null {
  const { values } = schema._zod;
  if (values === undefined || values.has(undefined)) return null;
  return values.size <= MAX_COMPARISONS && [...values].every(isWritable)
    ? either([...values].map((value) => `${name} === ${JSON.stringify(value)}`))
    : `${given(values)}.has(${name})`;
}

/** More values are looked up in a set. */
const MAX_COMPARISONS = 12;

function isWritable(value: unknown): boolean {
  return typeof value === "string" || typeof value === "boolean" || value === null || Number.isFinite(value);
}

/** What the checks that are compiled declare. */
interface CheckDef {
  readonly check: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly value?: unknown;
  readonly inclusive?: boolean;
  readonly format?: string;
  readonly pattern?: RegExp;
}

/** The checks of a schema. A schema of a format, such as a date's, is a check itself. */
export function checksOf(schema: Schema): readonly CheckDef[] {
  const own = schema._zod.traits.has("$ZodCheck") ? [schema] : [];
  return [...own, ...schema._zod.def.checks ?? []].map(({ _zod: { def } }) => def as unknown as CheckDef);
}

function isCoerced({ _zod: { def } }: Schema): boolean {
  return "coerce" in def && def.coerce === true;
}

/** Other formats check more than their pattern. */
function isPatternOnly({ check, format, pattern }: CheckDef): boolean {
  return check === "string_format" && format === "datetime" && pattern?.flags === "";
}

export function all(conditions: readonly (string | null)[]): string | null {
  return conditions.includes(null) ? null : conditions.join(" && ") || "true";
}

export function either(conditions: readonly (string | null)[]): string | null {
  return conditions.includes(null) ? null : `(${conditions.join(" || ")})`;
}
