// Compiles a zod schema into a test, which takes a twentieth of the time that zod takes.
//
// Invariant: what a test takes, zod takes too, and gives it back with the same content. A test may refuse what zod takes, so
// the caller asks zod about everything refused; zod also finds the fault. Tests are for values that JSON.parse made, in
// which no property is undefined. tests/protocol/checkers compares them with zod.
//
// Properties that a schema does not name are allowed in a loose object only, and only if they are nested at most
// MAX_FURTHER_DEPTH deep. So recursion can walk what a test takes, unless the schema declares a property as unknown.
//
// The test of an object is a generated function, as zod's own are: closures over the names of the properties take three
// times as long, because each reads properties of many names.

import { z } from "zod";
import { isDeeperThan } from "../json.ts";

export type Schema = z.core.$ZodType;
export type Test = (value: unknown) => boolean;

/** Levels of objects and arrays in a property that its schema does not name. */
export const MAX_FURTHER_DEPTH = 8;

const compiled = new WeakMap<Schema, Test | null>();

/** Null if the schema is of a kind, or has a check, that is not compiled. */
export function compiledTest(schema: Schema): Test | null {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const source = new Source();
  const condition = source.conditionOf(schema, "value");
  const test = condition === null ? null : source.compile(`(value) => ${condition}`);
  compiled.set(schema, test);
  return test;
}

/** As `compiledTest`, for a schema that must compile. */
export function requiredTest(schema: Schema): Test {
  const test = compiledTest(schema);
  if (test === null) throw new Error("a schema of the protocol has a form that is not compiled");
  return test;
}

/** JavaScript source, and the values that it refers to. */
class Source {
  readonly #values: unknown[] = [];

  compile(expression: string): Test {
    const names = this.#values.map((_, index) => `given${index}`);
    return new Function(...names, `return ${expression};`)(...this.#values) as Test;
  }

  /** An expression that is true if the variable `name` fits the schema. Null: not compiled. */
  conditionOf(schema: Schema, name: string): string | null {
    const { def } = (schema as z.core.$ZodTypes)._zod;
    if (def.type === "string") return this.#stringCondition(schema, name);
    if (def.type === "number") return numberCondition(schema, name);
    if (def.type === "array") return this.#call(listTest(schema as z.core.$ZodArray), name);
    if ((def.checks ?? []).length > 0) return null;
    switch (def.type) {
      case "unknown":
        return `${name} !== undefined`;
      case "boolean":
        return "coerce" in def && def.coerce ? null : `typeof ${name} === "boolean"`;
      case "enum":
      case "literal":
        return this.#valueCondition(schema, name);
      case "nullable":
        return either([`${name} === null`, this.conditionOf(def.innerType, name)]);
      case "optional":
        return either([`${name} === undefined`, this.conditionOf(def.innerType, name)]);
      case "union":
        return either(def.options.map((option) => this.conditionOf(option, name)));
      case "object":
        return this.#call(objectTest(schema as z.core.$ZodObject), name);
      default:
        return null;
    }
  }

  #stringCondition(schema: Schema, name: string): string | null {
    const conditions: (string | null)[] = [`typeof ${name} === "string"`];
    for (const check of checksOf(schema)) {
      if (check.check === "min_length") conditions.push(`${name}.length >= ${check.minimum}`);
      else if (check.check === "max_length") conditions.push(`${name}.length <= ${check.maximum}`);
      else if (isPatternOnly(check)) conditions.push(`${this.given(check.pattern)}.test(${name})`);
      else return null;
    }
    return isCoerced(schema) ? null : all(conditions);
  }

  #valueCondition(schema: Schema, name: string): string | null {
    const { values } = schema._zod;
    if (values === undefined || values.has(undefined)) return null;
    return values.size <= MAX_COMPARISONS && [...values].every(isWritable)
      ? either([...values].map((value) => `${name} === ${JSON.stringify(value)}`))
      : `${this.given(values)}.has(${name})`;
  }

  #call(test: Test | null, name: string): string | null {
    return test === null ? null : `${this.given(test)}(${name})`;
  }

  /** The name by which source refers to a value. */
  given(value: unknown): string {
    this.#values.push(value);
    return `given${this.#values.length - 1}`;
  }
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
function checksOf(schema: Schema): readonly CheckDef[] {
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

function numberCondition(schema: Schema, name: string): string | null {
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

function listTest(schema: z.core.$ZodArray): Test | null {
  const item = compiledTest(schema._zod.def.element);
  let [least, most] = [0, Infinity];
  for (const { check, minimum, maximum } of checksOf(schema)) {
    if (check === "min_length" && minimum !== undefined) least = Math.max(least, minimum);
    else if (check === "max_length" && maximum !== undefined) most = Math.min(most, maximum);
    else return null;
  }
  if (item === null) return null;
  return (value) => Array.isArray(value) && value.length >= least && value.length <= most && value.every(item);
}

function objectTest({ _zod: { def } }: z.core.$ZodObject): Test | null {
  const { shape, catchall } = def;
  const isLoose = catchall instanceof z.ZodUnknown;
  if (catchall !== undefined && !isLoose && !(catchall instanceof z.ZodNever)) return null;
  const source = new Source();
  const names = Object.keys(shape);
  const fits = all(names.map((name, index) => source.conditionOf(shape[name]!, `property${index}`)));
  if (fits === null) return null;
  const reads = names.map((name, index) => `${JSON.stringify(name)}: property${index}`);
  const counts = names.map((name, index) =>
    isOptional(shape[name]!) ? `(property${index} === undefined ? 0 : 1)` : "1"
  );
  return source.compile(`(value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const { ${reads.join(", ")} } = value;
    if (!(${fits})) return false;
    return Object.keys(value).length === ${["0", ...counts].join(" + ")} || ${
    source.given(furtherTest(names, isLoose))
  }(value);
  }`);
}

function isOptional(schema: Schema): boolean {
  return schema instanceof z.ZodOptional;
}

/** Tests the properties of an object that its schema does not name. zod drops an own property called __proto__. */
function furtherTest(
  names: readonly string[],
  isLoose: boolean,
): (value: Readonly<Record<string, unknown>>) => boolean {
  const known = new Set(names);
  return (value) => {
    for (const name in value) {
      if (known.has(name)) continue;
      if (!isLoose || name === "__proto__" || isDeeperThan(MAX_FURTHER_DEPTH, value[name])) return false;
    }
    return true;
  };
}

/** Null if a condition is not compiled. */
function all(conditions: readonly (string | null)[]): string | null {
  return conditions.includes(null) ? null : conditions.join(" && ") || "true";
}

function either(conditions: readonly (string | null)[]): string | null {
  return conditions.includes(null) ? null : `(${conditions.join(" || ")})`;
}
