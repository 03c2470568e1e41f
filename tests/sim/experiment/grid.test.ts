import { describe, expect, test } from "bun:test";
import {
  axisFromText,
  type Grid,
  gridFrom,
  settingText,
  variantKey,
  variantsOf,
  variantText,
} from "../../../sim/experiment/grid.ts";

function grid(json: Record<string, unknown[]>): Grid {
  const read = gridFrom(json);
  if (!read.ok) throw new Error(read.faults.join("; "));
  return read.grid;
}

const keysOf = (json: Record<string, unknown[]>) => variantsOf(grid(json)).map(variantKey);

describe("a grid", () => {
  test("has a variant for each combination, the first setting slowest", () => {
    expect(keysOf({ "trading.halfSpread": [0.01, 0.02], "personas[0].count": [4, 2] })).toEqual([
      "trading.halfSpread=0.01,personas.0.count=4",
      "trading.halfSpread=0.01,personas.0.count=2",
      "trading.halfSpread=0.02,personas.0.count=4",
      "trading.halfSpread=0.02,personas.0.count=2",
    ]);
  });

  test("without settings has one variant, the experiment as it is", () => {
    expect(keysOf({})).toEqual([""]);
  });

  test("reads both forms of a path as one", () => {
    for (const path of ["personas[0].parameters.margin", "personas.0.parameters.margin"]) {
      expect(grid({ [path]: [1] })).toMatchObject([{ path: "personas[0].parameters.margin" }]);
    }
  });

  test.each([
    ["a path that is none", { "trading..x": [1] }, '"trading..x" is not a path'],
    ["a hidden property", { "trading.__proto__": [1] }, "is not a path"],
    ["a field that can't be varied", { name: ["a"] }, "give one of preset, start"],
    ["a mistyped field", { tradin: [1] }, "did you mean trading?"],
    ["no values", { hours: [] }, "hours: needs 1 to 1000 values"],
    ["a value twice", { hours: [1, 2, 1.0] }, "hours: names 1 twice"],
    ["two lengths", { hours: [1], steps: [5] }, "hours and steps: one contains the other or excludes it"],
    ["a setting in another", { personas: [[]], "personas[0].count": [1] }, "personas and personas[0].count: one"],
    ["a path in both forms", { "events.0.size": [1], "events[0].size": [2] }, "events[0].size and events[0].size: one"],
    ["too many combinations", {
      hours: Array.from({ length: 101 }, (_, at) => at),
      "trading.halfSpread": Array.from({ length: 100 }, (_, at) => at),
    }, "gives 10100 combinations; at most 10000"],
  ])("is refused with %s", (_, json, fault) => {
    const faults = [expect.stringContaining(fault)];
    expect(gridFrom(json as Record<string, unknown[]>)).toEqual({ ok: false, faults });
  });

  test("has at most 1,000 values of a setting", () => {
    const values = (length: number) => ({ hours: Array.from({ length }, (_, at) => at + 1) });
    expect(gridFrom(values(1000)).ok).toBe(true);
    expect(gridFrom(values(1001))).toEqual({ ok: false, faults: ["hours: needs 1 to 1000 values"] });
  });

  test("names every fault at once", () => {
    expect(gridFrom({ nme: [1], hours: [], "a b": [2] })).toMatchObject({ ok: false, faults: { length: 3 } });
  });
});

describe("the key of a variant", () => {
  test("fits into the name of a file, and differs if the variant does", () => {
    const values = [
      "2026-07-01T00:00:00-05:00",
      "2026-07-01T00:00:00+05:00",
      "a/b",
      "a\\b",
      "a b",
      "x".repeat(300),
      "",
    ];
    const lists = [[{ strategy: "zic", count: 1 }], [{ strategy: "zic", count: 2 }]];
    const keys = [...keysOf({ start: values }), ...keysOf({ personas: lists })];
    expect(new Set(keys).size).toBe(keys.length);
    for (const key of keys) expect(key).toMatch(/^[\w.,=~+-]{1,200}$/);
    expect(keys[0]).toMatch(/^start=2026-07-01T00-00-00-05-00~[0-9a-f]{10}$/);
  });

  test("stays short for many settings", () => {
    const many = Object.fromEntries(Array.from({ length: 19 }, (_, at) => [`trading.setting${at}`, [0.123456]]));
    const [one = "", other = ""] = [1, 2].flatMap((last) => keysOf({ ...many, "trading.last": [last] }));
    expect(one.length).toBe(180 + "~".length + 10);
    expect(one).not.toBe(other);
    for (let count = 1; count < 19; count++) {
      const [key = ""] = keysOf(Object.fromEntries(Object.entries(many).slice(0, count)));
      expect(key.length).toBeLessThan(192);
    }
  });
});

describe("a setting on the command line", () => {
  test.each([
    ["hours=1,2.5", [1, 2.5]],
    ["hours=1", [1]],
    ["preset=calm,stress", ["calm", "stress"]],
    ["preset= calm , stress ", ["calm", "stress"]],
    ['personas.0.entityId="5",x,5', ["5", "x", 5]],
    ["trading.paces=null,{}", [null, {}]],
    ['personas=[{"strategy":"zic","count":1}],[]', [[{ strategy: "zic", count: 1 }], []]],
    ["start=2026-07-01T00:00:00-05:00", ["2026-07-01T00:00:00-05:00"]],
  ])("%s has its values", (text, values) => {
    expect(axisFromText(text)).toEqual({ path: text.slice(0, text.indexOf("=")), values });
  });

  test.each(["hours", "=1", "a b=1"])("is not '%s'", (text) => {
    expect(axisFromText(text)).toBeNull();
  });

  test("is printed as it is read", () => {
    for (const value of [1, "calm", "5", "a,b", "null", " x", { mean: [1, "2"] }, [], true, ""]) {
      const [[setting] = []] = variantsOf(grid({ "events[0].node": [value] }));
      expect(axisFromText(settingText(setting!))).toEqual({ path: "events.0.node", values: [value] });
    }
  });

  test("has brackets in texts for people", () => {
    const [variant = []] = variantsOf(grid({ "personas.0.count": [4], hours: [2] }));
    expect(variantText(variant)).toBe("personas[0].count=4, hours=2");
  });
});
