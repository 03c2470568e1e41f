import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compiledCopy, compiledSelection } from "../../../plugins/toolkit/compiled-copy.ts";
import { sideNameOf } from "../../../plugins/toolkit/sides.ts";

type Data = Record<string, unknown>;

const NAMES = ["id", "side", "aggressorSide", "price", "status", 'odd "name"', "line\nbreak", "sideNameOf", "usual"];
const name = fc.constantFrom(...NAMES);
const fields = fc.uniqueArray(name);
const value = fc.constantFrom<unknown>(0, 1, 2, null, undefined, "", "BUY", "working", false, [1], { a: 1 });
const data: fc.Arbitrary<Data> = fc.dictionary(name, value, { noNullPrototype: true });

const shown = (name: string, value: unknown) => name === "side" || name === "aggressorSide" ? sideNameOf(value) : value;

test("a compiled copy has every field in order, with sides by name", () => {
  fc.assert(fc.property(fields, data, (fields, data) => {
    const copy = compiledCopy(fields)(data);
    const expected = Object.fromEntries(fields.map((name) => [name, shown(name, data[name])]));
    expect(copy).toStrictEqual(expected);
    expect(Object.keys(copy)).toEqual(fields);
  }));
});

describe("a compiled selection", () => {
  const usual = { price: ({ id }: Data) => id, status: () => "working" };

  test("leaves out what is missing, null or usual", () => {
    fc.assert(fc.property(fields, data, (fields, data) => {
      const selected = compiledSelection(fields, usual)(data);
      const kept = fields.filter((name) => {
        const usualValue = name === "price" ? data["id"] : name === "status" ? "working" : undefined;
        return (data[name] ?? null) !== null && data[name] !== usualValue;
      });
      expect(selected).toStrictEqual(Object.fromEntries(kept.map((name) => [name, shown(name, data[name])])));
      expect(Object.keys(selected)).toEqual(kept);
    }));
  });

  test("changes nothing in its source", () => {
    const source = Object.freeze({ id: "o", side: 1 });
    expect(compiledSelection(["id", "side"], {})(source)).toEqual({ id: "o", side: "SELL" });
  });
});
