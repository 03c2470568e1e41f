import { describe, expect, test } from "bun:test";
import { INTEGER_BYTES, PackedBytes, putInteger, unsigned } from "../../../engine/operations/packed-bytes.ts";
import { UUID_BYTES } from "../../../engine/operations/packed-uuid.ts";

const UUID = "01234567-89ab-cdef-0123-456789abcdef";
/** Also texts that are nearly a UUID: another digit, case, length or place of a dash, and wide characters of its digits. */
const TEXTS = [
  "",
  "a",
  "order-1",
  "\u00ff\u0080\0",
  "wide \u0100",
  "\u{1f600}",
  "\ud800",
  "x".repeat(70),
  "\u4e00".repeat(70),
  UUID,
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  UUID.toUpperCase(),
  UUID.replace("f", "g"),
  UUID.replace("0", "/"),
  UUID.replace("9", ":"),
  UUID.replace("a", "\u0161"),
  `${UUID}0`,
  UUID.slice(1),
  ...[8, 13, 18, 23].map((at) => `${UUID.slice(0, at)}0${UUID.slice(at + 1)}`),
  UUID.replaceAll("-", ""),
];
const INTEGERS = [
  0,
  1,
  127,
  128,
  16_383,
  16_384,
  2 ** 28 - 1,
  2 ** 28,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 49,
  2 ** 53 - 1,
];

describe("packed bytes", () => {
  test("give every integer back, in at most eight bytes, and small ones in one", () => {
    const bytes = new PackedBytes();
    for (const integer of INTEGERS) bytes.integer(integer);
    const reader = bytes.readerAt(0);
    expect(INTEGERS.map(() => reader.integer())).toEqual(INTEGERS);
    const lengths = INTEGERS.map((integer) => putInteger(new Uint8Array(INTEGER_BYTES), 0, integer));
    expect([lengths[2], lengths[3], lengths.at(-1)]).toEqual([1, 2, INTEGER_BYTES]);
    expect(lengths).toEqual(lengths.toSorted());
  });

  test("give integers of either sign back, and those near 0 take one byte", () => {
    const signed = [0, 1, -1, 63, -64, 50_000, -50_000, 2 ** 52 - 1, -(2 ** 52)];
    const bytes = new PackedBytes();
    for (const integer of signed) bytes.integer(unsigned(integer));
    const reader = bytes.readerAt(0);
    expect(signed.map(() => reader.signedInteger())).toEqual(signed);
    expect([63, -64, 64].map((integer) => putInteger(new Uint8Array(8), 0, unsigned(integer)))).toEqual([1, 1, 2]);
  });

  test("give every text back, one after the other, or skip it", () => {
    const bytes = new PackedBytes();
    for (const text of TEXTS) {
      bytes.text(text);
      bytes.byte(7);
    }
    const reader = bytes.readerAt(0);
    expect(TEXTS.map(() => [reader.text(), reader.byte()])).toEqual(TEXTS.map((text) => [text, 7]));
    const skipping = bytes.readerAt(0);
    for (const text of TEXTS) {
      skipping.skipText();
      expect([text, skipping.byte()]).toEqual([text, 7]);
    }
  });

  test("hold at a place the text that was written there, and no other", () => {
    const bytes = new PackedBytes();
    const places = TEXTS.map((text) => {
      const place = bytes.length;
      bytes.text(text);
      return place;
    });
    for (const [at, place] of places.entries()) {
      for (const [other, text] of TEXTS.entries()) {
        expect([at, other, bytes.holdsTextAt(place, text)]).toEqual([at, other, at === other]);
      }
    }
  });

  test("take a UUID in lower case in half its length, and other texts in their length", () => {
    const lengthOf = (text: string) => {
      const bytes = new PackedBytes();
      bytes.text(text);
      return bytes.length;
    };
    expect(lengthOf(UUID)).toBe(1 + UUID_BYTES);
    expect([lengthOf(UUID.toUpperCase()), lengthOf("abc"), lengthOf("ab\u0100")]).toEqual([37, 4, 7]);
  });

  test("append to those they were given, free what is not used, and share a part without copying it", () => {
    const bytes = new PackedBytes(Uint8Array.of(1, 2, 3, 4), 2);
    bytes.append(Uint8Array.of(9, 8, 7));
    expect([...bytes.slice(0)]).toEqual([1, 2, 9, 8, 7]);
    expect([[...bytes.slice(1, 3)], [...bytes.slice(5)]]).toEqual([[2, 9], []]);
    expect(bytes.slice(0).buffer.byteLength).toBeGreaterThan(5);
    bytes.trim();
    expect([bytes.slice(0).buffer.byteLength, bytes.length]).toEqual([5, 5]);
    const record = bytes.begin(3);
    record[5] = 6;
    bytes.endAt(6);
    bytes.byte(5);
    expect([...bytes.slice(0)]).toEqual([1, 2, 9, 8, 7, 6, 5]);
  });
});
