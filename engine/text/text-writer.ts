// Writes JSON texts of many parts, one text after the other, as bytes. A part costs some 12 ns, however long the text before
// it is, and the whole text is made once. A concatenation or a joined array of as many parts takes two to four times as long.
//
// Every character is one byte (latin1). `jsonOf` writes others as \uXXXX, which JSON readers take for the same.
//
// Numbers are written as JSON.stringify writes them. Invariant: a decimal of at most 15 digits prints as it was written, so
// its digits are written without making a number of them.

import * as runtime from "bun:jsc";
import { type ExactInteger, exactOf, roundedNumber, roundedUnits } from "../market/exact-integer.ts";

/**
 * The runtime has these functions of Node's Buffer, and its types leave them out. `write` and `toString` take three times as
 * long.
 */
interface Latin1Buffer extends Buffer {
  latin1Write(text: string, offset: number): number;
  latin1Slice(start: number, end: number): string;
}

const FIRST_SIZE = 4096;
/** No number is longer. */
const LONGEST_NUMBER = 32;
const LEAST_OF_16_DIGITS = 1e15;
const INT32_LIMIT = 2 ** 31;
const POWERS_OF_TEN = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000];

const [ZERO, POINT, MINUS, QUOTATION_MARK, BACKSLASH, SPACE, DELETE] = [48, 46, 45, 34, 92, 32, 127] as const;

/** The JSON text of a value, in characters of one byte. */
export function jsonOf(value: unknown): string {
  const text = JSON.stringify(value);
  return /[^\0-\xff]/.test(text) ? text.replace(/[^\0-\xff]/g, escaped) : text;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

export class TextWriter {
  #bytes = newBuffer(FIRST_SIZE);
  #length = 0;

  /** Characters of the current text so far. */
  get length(): number {
    return this.#length;
  }

  /** The current text. Begins the next one. */
  take(): string {
    const text = this.#bytes.latin1Slice(0, this.#length);
    this.#length = 0;
    return text;
  }

  /** A part of the current text. */
  between(start: number, end: number): string {
    return this.#bytes.latin1Slice(start, end);
  }

  /** The current text from a place on. */
  from(start: number): string {
    return this.#bytes.latin1Slice(start, this.#length);
  }

  /** Adds a text of characters of one byte, as it is. */
  text(text: string): void {
    if (this.#length + text.length > this.#bytes.length) this.#grow(text.length);
    this.#length += this.#bytes.latin1Write(text, this.#length);
  }

  /** Adds characters that are given as bytes. */
  bytes(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#bytes.length) this.#grow(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Adds a part of the current text again. */
  copy(start: number, end: number): void {
    if (this.#length + end - start > this.#bytes.length) this.#grow(end - start);
    this.#bytes.copyWithin(this.#length, start, end);
    this.#length += end - start;
  }

  /** Adds a text as a JSON string. */
  quoted(text: string): void {
    if (this.#length + text.length + 2 > this.#bytes.length) this.#grow(text.length + 2);
    const bytes = this.#bytes;
    let end = this.#length;
    bytes[end++] = QUOTATION_MARK;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code < SPACE || code >= DELETE || code === QUOTATION_MARK || code === BACKSLASH) {
        return this.text(jsonOf(text));
      }
      bytes[end++] = code;
    }
    bytes[end++] = QUOTATION_MARK;
    this.#length = end;
  }

  /** Adds a finite number. */
  number(value: number): void {
    if (Number.isSafeInteger(value) && value >= 0) this.#whole(value);
    else this.text(String(value));
  }

  /** Adds units / 10^decimals. `units`: an integer; `decimals`: 0 to 6. */
  decimal(units: number, decimals: number): void {
    const magnitude = Math.abs(units);
    if (magnitude >= LEAST_OF_16_DIGITS) return this.number(units / POWERS_OF_TEN[decimals]!);
    if (units < 0) this.#byte(MINUS);
    const power = POWERS_OF_TEN[decimals]!;
    const whole = Math.floor(magnitude / power);
    this.#whole(whole);
    const fraction = magnitude - whole * power;
    if (fraction > 0) this.#fraction(fraction, decimals);
  }

  /** Adds numerator / denominator (above 0), rounded to `decimals` places, half away from zero. */
  rounded(numerator: ExactInteger, denominator: ExactInteger, decimals: number): void {
    const units = roundedUnits(numerator, denominator, decimals);
    if (typeof units === "number") this.decimal(units, decimals);
    else this.number(roundedNumber(numerator, denominator, decimals));
  }

  /**
   * Adds whole + numerator / denominator, rounded to `decimals` places, half away from zero. All are safe integers, and
   * `denominator` is above 0. A sum far above 2^53 / denominator takes no bigint.
   */
  roundedSum(whole: number, numerator: number, denominator: number, decimals: number): void {
    const power = POWERS_OF_TEN[decimals]!;
    const floor = Math.floor(numerator / denominator);
    let integer = whole + floor;
    if (integer < 0 || !Number.isSafeInteger(integer) || 4 * denominator * power > Number.MAX_SAFE_INTEGER) {
      const sum = BigInt(whole) * BigInt(denominator) + BigInt(numerator);
      return this.rounded(exactOf(sum), denominator, decimals);
    }
    const remainder = numerator - floor * denominator;
    let fraction = Math.floor((2 * remainder * power + denominator) / (2 * denominator));
    if (fraction === power) [integer, fraction] = [integer + 1, 0];
    if (integer * power < LEAST_OF_16_DIGITS - power) {
      this.#whole(integer);
      if (fraction > 0) this.#fraction(fraction, decimals);
    } else this.number(Number(`${integer}.${String(fraction).padStart(decimals, "0")}`));
  }

  /** `value`: a safe integer, at least 0. */
  #whole(value: number): void {
    if (value < INT32_LIMIT) return this.#digits(value);
    const high = Math.floor(value / 1_000_000_000);
    this.#digits(high);
    this.#padded(value - high * 1_000_000_000, 9);
  }

  /** `value`: an integer from 0 to 2^31 - 1. */
  #digits(value: number): void {
    let count = 1;
    for (let least = 10; value >= least; least *= 10) count += 1;
    this.#padded(value, count);
  }

  /** Without the zeros at the end. */
  #fraction(value: number, decimals: number): void {
    let [digits, count] = [value, decimals];
    while (digits % 10 === 0) {
      digits /= 10;
      count -= 1;
    }
    this.#byte(POINT);
    this.#padded(digits, count);
  }

  /** Adds the last `count` digits of an integer from 0 to 2^31 - 1. */
  #padded(value: number, count: number): void {
    if (this.#length + LONGEST_NUMBER > this.#bytes.length) this.#grow(LONGEST_NUMBER);
    const bytes = this.#bytes;
    let rest = value | 0;
    for (let at = this.#length + count - 1; at >= this.#length; at--) {
      const quotient = (rest / 10) | 0;
      bytes[at] = ZERO + rest - quotient * 10;
      rest = quotient;
    }
    this.#length += count;
  }

  #byte(byte: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.#length++] = byte;
  }

  #grow(more: number): void {
    const larger = newBuffer(2 * (this.#bytes.length + more));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

// A text calls these methods some twenty times. If the compiler copies them to each of these places, an engine spends 40 %
// more on compilation in its first 35,000 orders, and writes no faster. The types leave `noInline` out.
const { noInline } = runtime as { readonly noInline?: (method: unknown) => void };
const { text, quoted, number, decimal, rounded } = TextWriter.prototype;
for (const method of [text, quoted, number, decimal, rounded]) noInline?.(method);

function newBuffer(size: number): Latin1Buffer {
  return Buffer.alloc(size) as Latin1Buffer;
}
