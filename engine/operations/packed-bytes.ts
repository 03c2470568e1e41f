// Integers and texts in as few bytes as their sizes allow. An integer takes a byte for each 7 bits. A UUID takes 16 bytes. Any
// other text takes a byte for each character if all are below U+0100, and otherwise two, so any text is restored exactly,
// also one with half of a surrogate pair. Before a text comes its kind, with its length.

import { isUuidAt, readUuid, UUID_BYTES, writeUuid } from "./packed-uuid.ts";

const { MAX_SAFE_INTEGER } = Number;
const SMALLEST = 64;
const LOW_BITS = 28;
const LOW_UNITS = 2 ** LOW_BITS;
/** The kind of a UUID. Other texts have twice their length, plus 1 if they have wide characters, which an empty one has not. */
const UUID = 1;

/** Of an integer, at most. */
export const INTEGER_BYTES = 8;

/** Writes an integer from 0 to 2^53 - 1, and returns where it ends. */
export function putInteger(bytes: Uint8Array, start: number, value: number): number {
  let end = start;
  let rest = value | 0;
  if (rest !== value) {
    // The 28 lower bits, so that what is left is an integer of 32 bits.
    const high = Math.floor(value / LOW_UNITS);
    const low = value - high * LOW_UNITS;
    for (let shift = 0; shift < LOW_BITS; shift += 7) bytes[end++] = low >>> shift & 0x7f | 0x80;
    rest = high;
  }
  while (rest >= 0x80) {
    bytes[end++] = rest & 0x7f | 0x80;
    rest >>>= 7;
  }
  bytes[end++] = rest;
  return end;
}

/** An integer from -2^52 to 2^52 - 1 as one of at least 0: those of small magnitude remain small. */
export function unsigned(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

export class PackedBytes {
  #bytes: Uint8Array;
  #length: number;

  /** Appends to the first `length` of `bytes`; takes the array over. */
  constructor(bytes: Uint8Array = new Uint8Array(0), length = bytes.length) {
    this.#bytes = bytes;
    this.#length = length;
  }

  get length(): number {
    return this.#length;
  }

  /** A view of the bytes from `start` to before `end`. */
  slice(start: number, end = this.#length): Uint8Array {
    return this.#bytes.subarray(start, end);
  }

  /** Frees the memory that nothing was written to. */
  trim(): void {
    if (this.#bytes.length > this.#length) this.#bytes = this.#bytes.slice(0, this.#length);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** From 0 to 2^53 - 1. */
  integer(value: number): void {
    this.#reserve(INTEGER_BYTES);
    this.#length = putInteger(this.#bytes, this.#length, value);
  }

  /** Bytes to which the caller writes at most `count` from `length` on, with putInteger. Then it calls `endAt`. */
  begin(count: number): Uint8Array {
    this.#reserve(count);
    return this.#bytes;
  }

  endAt(length: number): void {
    this.#length = length;
  }

  text(text: string): void {
    const { length } = text;
    this.#reserve(1 + UUID_BYTES);
    if (writeUuid(text, this.#bytes, this.#length + 1)) {
      this.#bytes[this.#length] = UUID;
      this.#length += 1 + UUID_BYTES;
      return;
    }
    const start = this.#length;
    this.integer(2 * length);
    this.#reserve(2 * length);
    const bytes = this.#bytes;
    let end = this.#length;
    let seen = 0;
    for (let at = 0; at < length; at++) {
      const code = text.charCodeAt(at);
      bytes[end++] = code;
      seen |= code;
    }
    this.#length = end;
    if (seen > 0xff) this.#wideTextAt(start, text);
  }

  /** Whether the text at a place is `text`. */
  holdsTextAt(place: number, text: string): boolean {
    return this.readerAt(place).isText(text);
  }

  readerAt(place: number): PackedReader {
    READER.begin(this.#bytes, place);
    return READER;
  }

  #wideTextAt(start: number, text: string): void {
    this.#length = start;
    this.integer(2 * text.length + 1);
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      this.#bytes[this.#length++] = code;
      this.#bytes[this.#length++] = code >>> 8;
    }
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(SMALLEST, needed, 2 * this.#bytes.length));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Reads values in the order in which they were written. */
export class PackedReader {
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;

  begin(bytes: Uint8Array, place: number): void {
    this.#bytes = bytes;
    this.#at = place;
  }

  byte(): number {
    return this.#bytes[this.#at++] ?? 0;
  }

  integer(): number {
    let value = 0;
    for (let unit = 1; unit <= MAX_SAFE_INTEGER; unit *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) break;
    }
    return value;
  }

  signedInteger(): number {
    const value = this.integer();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  text(): string {
    const kind = this.integer();
    if (kind === UUID) {
      this.#at += UUID_BYTES;
      return readUuid(this.#bytes, this.#at - UUID_BYTES);
    }
    const isWide = kind % 2 === 1;
    const start = this.#at;
    this.#at += Math.floor(kind / 2) * (isWide ? 2 : 1);
    return isWide
      ? Buffer.prototype.ucs2Slice.call(this.#bytes, start, this.#at)
      : Buffer.prototype.latin1Slice.call(this.#bytes, start, this.#at);
  }

  skipText(): void {
    const kind = this.integer();
    this.#at += kind === UUID ? UUID_BYTES : Math.floor(kind / 2) * (kind % 2 === 1 ? 2 : 1);
  }

  /** Whether the next text is `text`. What comes after it can't be read then. */
  isText(text: string): boolean {
    const kind = this.integer();
    if (kind === UUID) return isUuidAt(text, this.#bytes, this.#at);
    if (Math.floor(kind / 2) !== text.length) return false;
    const isWide = kind % 2 === 1;
    for (let at = 0; at < text.length; at++) {
      if (this.#character(isWide) !== text.charCodeAt(at)) return false;
    }
    return true;
  }

  #character(isWide: boolean): number {
    return isWide ? this.byte() + this.byte() * 0x100 : this.byte();
  }
}

/** One for all, since values are read at once. */
const READER = new PackedReader();
