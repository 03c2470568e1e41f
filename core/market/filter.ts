// Compiles a caller's filters over module properties to a snapshot query.
//
// A filter is a plain value (equality) or { value, operator }. The type of a property decides which operators it takes. An
// invalid filter is refused with the name of the property and what would be valid.
// Specification: the filter shape, below the table of query tools.

import { isObject } from "../../protocol/json.ts";
import {
  asHeld,
  comparable,
  describeType,
  describeValue,
  type FilterContext,
  fits,
  isIndexable,
  monthMeant,
  TimeMeaning,
  timeOf,
} from "./filter-values.ts";
import { isJoined, propertiesOf, propertyReader } from "./module-properties.ts";
import type { SnapshotQuery } from "./snapshot-reader.ts";
import { isInstant, type Period } from "./time-period.ts";
import { ToolError } from "../error.ts";
import type { Property, PropertyType } from "../../protocol/modules/property.ts";
import type { AnyModuleData, ModuleType } from "../../protocol/modules/registry.ts";

export const FILTER_OPERATORS = ["eq", "gt", "lt", "gte", "lte", "contains", "in"] as const;
type FilterOperator = (typeof FILTER_OPERATORS)[number];

const MAX_IN_VALUES = 1000;
/** Maximum number of dates in one filter. */
const MAX_PERIODS = 100;

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

type Test = (value: unknown, module: AnyModuleData) => boolean;

interface Condition {
  readonly name: string;
  readonly property: Property;
  readonly operator: FilterOperator;
  readonly value: unknown;
}

/** Throws ToolError `invalid_filter`. All filters must hold. */
export function compileFilters(
  type: ModuleType,
  filters: Readonly<Record<string, unknown>>,
  context: FilterContext,
): Pick<SnapshotQuery, "equals" | "where"> {
  const properties = propertiesOf(type);
  const equals: Record<string, unknown> = {};
  const tests: [name: string, test: Test][] = [];
  for (const [name, filter] of Object.entries(filters)) {
    const property = properties.get(name);
    if (property === undefined) throw invalid(name, `is not a property of ${type}`, filterableHint(type, properties));
    if (!property.filterable) throw invalid(name, `of ${type} can't be filtered on`, filterableHint(type, properties));
    const condition = readFilter(name, property, filter);
    const { operator, value } = condition;
    if (operator === "eq" && isIndexable(property, value) && !isJoined(type, name)) equals[name] = value;
    else tests.push([name, testFor(condition, context)]);
  }
  if (tests.length === 0) return { equals };
  const read = propertyReader(type, context.snapshot);
  const where = (module: AnyModuleData) => tests.every(([name, test]) => test(read(module, name), module));
  return { equals, where };
}

function readFilter(name: string, property: Property, filter: unknown): Condition {
  if (!isObject(filter)) return { name, property, operator: "eq", value: asHeld(property, filter) };
  const { value, operator: given, ...rest } = filter;
  const operator = given ?? "eq";
  if (value === undefined || Object.keys(rest).length > 0) {
    throw invalid(name, "is neither a plain value nor { value, operator }", `Write ${name} as ${example(property)}.`);
  }
  const allowed = operatorsFor(property);
  const known = allowed.find((candidate) => candidate === operator);
  if (known !== undefined) return { name, property, operator: known, value: asHeld(property, value) };
  throw invalid(
    name,
    `is a ${describeType(property)} and can't be filtered by ${JSON.stringify(operator)}`,
    `Use one of ${allowed.join(", ")} on ${name}.`,
  );
}

function testFor(condition: Condition, context: FilterContext): Test {
  switch (condition.operator) {
    case "eq":
      return equalityTest(condition, context);
    case "in":
      return membershipTest(condition, context);
    case "contains":
      return containmentTest(condition);
    default:
      return condition.property.type === "time"
        ? timeTest(condition, condition.operator, context)
        : comparisonTest(condition, condition.operator);
  }
}

function equalityTest(condition: Condition, context: FilterContext): Test {
  const { name, property, value } = condition;
  if (property.type === "time" && value !== null) return timeTest(condition, "eq", context);
  if (!fits(property, value)) throw misfit(name, property, value, describeValue(property));
  const wanted = comparable(property, value);
  return (actual) => comparable(property, actual) === wanted;
}

function membershipTest(condition: Condition, context: FilterContext): Test {
  const { name, property, value: values } = condition;
  if (!Array.isArray(values) || values.length === 0 || values.length > MAX_IN_VALUES) {
    throw invalid(
      name,
      "with operator in needs an array as its value",
      `Give an array of 1 to ${MAX_IN_VALUES} values, each ${describeValue(property)}.`,
    );
  }
  if (property.type === "time") return timeMembershipTest(condition, values, context);
  const odd = values.find((value) => !fits(property, value));
  if (odd !== undefined) throw misfit(name, property, odd, `an array of values, each ${describeValue(property)}`);
  const wanted = new Set(values.map((value) => comparable(property, value)));
  return (actual) => wanted.has(comparable(property, actual));
}

/** Instants cost one lookup for each module. Each other value costs one comparison for each module. */
function timeMembershipTest(condition: Condition, values: readonly unknown[], context: FilterContext): Test {
  const tests = new Map(values.map((value) => [value, equalityTest({ ...condition, value }, context)]));
  const instants = values.filter((value) => typeof value === "string" && isInstant(value));
  for (const value of instants) tests.delete(value);
  if (tests.size > MAX_PERIODS) {
    throw invalid(condition.name, "has too many dates", `Give at most ${MAX_PERIODS} dates or null, or times with Z.`);
  }
  const times = new Set(instants.map(timeOf));
  const others = [...tests.values()];
  return (actual, module) => times.has(timeOf(actual)) || others.some((test) => test(actual, module));
}

function containmentTest({ name, property, value }: Condition): Test {
  if (typeof value !== "string") throw misfit(name, property, value, "a string");
  if (property.type === "array") return (actual) => Array.isArray(actual) && actual.includes(value);
  const wanted = value.toLowerCase();
  return (actual) => typeof actual === "string" && actual.toLowerCase().includes(wanted);
}

type Comparison = "gt" | "lt" | "gte" | "lte";

const COMPARISONS = {
  gt: (actual, limit) => actual > limit,
  lt: (actual, limit) => actual < limit,
  gte: (actual, limit) => actual >= limit,
  lte: (actual, limit) => actual <= limit,
} satisfies Record<Comparison, (actual: number, limit: number) => boolean>;

function comparisonTest({ name, property, value }: Condition, operator: Comparison): Test {
  if (typeof value !== "number" || !Number.isFinite(value)) throw misfit(name, property, value, "a number");
  const compare = COMPARISONS[operator];
  return (actual) => typeof actual === "number" && compare(actual, value);
}

/** A time compared with a period: `eq` is within it, `gt` after all of it, `lte` before its end. An instant has no length. */
const TIME_COMPARISONS = {
  eq: (time, { start, end }) => start === end ? time === start : time >= start && time < end,
  gt: (time, { start, end }) => start === end ? time > end : time >= end,
  gte: (time, { start }) => time >= start,
  lt: (time, { start }) => time < start,
  lte: (time, { start, end }) => start === end ? time <= end : time < end,
} satisfies Record<Comparison | "eq", (time: number, period: Period) => boolean>;

/** What a bound means that is a whole day, month or year, since a caller may take it for its first instant. */
const BOUNDS: ReadonlyMap<unknown, (end: string) => string> = new Map([
  ["gt", (end) => `begins after the whole of it, at ${end}; gte begins with it`],
  ["lte", (end) => `includes the whole of it, up to ${end}; lt ends before it`],
]);

/** A sentence for each filter whose bound is such a period. `filters` have been compiled. */
export function boundSentences(
  type: ModuleType,
  filters: Readonly<Record<string, unknown>>,
  context: FilterContext,
): string[] {
  return Object.entries(filters).flatMap(([name, filter]) => {
    if (!isObject(filter) || propertiesOf(type).get(name)?.type !== "time") return [];
    const bound = BOUNDS.get(filter["operator"]);
    const period = TimeMeaning.of(filter["value"], context)?.period();
    if (bound === undefined || !period || period.start === period.end) return [];
    const end = new Date(period.end).toISOString();
    return [`${name} ${String(filter["operator"])} ${JSON.stringify(filter["value"])} ${bound(end)}.`];
  });
}

function timeTest({ name, property, value }: Condition, operator: Comparison | "eq", context: FilterContext): Test {
  const meaning = TimeMeaning.of(value, context);
  if (meaning === null) throw misfit(name, property, value, describeValue(property), monthMeant(value, context));
  const compare = TIME_COMPARISONS[operator];
  return (actual, module) => {
    const time = timeOf(actual);
    const period = Number.isNaN(time) ? null : meaning.periodFor(module);
    return period !== null && compare(time, period);
  };
}

function example(property: Property): string {
  const operators = operatorsFor(property).join(", ");
  return `${describeValue(property)}; or as { "value": ..., "operator": ... } with one of ${operators}`;
}

function misfit(name: string, property: Property, value: unknown, expected: string, guess = ""): ToolError {
  const given = value === undefined ? "undefined" : JSON.stringify(value).slice(0, 100);
  return invalid(
    name,
    `is a ${describeType(property)}; ${given} does not fit`,
    `${guess}Give ${expected} for ${name}.`,
  );
}

function filterableHint(type: ModuleType, properties: ReadonlyMap<string, Property>): string {
  const names = [...properties].filter(([, { filterable }]) => filterable).map(([name]) => name);
  return `Filter ${type} on ${names.join(", ")}.`;
}

function invalid(name: string, what: string, hint: string): ToolError {
  return new ToolError("invalid_filter", `Filter ${JSON.stringify(name)} ${what}.`, hint);
}
