import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { codePoint } from "../../../support/code-point.ts";
import { size } from "../../../support/sizes.ts";
import { faultOfParsed, faultOfShape } from "../../../../common/http/guards/message-shape.ts";

const LIMITS = { depth: 3, values: 10 };
const TOO_MANY = "has more than 10 values";
const TOO_DEEP = "is nested more than 3 deep";
const BROKEN = "has a text with a lone surrogate";

/** So many arrays within each other. */
const nested = (levels: number): unknown => levels === 0 ? 1 : [nested(levels - 1)];
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const fieldsOf = (count: number) => Object.fromEntries(numbers(count).map((at) => [`field${at}`, at]));

describe("the shape of a message", () => {
  test.each<[string, unknown, string | null]>([
    ["as deep as it may be", nested(3), null],
    ["one level deeper", nested(4), TOO_DEEP],
    ["as deep as it may be, in objects", { a: { b: { c: 1 } } }, null],
    ["one level deeper, in objects", { a: { b: { c: {} } } }, TOO_DEEP],
    ["far deeper than a stack holds", nested(5_000), TOO_DEEP],
    ["with the greatest number of values, itself included", numbers(9), null],
    ["with one value more", numbers(10), TOO_MANY],
    ["with the greatest number of fields", fieldsOf(9), null],
    ["with one field more", fieldsOf(10), TOO_MANY],
    ["with the greatest number of values on two levels", [numbers(4), numbers(3)], null],
    ["with one more on two levels", [numbers(4), numbers(4)], TOO_MANY],
    ["with one more on two levels, in an object", { a: numbers(4), b: numbers(4) }, TOO_MANY],
    [
      "with too many values, the first of them too deep: values are counted first",
      [nested(4), ...numbers(10)],
      TOO_MANY,
    ],
    ["of a number, a boolean and null", [1, true, null], null],
    ["with a surrogate pair", "\u{1F600}", null],
    ["with a lone surrogate", "\uD83D", BROKEN],
    ["with a lone surrogate in a name", { "\uD83D": 1 }, BROKEN],
    ["with a lone surrogate deep inside", { a: ["\uDE00"] }, BROKEN],
  ])("%s", (_what, message, fault) => {
    expect(faultOfShape(message, LIMITS)).toBe(fault);
    expect(faultOfParsed(message, JSON.stringify(message), LIMITS)).toBe(fault);
  });

  test("has a lone surrogate that stands in the text without an escape", () => {
    expect(faultOfParsed("\uD83D", '"\uD83D"', LIMITS)).toBe(BROKEN);
  });

  test("is the same if the message's text is known", () => {
    const text = fc.oneof(fc.string({ unit: codePoint }), fc.constantFrom("\uD83D", "\uDE00", "\\u", "é", "\u{1F600}"));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom(1, true, null),
        text,
        fc.array(tie("value"), { maxLength: 12 }),
        fc.dictionary(text, tie("value"), { maxKeys: 5 }),
      ),
    }));
    const property = fc.property(value, fc.boolean(), (value, isPart) => {
      const json = JSON.stringify(value);
      const frame = isPart ? `["another message",${json}]` : json;
      expect(faultOfParsed(JSON.parse(json), frame, LIMITS)).toBe(faultOfShape(JSON.parse(json), LIMITS));
    });
    fc.assert(property, { numRuns: size(250, 100_000) });
  });
});
