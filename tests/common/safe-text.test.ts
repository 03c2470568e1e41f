import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { MAX_DEPTH } from "../../protocol/limits.ts";
import {
  MAX_SHOWN_LENGTH,
  safeJson,
  safeJsonLine,
  safeLines,
  safeLinesIn,
  safeText,
  safeValue,
} from "../../common/safe-text.ts";
import { codePoint } from "../support/code-point.ts";

/** Invisible characters, and those that change how the following text is shown. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u;

describe("text from the market", () => {
  test.each([
    ["Borealis Energy GmbH & Co. KG, 5 °C, 日本, ½", "Borealis Energy GmbH & Co. KG, 5 °C, 日本, ½"],
    ["a\nb\r\tc", "a\\nb\\r\\tc"],
    ["bell\u0007 escape\u001b[2J", "bell\\u0007 escape\\u001b[2J"],
    ["delete\u007f next line\u0085", "delete\\u007f next line\\u0085"],
    ["\u202egnp.exe\u2066\u200f", "\\u202egnp.exe\\u2066\\u200f"],
    ["zero\u200bwidth\ufeff joiner\u200d soft\u00ad", "zero\\u200bwidth\\ufeff joiner\\u200d soft\\u00ad"],
    ["tags \u{e0041}, line\u2028paragraph\u2029", "tags \\u{e0041}, line\\u2028paragraph\\u2029"],
    ["selector \ufe0f\u{e0100} filler \u3164", "selector \\ufe0f\\u{e0100} filler \\u3164"],
    ["half \ud83d of a pair", "half \\ud83d of a pair"],
  ])("%j is shown as %j", (text, shown) => {
    expect(safeText(text)).toBe(shown);
  });

  test("is cut if it is too long, with the number of missing characters", () => {
    const text = safeText("x".repeat(MAX_SHOWN_LENGTH + 5));
    expect(text).toBe(`${"x".repeat(MAX_SHOWN_LENGTH)}... (5 more characters)`);
    expect(safeText("x".repeat(MAX_SHOWN_LENGTH))).toHaveLength(MAX_SHOWN_LENGTH);
  });

  test("has no invisible characters afterwards, and a bounded length", () => {
    fc.assert(fc.property(fc.string({ unit: codePoint, maxLength: 3000 }), (text) => {
      const shown = safeText(text);
      expect(shown).not.toMatch(UNSEEN);
      expect(shown.length).toBeLessThan(MAX_SHOWN_LENGTH * 10 + 40);
    }));
  });

  test("in a line of JSON is the same value without invisible characters", () => {
    const value = { text: "a\n\u202e\u{e0041}\ud800 b", "\u200b": 1 };
    const line = safeJsonLine(JSON.stringify(value));
    expect(line).not.toMatch(UNSEEN);
    expect(JSON.parse(line)).toEqual(value);
  });

  test("may have line breaks in a document, and no other invisible characters", () => {
    expect(safeLines("a\tb\n\u202ec\n")).toBe("a\\tb\n\\u202ec\n");
  });

  test("applies to every text in a JSON value, at any length, and leaves everything else as it is", () => {
    const long = "a".repeat(MAX_SHOWN_LENGTH + 1);
    const rest = { "x\u202e": { count: 1, none: null, flag: true } };
    expect(safeLinesIn({ texts: ["a\u202eb\nc", long], ...rest })).toEqual({ texts: ["a\\u202eb\nc", long], ...rest });
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    expect(JSON.stringify(safeLinesIn(cyclic))).toContain("(nested too deep)");
  });
});

describe("a value", () => {
  test("has its texts and property names made safe at any depth, and nothing else changed; a safe one is returned itself", () => {
    const value = { n: 1, f: false, z: null, list: [{ note: "a\nb" }, "c"], "x\u200b": { deep: ["\u0000"] } };
    const safe = { n: 1, f: false, z: null, list: [{ note: "a\\nb" }, "c"], "x\\u200b": { deep: ["\\u0000"] } };
    expect(safeValue(value) as unknown).toEqual(safe);
    expect(value.list[0]).toEqual({ note: "a\nb" });
    expect(safeValue(safe)).toBe(safe);
  });

  test("of the greatest depth is kept, and one that is nested deeper, or contains itself, is cut", () => {
    const nested = (depth: number) => {
      let value: unknown = "end";
      for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { value };
      return value as object;
    };
    expect(safeJson(nested(MAX_DEPTH))).toBe(JSON.stringify(nested(MAX_DEPTH)));
    expect(safeJson(nested(MAX_DEPTH + 1))).toContain("nested too deep");
    expect(safeJson(nested(100_000))).toContain("nested too deep");
    const itself: Record<string, unknown> = {};
    itself["again"] = itself;
    expect(safeJson(itself)).toContain("nested too deep");
  });
});
