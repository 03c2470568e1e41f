// Compiles a caller's filters over module properties to a snapshot query.
//
// A filter is a plain value (equality) or { value, operator }. The type of a property decides which operators it takes. An
// invalid filter is refused with the name of the property and what would be valid.
// Specification: the filter shape, below the table of query tools.

import { z } from "zod";
import { isJoined, propertiesOf, propertyReader } from "./module-properties.ts";
import type { SnapshotQuery, SnapshotReader } from "./snapshot-reader.ts";
import { ToolError } from "../error.ts";
import type { Property, PropertyType } from "../../protocol/modules/property.ts";
import type { AnyModuleData, ModuleType } from "../../protocol/modules/registry.ts";

export const FILTER_OPERATORS = ["eq", "gt", "lt", "gte", "lte", "contains", "in"] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

const MAX_IN_VALUES = 1000;

const OPERATORS: Readonly<Record<PropertyType, readonly FilterOperator[]>> = {
  string: ["eq", "contains", "in"],
  number: ["eq", "gt", "lt", "gte", "lte", "in"],
  boolean: ["eq", "in"],
  time: ["eq", "gt", "lt", "gte", "lte", "in"],
  array: ["eq", "contains", "in"],
  object: [],
};

/** The operators that may filter on a property; empty if it is not filterable. */
export function operatorsFor(property: Property): readonly FilterOperator[] {
  return property.filterable ? OPERATORS[property.type] : [];
}

/** What the meaning of a filter depends on. */
export interface FilterContext {
  /** Joined properties are read from it. */
  readonly snapshot: Pick<SnapshotReader, "get">;
}

type Test = (value: unknown) => boolean;

/** Throws ToolError `invalid_filter`. All filters must hold. */
export function compileFilters(
  type: ModuleType,
  filters: Readonly<Record<string, unknown>>,
  { snapshot }: FilterContext,
): Pick<SnapshotQuery, "equals" | "where"> {
  const properties = propertiesOf(type);
  const equals: Record<string, unknown> = {};
  const tests: [name: string, test: Test][] = [];
  for (const [name, filter] of Object.entries(filters)) {
    const property = properties.get(name);
    if (property === undefined) throw invalid(name, `is not a property of ${type}`, filterableHint(type, properties));
    if (!property.filterable) throw invalid(name, `of ${type} can't be filtered on`, filterableHint(type, properties));
    const { operator, value } = readFilter(name, property, filter);
    if (operator === "eq" && isIndexable(property, value) && !isJoined(type, name)) equals[name] = value;
    else tests.push([name, testFor(name, property, operator, value)]);
  }
  if (tests.length === 0) return { equals };
  const read = propertyReader(type, snapshot);
  const where = (module: AnyModuleData) => tests.every(([name, test]) => test(read(module, name)));
  return { equals, where };
}

/** Whether `===` compares such values correctly, so that an index may look the value up. */
function isIndexable(property: Property, value: unknown): boolean {
  if (!fits(property, value)) return false;
  return value === null || (property.type !== "time" && property.type !== "array");
}

function readFilter(
  name: string,
  property: Property,
  filter: unknown,
): { operator: FilterOperator; value: unknown } {
  if (typeof filter !== "object" || filter === null || Array.isArray(filter)) return { operator: "eq", value: filter };
  const { value, operator: given, ...rest } = filter as { value?: unknown; operator?: unknown };
  const operator = given ?? "eq";
  if (value === undefined || Object.keys(rest).length > 0) {
    throw invalid(name, "is neither a plain value nor { value, operator }", `Write ${name} as ${example(property)}.`);
  }
  const allowed = operatorsFor(property);
  const known = allowed.find((candidate) => candidate === operator);
  if (known !== undefined) return { operator: known, value };
  throw invalid(
    name,
    `is a ${describeType(property)} and can't be filtered by ${JSON.stringify(operator)}`,
    `Use one of ${allowed.join(", ")} on ${name}.`,
  );
}

function testFor(name: string, property: Property, operator: FilterOperator, value: unknown): Test {
  switch (operator) {
    case "eq":
      return equalityTest(name, property, value);
    case "in":
      return membershipTest(name, property, value);
    case "contains":
      return containmentTest(name, property, value);
    default:
      return comparisonTest(name, property, operator, value);
  }
}

function equalityTest(name: string, property: Property, value: unknown): Test {
  if (!fits(property, value)) throw misfit(name, property, value, describeValue(property));
  const wanted = comparable(property, value);
  return (actual) => comparable(property, actual) === wanted;
}

function membershipTest(name: string, property: Property, values: unknown): Test {
  if (!Array.isArray(values) || values.length === 0 || values.length > MAX_IN_VALUES) {
    throw invalid(
      name,
      "with operator in needs an array as its value",
      `Give an array of 1 to ${MAX_IN_VALUES} values, each ${describeValue(property)}.`,
    );
  }
  const odd = values.find((value) => !fits(property, value));
  if (odd !== undefined) throw misfit(name, property, odd, `an array of values, each ${describeValue(property)}`);
  const wanted = new Set(values.map((value) => comparable(property, value)));
  return (actual) => wanted.has(comparable(property, actual));
}

function containmentTest(name: string, property: Property, value: unknown): Test {
  if (typeof value !== "string") throw misfit(name, property, value, "a string");
  if (property.type === "array") return (actual) => Array.isArray(actual) && actual.includes(value);
  const wanted = value.toLowerCase();
  return (actual) => typeof actual === "string" && actual.toLowerCase().includes(wanted);
}

const COMPARISONS = {
  gt: (actual, limit) => actual > limit,
  lt: (actual, limit) => actual < limit,
  gte: (actual, limit) => actual >= limit,
  lte: (actual, limit) => actual <= limit,
} satisfies Record<string, (actual: number, limit: number) => boolean>;

function comparisonTest(
  name: string,
  property: Property,
  operator: keyof typeof COMPARISONS,
  value: unknown,
): Test {
  const limit = property.type === "time" ? instantOf(value) : value;
  if (typeof limit !== "number" || !Number.isFinite(limit)) {
    throw misfit(name, property, value, property.type === "time" ? TIME : "a number");
  }
  const compare = COMPARISONS[operator];
  return (actual) => {
    const known = property.type === "time" ? instantOf(actual) : actual;
    return typeof known === "number" && compare(known, limit);
  };
}

const time = z.iso.datetime({ offset: true });
const TIME = "an ISO 8601 time with Z or an offset, such as 2030-01-31T08:00:00Z";

/** Milliseconds since the epoch; null if the value is no time. */
function instantOf(value: unknown): number | null {
  return time.safeParse(value).success ? Date.parse(value as string) : null;
}

/** Whether the value is of the property's type, or null if the property is nullable. */
function fits(property: Property, value: unknown): boolean {
  if (value === null) return property.nullable;
  return property.type === "time" ? instantOf(value) !== null : property.schema.safeParse(value).success;
}

/** A value that is `===` for equal values, and only for those. */
function comparable(property: Property, value: unknown): unknown {
  if (value === null) return null;
  if (property.type === "time") return instantOf(value);
  return property.type === "array" ? JSON.stringify(value) : value;
}

function describeType({ type, values }: Property): string {
  return values === undefined ? type : `${type} (one of ${values.join(", ")})`;
}

function describeValue({ type, values, nullable, unit }: Property): string {
  const kinds: Readonly<Record<PropertyType, string>> = {
    string: "a string",
    number: unit === undefined ? "a number" : `a number (${unit})`,
    boolean: "true or false",
    time: TIME,
    array: "an array of strings",
    object: "an object",
  };
  const value = values === undefined ? kinds[type] : `one of ${values.join(", ")}`;
  return nullable ? `${value}, or null` : value;
}

function example(property: Property): string {
  const operators = operatorsFor(property).join(", ");
  return `${describeValue(property)}; or as { "value": ..., "operator": ... } with one of ${operators}`;
}

function misfit(name: string, property: Property, value: unknown, expected: string): ToolError {
  const given = value === undefined ? "undefined" : JSON.stringify(value).slice(0, 100);
  return invalid(name, `is a ${describeType(property)}; ${given} does not fit`, `Give ${expected} for ${name}.`);
}

function filterableHint(type: ModuleType, properties: ReadonlyMap<string, Property>): string {
  const names = [...properties].filter(([, { filterable }]) => filterable).map(([name]) => name);
  return `Filter ${type} on ${names.join(", ")}.`;
}

function invalid(name: string, what: string, hint: string): ToolError {
  return new ToolError("invalid_filter", `Filter ${JSON.stringify(name)} ${what}.`, hint);
}
