// What the writer writes is what JSON.stringify writes, with characters above one byte escaped.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { codePoint } from "../../support/code-point.ts";
import { size } from "../../support/sizes.ts";
import { exactOf, roundedNumber } from "../../../engine/market/exact-integer.ts";
import { jsonOf, TextWriter } from "../../../engine/text/text-writer.ts";

const integers = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.constantFrom(0, 9, 10, 99, 100, 2 ** 31 - 1, 2 ** 31, 999_999_999, 1e9, 1e15 - 1, 1e15, Number.MAX_SAFE_INTEGER),
);
const writer = new TextWriter();

function written(write: (writer: TextWriter) => void): string {
  write(writer);
  return writer.take();
}

test("a text of any characters is a JSON text of characters of one byte, which reads as the same", () => {
  fc.assert(fc.property(fc.string({ unit: codePoint, maxLength: 40 }), (text) => {
    const json = jsonOf(text);
    expect(/^[\0-\xff]*$/.test(json)).toBe(true);
    expect(JSON.parse(json)).toBe(text);
    expect(written((each) => each.quoted(text))).toBe(json);
    if (/^[\0-\xff]*$/.test(text)) expect(json).toBe(JSON.stringify(text));
  }));
});

test("numbers are written as JSON.stringify writes them", () => {
  fc.assert(fc.property(fc.oneof(integers, fc.double({ noNaN: true, noDefaultInfinity: true })), (value) => {
    expect(written((each) => each.number(value))).toBe(JSON.stringify(value));
  }));
});

test("what JSON escapes, and numbers of eleven digits, are written as they must be", () => {
  const texts = ['"', "\\", 'a"b\\c', "\n\0", "\x7f\x80\xff", "\u0100\u0fff\u1000"];
  const escaped = ['"\\""', '"\\\\"', '"a\\"b\\\\c"', '"\\n\\u0000"', '"\x7f\x80\xff"', '"\\u0100\\u0fff\\u1000"'];
  expect(texts.map((text) => written((each) => each.quoted(text)))).toEqual(escaped);
  for (const value of [2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1]) {
    expect(written((each) => each.number(value))).toBe(String(value));
  }
});

test("a decimal is written as the number that it is", () => {
  fc.assert(fc.property(integers, fc.integer({ min: 0, max: 6 }), (units, decimals) => {
    expect(written((each) => each.decimal(units, decimals))).toBe(JSON.stringify(units / 10 ** decimals));
  }));
});

test("a rounded fraction is written as its rounded number", () => {
  const exact = fc.oneof(integers, fc.bigInt({ min: 2n ** 60n, max: 2n ** 90n }));
  const denominators = fc.oneof(fc.constantFrom(1, 3, 1000, 60_000, 6_000_000), fc.integer({ min: 1 }));
  fc.assert(fc.property(exact, denominators, fc.integer({ min: 0, max: 6 }), (numerator, denominator, decimals) => {
    const expected = JSON.stringify(roundedNumber(numerator, denominator, decimals));
    expect(written((each) => each.rounded(numerator, denominator, decimals))).toBe(expected);
  }));
});

test("a rounded sum is written as its rounded number", () => {
  const denominators = fc.oneof(fc.constantFrom(1, 3, 600, 1000, 60_000, 6_000_000), fc.integer({ min: 1 }));
  const wholes = fc.oneof(integers, fc.constantFrom(1e12, 1e9, 1e11 - 1));
  const parts = fc.record({ whole: wholes, numerator: integers, denominator: denominators });
  /** Exactly between two decimals. */
  const ties = fc.record({
    whole: fc.constantFrom(0, 1, 1e12),
    numerator: fc.integer(),
    denominator: fc.constant(2e4),
  });
  fc.assert(
    fc.property(
      fc.oneof(parts, ties),
      fc.integer({ min: 0, max: 6 }),
      ({ whole, numerator, denominator }, decimals) => {
        const sum = exactOf(BigInt(whole) * BigInt(denominator) + BigInt(numerator));
        const expected = JSON.stringify(roundedNumber(sum, denominator, decimals));
        expect(written((each) => each.roundedSum(whole, numerator, denominator, decimals))).toBe(expected);
      },
    ),
    { numRuns: size(250, 200_000) },
  );
});

test("texts longer than the writer's memory are whole, and each text begins anew", () => {
  const long = "0123456789".repeat(3_000);
  expect(written((each) => [1, 2, 3].forEach(() => each.text(long)))).toBe(long.repeat(3));
  expect(written((each) => each.quoted(long))).toBe(`"${long}"`);
  writer.text("before,");
  const start = writer.length;
  writer.text("after");
  expect(writer.from(start)).toBe("after");
  expect(writer.take()).toBe("before,after");
  expect(written((each) => each.number(5))).toBe("5");
});

test("whatever ends at the end of the writer's memory, or begins there, is whole", () => {
  const parts: [write: (writer: TextWriter) => void, text: string][] = [
    [(each) => each.text("ab"), "ab"],
    [(each) => each.bytes(Uint8Array.of(65, 66)), "AB"],
    [(each) => each.copy(0, 2), "xx"],
    [(each) => each.quoted("ab"), '"ab"'],
    [(each) => each.number(12_345), "12345"],
    [(each) => each.decimal(-15, 1), "-1.5"],
  ];
  for (let room = 0; room <= 6; room += 1) {
    for (const [write, text] of parts) {
      const each = new TextWriter();
      const before = "x".repeat(4_096 - room);
      each.text(before);
      write(each);
      expect(each.take().slice(before.length)).toBe(text);
    }
  }
});

test("a part of the text is given again, or written again, also beyond the memory", () => {
  const long = "0123456789".repeat(3_000);
  const text = written((each) => {
    each.text(`<${long}>`);
    each.copy(1, 1 + long.length);
    expect(each.between(0, 3)).toBe("<01");
    each.bytes(Uint8Array.of(65, 255));
    each.copy(0, 0);
    each.copy(each.length - 1, each.length);
  });
  expect(text).toBe(`<${long}>${long}A\xff\xff`);
});
