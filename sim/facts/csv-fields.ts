// The fields of a CSV column, read from their bytes into a typed array.

/**
 * time: ISO text, read as milliseconds since the epoch; number: NaN if the field is empty; name: text of few different values.
 */
export type ColumnKind = "time" | "number" | "name";

export interface NameColumn {
  /** Of each row, an index into `names`. */
  readonly codes: Int32Array;
  /** In the order of their first rows. */
  readonly names: readonly string[];
}

export interface ColumnReader {
  add(bytes: Uint8Array, from: number, to: number): void;
  result(): NameColumn | Float64Array;
  /** The rows so far; names keep their codes. */
  forget(): void;
}

const [MINUS, POINT, ZERO, NINE] = [45, 46, 48, 57];

export function readerOf(kind: ColumnKind): ColumnReader {
  if (kind === "name") return new NameReader();
  return new NumberReader(kind === "time" ? timeParser() : parsedNumber);
}

class NumberReader implements ColumnReader {
  #values = new Float64Array(1024);
  #length = 0;

  constructor(private readonly parse: (bytes: Uint8Array, from: number, to: number) => number) {}

  add(bytes: Uint8Array, from: number, to: number): void {
    if (this.#length === this.#values.length) this.#values = longer(this.#values, Float64Array);
    this.#values[this.#length++] = this.parse(bytes, from, to);
  }

  result(): Float64Array {
    return this.#values.subarray(0, this.#length);
  }

  forget(): void {
    this.#length = 0;
  }
}

class NameReader implements ColumnReader {
  readonly #names: string[] = [];
  readonly #codes = new Map<string, number>();
  /** The code of each hash; names whose hashes are equal share an entry, which is checked by its bytes. */
  readonly #byHash = new Map<number, { readonly code: number; readonly bytes: Uint8Array }>();
  #rows = new Int32Array(1024);
  #length = 0;

  add(bytes: Uint8Array, from: number, to: number): void {
    if (this.#length === this.#rows.length) this.#rows = longer(this.#rows, Int32Array);
    this.#rows[this.#length++] = this.#codeOf(bytes, from, to);
  }

  result(): NameColumn {
    return { codes: this.#rows.subarray(0, this.#length), names: this.#names };
  }

  forget(): void {
    this.#length = 0;
  }

  #codeOf(bytes: Uint8Array, from: number, to: number): number {
    let hash = 0x811c9dc5;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
    const known = this.#byHash.get(hash);
    if (known !== undefined && areEqual(known.bytes, bytes, from, to)) return known.code;
    const name = new TextDecoder().decode(bytes.subarray(from, to));
    let code = this.#codes.get(name);
    if (code === undefined) {
      code = this.#names.push(name) - 1;
      this.#codes.set(name, code);
    }
    this.#byHash.set(hash, { code, bytes: bytes.slice(from, to) });
    return code;
  }
}

function areEqual(known: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (known.length !== to - from) return false;
  for (let at = from; at < to; at++) if (known[at - from] !== bytes[at]) return false;
  return true;
}

function longer<Values extends Float64Array | Int32Array>(
  values: Values,
  type: new (length: number) => Values,
): Values {
  const copy = new type(values.length * 2);
  copy.set(values);
  return copy;
}

/** An empty field is NaN. */
function parsedNumber(bytes: Uint8Array, from: number, to: number): number {
  if (from === to) return NaN;
  let [whole, scale, isFraction] = [0, 1, false];
  for (let at = bytes[from] === MINUS ? from + 1 : from; at < to; at++) {
    const digit = bytes[at]!;
    if (digit >= ZERO && digit <= NINE) {
      whole = whole * 10 + digit - ZERO;
      if (isFraction) scale *= 10;
    } else if (digit === POINT && !isFraction) isFraction = true;
    else return Number(textOf(bytes, from, to));
  }
  return (bytes[from] === MINUS ? -whole : whole) / scale;
}

/** Times of the form 2026-03-02T06:00:00.000Z are read by their digits, with the day's start remembered; others by Date. */
function timeParser(): (bytes: Uint8Array, from: number, to: number) => number {
  let [day, dayStart] = [-1, 0];
  const number = (bytes: Uint8Array, at: number, digits: number) => {
    let value = 0;
    for (let place = at; place < at + digits; place++) value = value * 10 + bytes[place]! - ZERO;
    return value;
  };
  return (bytes, from, to) => {
    if (to - from !== 24) return Date.parse(textOf(bytes, from, to));
    const date = (number(bytes, from, 4) * 100 + number(bytes, from + 5, 2)) * 100 + number(bytes, from + 8, 2);
    if (date !== day) {
      day = date;
      dayStart = Date.parse(textOf(bytes, from, from + 10));
    }
    const minutes = number(bytes, from + 11, 2) * 60 + number(bytes, from + 14, 2);
    return dayStart + (minutes * 60 + number(bytes, from + 17, 2)) * 1000 + number(bytes, from + 20, 3);
  };
}

function textOf(bytes: Uint8Array, from: number, to: number): string {
  return new TextDecoder().decode(bytes.subarray(from, to));
}
