import { describe, expect, test } from "bun:test";
import { Snapshot } from "../../../core/market/snapshot.ts";
import { boundSentences, compileFilters, FILTER_OPERATORS, operatorsFor } from "../../../core/market/filter.ts";
import { propertiesOf } from "../../../core/market/module-properties.ts";
import { MODULE_TYPES, type ModuleType } from "../../../protocol/modules/registry.ts";
import { ToolError } from "../../../core/error.ts";

const snapshot = new Snapshot();
const CONTEXT = { snapshot, now: Date.parse("2030-01-02T12:00:00Z") };

function put(type: ModuleType, state: { id: string } & Record<string, unknown>): void {
  snapshot.apply({ statePath: `/${type}/${state.id}`, state }, "");
}

const TIMES = ["2030-01-01T00:00:00.000Z", "2030-01-01T01:00:00.000Z", "2030-01-01T02:00:00.000Z"];
for (const [index, createdAt] of TIMES.entries()) {
  put("ORDER", {
    id: `o-${index}`,
    productCode: ["BASE", "base-2", "PEAK"][index],
    side: index % 2,
    price: [-100, 0, 250][index],
    averagePrice: [null, 5, 7][index],
    status: ["working", "filled", "cancelled"][index],
    closeReason: [null, "filled", "cancelled"][index],
    createdAt,
  });
  put("MARKET", {
    id: `m-${index}`,
    nodes: [["hub", "node"], ["node", "hub"], []][index],
    halted: index === 1,
    open: [null, TIMES[1], TIMES[2]][index],
  });
}

function matches(type: ModuleType, filters: Record<string, unknown>): string[] {
  const found = snapshot.find(type, { ...compileFilters(type, filters, CONTEXT), limit: 10 });
  expect(found.total).toBe(found.modules.length);
  return found.modules.map(({ id }) => id).sort();
}

function refusal(type: ModuleType, filters: unknown): ToolError {
  try {
    compileFilters(type, filters as Record<string, unknown>, CONTEXT);
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(filters)} was accepted`);
}

describe("each operator on each type of property", () => {
  const cases: [type: ModuleType, filters: Record<string, unknown>, expected: string[]][] = [
    ["ORDER", { productCode: "BASE" }, ["o-0"]],
    ["ORDER", { productCode: { value: "base", operator: "eq" } }, []],
    ["ORDER", { productCode: { value: "BASE", operator: null } }, ["o-0"]],
    ["ORDER", { productCode: { value: "base", operator: "contains" } }, ["o-0", "o-1"]],
    ["ORDER", { productCode: { value: ["BASE", "PEAK"], operator: "in" } }, ["o-0", "o-2"]],
    ["ORDER", { id: "o-1" }, ["o-1"]],
    ["ORDER", { id: { value: "O-", operator: "contains" }, side: 0 }, ["o-0", "o-2"]],
    ["ORDER", { id: { value: ["o-2", "o-9"], operator: "in" } }, ["o-2"]],
    ["ORDER", { status: "filled" }, ["o-1"]],
    ["ORDER", { status: { value: ["working", "held"], operator: "in" } }, ["o-0"]],
    ["ORDER", { status: { value: "ED", operator: "contains" } }, ["o-1", "o-2"]],
    ["ORDER", { closeReason: null }, ["o-0"]],
    ["ORDER", { closeReason: { value: [null, "filled"], operator: "in" } }, ["o-0", "o-1"]],
    ["ORDER", { closeReason: { value: "l", operator: "contains" } }, ["o-1", "o-2"]],
    ["ORDER", { side: 1 }, ["o-1"]],
    ["ORDER", { side: "SELL" }, ["o-1"]],
    ["ORDER", { side: { value: ["BUY"], operator: "in" } }, ["o-0", "o-2"]],
    ["ORDER", { side: { value: 0, operator: "gt" } }, ["o-1"]],
    ["ORDER", { price: { value: 0 } }, ["o-1"]],
    ["ORDER", { price: -0 }, ["o-1"]],
    ["ORDER", { price: { value: 0, operator: "gt" } }, ["o-2"]],
    ["ORDER", { price: { value: 0, operator: "gte" } }, ["o-1", "o-2"]],
    ["ORDER", { price: { value: 0, operator: "lt" } }, ["o-0"]],
    ["ORDER", { price: { value: -100, operator: "lte" } }, ["o-0"]],
    ["ORDER", { price: { value: [-100, 250], operator: "in" } }, ["o-0", "o-2"]],
    ["ORDER", { averagePrice: { value: 100, operator: "lt" } }, ["o-1", "o-2"]],
    ["ORDER", { averagePrice: { value: -1, operator: "gt" } }, ["o-1", "o-2"]],
    ["ORDER", { averagePrice: null }, ["o-0"]],
    ["ORDER", { createdAt: "2030-01-01T02:00:00+01:00" }, ["o-1"]],
    ["ORDER", { createdAt: { value: "2030-01-01T01:00:00Z", operator: "gt" } }, ["o-2"]],
    ["ORDER", { createdAt: { value: "2030-01-01T02:00:00+01:00", operator: "gte" } }, ["o-1", "o-2"]],
    ["ORDER", { createdAt: { value: "2030-01-01T00:30:00.5-00:30", operator: "lt" } }, ["o-0", "o-1"]],
    ["ORDER", { createdAt: { value: TIMES[1], operator: "lte" } }, ["o-0", "o-1"]],
    ["ORDER", { createdAt: { value: [TIMES[0], "2030-01-01T03:00:00+01:00"], operator: "in" } }, ["o-0", "o-2"]],
    ["ORDER", { createdAt: "2030-01-01T01:00Z" }, ["o-1"]],
    ["ORDER", { createdAt: "2030-01-01T01:00" }, ["o-1"]],
    ["ORDER", { createdAt: "2030-01-01 01:00:00" }, ["o-1"]],
    ["ORDER", { createdAt: "2030-01-01" }, ["o-0", "o-1", "o-2"]],
    ["ORDER", { createdAt: "yesterday" }, ["o-0", "o-1", "o-2"]],
    ["ORDER", { createdAt: "Today" }, []],
    ["ORDER", { createdAt: "January 2030" }, ["o-0", "o-1", "o-2"]],
    ["ORDER", { createdAt: "2030" }, ["o-0", "o-1", "o-2"]],
    ["ORDER", { createdAt: { value: "2029-12", operator: "gt" } }, ["o-0", "o-1", "o-2"]],
    ["ORDER", { createdAt: { value: "2030-01", operator: "gt" } }, []],
    ["ORDER", { createdAt: { value: "2030-01-01", operator: "lte" } }, ["o-0", "o-1", "o-2"]],
    ["ORDER", { createdAt: { value: "2030-01-01", operator: "lt" } }, []],
    ["ORDER", { createdAt: { value: "2029-12", operator: "lte" } }, []],
    ["ORDER", { createdAt: { value: ["2029", "2030-01-01T01:00Z", TIMES[2]], operator: "in" } }, ["o-1", "o-2"]],
    ["MARKET", { open: null }, ["m-0"]],
    ["MARKET", { open: { value: TIMES[0], operator: "gte" } }, ["m-1", "m-2"]],
    ["MARKET", { open: { value: [null, TIMES[2]], operator: "in" } }, ["m-0", "m-2"]],
    ["MARKET", { halted: true }, ["m-1"]],
    ["MARKET", { halted: { value: [true, false], operator: "in" } }, ["m-0", "m-1", "m-2"]],
    ["MARKET", { nodes: ["hub", "node"] }, ["m-0"]],
    ["MARKET", { nodes: [] }, ["m-2"]],
    ["MARKET", { nodes: { value: "hub", operator: "contains" } }, ["m-0", "m-1"]],
    ["MARKET", { nodes: { value: "hu", operator: "contains" } }, []],
    ["MARKET", { nodes: { value: [[], ["node", "hub"]], operator: "in" } }, ["m-1", "m-2"]],
    ["ORDER", {}, ["o-0", "o-1", "o-2"]],
    ["ORDER", { side: 0, price: { value: 0, operator: "gt" }, status: "cancelled" }, ["o-2"]],
  ];
  for (const [type, filters, expected] of cases) {
    test(`${type} ${JSON.stringify(filters)}`, () => expect(matches(type, filters)).toEqual(expected));
  }
});

test.each<[filter: unknown, sentences: string[]]>([
  [{ value: "2030-01-01", operator: "gt" }, [
    'createdAt gt "2030-01-01" begins after the whole of it, at 2030-01-02T00:00:00.000Z; gte begins with it.',
  ]],
  [{ value: "2030-01", operator: "lte" }, [
    'createdAt lte "2030-01" includes the whole of it, up to 2030-02-01T00:00:00.000Z; lt ends before it.',
  ]],
  [{ value: "2030-01-01", operator: "gte" }, []],
  [{ value: "2030-01-01", operator: "lt" }, []],
  [{ value: "2030-01-01T00:00Z", operator: "gt" }, []],
  ["2030-01-01", []],
])("the bound %j of a time is explained if it could be taken for the first instant of its day", (filter, sentences) => {
  const filters = { createdAt: filter, price: { value: 1, operator: "gt" } };
  expect(boundSentences("ORDER", filters, CONTEXT)).toEqual(sentences);
});

function dates(count: number): string[] {
  return Array.from({ length: count }, (_, at) => String(1900 + at));
}

describe("an invalid filter is refused with the name of the property", () => {
  const cases: [type: ModuleType, filters: Record<string, unknown>, hint: string][] = [
    ["ORDER", { productCode: 5 }, "a string"],
    ["ORDER", { productCode: null }, "a string"],
    ["ORDER", { productCode: ["BASE"] }, "a string"],
    ["ORDER", { productCode: { value: "B", operator: "gt" } }, "eq, contains, in"],
    ["ORDER", { productCode: { value: "B", operator: "like" } }, "eq, contains, in"],
    ["ORDER", { productCode: { value: "B", operator: "constructor" } }, "eq, contains, in"],
    ["ORDER", { productCode: { value: "B", operator: "in" } }, "an array"],
    ["ORDER", { productCode: { value: [], operator: "in" } }, "1 to 1000"],
    ["ORDER", { productCode: { value: Array(1001).fill("B"), operator: "in" } }, "1 to 1000"],
    ["ORDER", { productCode: { value: ["B", null], operator: "in" } }, "a string"],
    ["ORDER", { productCode: { value: 5, operator: "contains" } }, "a string"],
    ["ORDER", { productCode: { operator: "eq" } }, "operator"],
    ["ORDER", { productCode: { value: "B", operator: "eq", not: true } }, "operator"],
    ["ORDER", { productCode: {} }, "operator"],
    ["ORDER", { status: "open" }, "working, partial, filled, cancelled, held"],
    ["ORDER", { status: { value: ["working", "open"], operator: "in" } }, "working, partial, filled, cancelled, held"],
    ["ORDER", { side: "buy" }, "BUY, SELL, 0, 1"],
    ["ORDER", { side: 2 }, "BUY, SELL, 0, 1"],
    ["ORDER", { side: { value: ["BUY", "B"], operator: "in" } }, "BUY, SELL, 0, 1"],
    ["ORDER", { price: "5" }, "cents/MWh"],
    ["ORDER", { price: { value: null, operator: "gt" } }, "a number"],
    ["ORDER", { price: { value: NaN, operator: "lt" } }, "a number"],
    ["ORDER", { price: { value: "5", operator: "contains" } }, "eq, gt, lt, gte, lte, in"],
    ["ORDER", { averagePrice: { value: null, operator: "gte" } }, "a number"],
    ["ORDER", { createdAt: "last week" }, "today or tomorrow"],
    ["ORDER", { createdAt: "2030-02-30" }, "a month such as 2030-01"],
    ["ORDER", { createdAt: "December" }, "Did you mean 2030-12?"],
    ["ORDER", { createdAt: { value: "jan", operator: "gt" } }, "Did you mean 2030-01?"],
    ["ORDER", { createdAt: null }, "2030-01-31T08:00Z"],
    ["ORDER", { createdAt: { value: 5, operator: "gt" } }, "2030-01-31T08:00Z"],
    ["ORDER", { createdAt: { value: ["2030-01-01", "x"], operator: "in" } }, "2030-01-31T08:00Z"],
    ["ORDER", { createdAt: { value: dates(101), operator: "in" } }, "at most 100 dates"],
    ["ORDER", { createdAt: { value: "2030", operator: "contains" } }, "eq, gt, lt, gte, lte, in"],
    ["MARKET", { halted: "true" }, "true or false"],
    ["MARKET", { halted: { value: true, operator: "gt" } }, "eq, in"],
    ["MARKET", { nodes: "hub" }, "an array of strings"],
    ["MARKET", { nodes: [1] }, "an array of strings"],
    ["MARKET", { nodes: { value: ["hub"], operator: "contains" } }, "a string"],
    ["MARKET", { nodes: { value: ["hub"], operator: "in" } }, "an array of strings"],
    ["MARKET", { nodes: { value: ["hub"], operator: "lt" } }, "eq, contains, in"],
    ["ENGINE", { bids: [] }, "id, contractId"],
    ["PRODUCT", { contractSpecification: { value: 1 } }, "id, marketId"],
    ["ORDER", { colour: "red" }, "id, clientOrderId"],
    ["ORDER", { constructor: "x" }, "id, clientOrderId"],
    ["ORDER", JSON.parse('{"__proto__": "x"}'), "id, clientOrderId"],
  ];
  for (const [type, filters, hint] of cases) {
    test(`${type} ${JSON.stringify(filters).slice(0, 80)}`, () => {
      const error = refusal(type, filters);
      expect(error.code).toBe("invalid_filter");
      expect(error.message).toContain(JSON.stringify(Object.keys(filters)[0]));
      expect(error.hint).toContain(hint);
    });
  }
});

test("every pair of filterable property and operator either works or is refused, in every module type", () => {
  const value = { string: "x", number: 1, boolean: true, time: TIMES[0], array: ["x"], object: {} };
  for (const type of MODULE_TYPES) {
    for (const [name, property] of propertiesOf(type)) {
      for (const operator of FILTER_OPERATORS) {
        const plain = operator === "contains" ? "x" : property.values?.[0] ?? value[property.type];
        const filters = { [name]: { value: operator === "in" ? [plain] : plain, operator } };
        if (operatorsFor(property).includes(operator)) compileFilters(type, filters, CONTEXT);
        else expect(refusal(type, filters).code).toBe("invalid_filter");
      }
    }
  }
});

test("equality on an indexed property uses the index of the snapshot", () => {
  expect(compileFilters("ORDER", { status: "working", entityId: "north" }, CONTEXT))
    .toEqual({ equals: { status: "working", entityId: "north" } });
});

test("a list of values, and the dates among them, may be as long as is allowed and no longer", () => {
  const numbers = (count: number) => ({
    price: { value: Array.from({ length: count }, (_, at) => at), operator: "in" },
  });
  const day = (at: number) => new Date(Date.UTC(2030, 0, 1 + at)).toISOString().slice(0, 10);
  const dates = (count: number) => ({
    createdAt: { value: Array.from({ length: count }, (_, at) => day(at)), operator: "in" },
  });
  for (const passing of [numbers(1), numbers(1000), dates(100)]) compileFilters("ORDER", passing, CONTEXT);
  expect(refusal("ORDER", numbers(0)).message).toContain("needs an array");
  expect(refusal("ORDER", numbers(1001)).message).toContain("needs an array");
  expect(refusal("ORDER", dates(101)).message).toContain("too many dates");
});
