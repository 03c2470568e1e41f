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
import { all, checksOf, either, numberCondition, type Schema, stringCondition, valueCondition } from "./conditions.ts";

export type { Schema };
export type Test = (value: unknown) => boolean;

/** Levels of objects and arrays in a property that its schema does not name. */
export const MAX_FURTHER_DEPTH = 8;

const compiled = new WeakMap<Schema, Test | null>();

/** Null if the schema is of a kind, or has a check, that is not compiled. */
function compiledTest(schema: Schema): Test | null {
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
    if (def.type === "string") return stringCondition(schema, name, this.given);
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
        return valueCondition(schema, name, this.given);
      case "nullable":
        return either([`${name} === null`, this.conditionOf(def.innerType, name)]);
      case "optional":
        return either([`${name} === undefined`, this.conditionOf(def.innerType, name)]);
      case "catch":
        return this.conditionOf(def.innerType, name);
      case "union":
        return either(def.options.map((option) => this.conditionOf(option, name)));
      case "object":
        return this.#call(objectTest(schema as z.core.$ZodObject), name);
      default:
        return null;
    }
  }

  #call(test: Test | null, name: string): string | null {
    return test === null ? null : `${this.given(test)}(${name})`;
  }

  /** The name by which source refers to a value. */
  readonly given = (value: unknown): string => {
    this.#values.push(value);
    return `given${this.#values.length - 1}`;
  };
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
