// A hash of texts and numbers in the manner of HalfSipHash-1-3 (Aumasson, Bernstein): fast in 32-bit arithmetic, and whoever
// doesn't know the key can't choose inputs with equal hashes.
//
// Invariant: two different sequences of `text` and `number` calls of the same types feed the hash differently, since each
// text is preceded by its length.
//
// Cost: some 4 ns for each two characters of a text; no allocation.

/** Two 32-bit words. */
export type HashKey = readonly [number, number];

const DOUBLE = new Float64Array(1);
const WORDS = new Uint32Array(DOUBLE.buffer);

export class KeyedHash {
  #a = 0;
  #b = 0;
  #c = 0;
  #d = 0;

  /** The last text of `of`, and its hash. */
  #last: string | null = null;
  #hash = 0;

  constructor(readonly key: HashKey) {}

  /** The hash of one text, from 0 to 2^32 - 1. Asked again for the same text, it costs nothing. */
  of(text: string): number {
    if (text === this.#last) return this.#hash;
    this.begin();
    this.text(text);
    this.#last = text;
    return this.#hash = this.end();
  }

  begin(): void {
    const [first, second] = this.key;
    this.#a = first | 0;
    this.#b = second ^ 0xee;
    this.#c = first ^ 0x6c796765;
    this.#d = second ^ 0x74656462;
  }

  text(text: string): void {
    const { length } = text;
    this.word(length);
    let at = 0;
    for (; at + 1 < length; at += 2) this.word(text.charCodeAt(at) | text.charCodeAt(at + 1) << 16);
    if (at < length) this.word(text.charCodeAt(at));
  }

  number(value: number): void {
    // Adding 0 turns -0 into 0.
    DOUBLE[0] = value + 0;
    this.word(WORDS[0] ?? 0);
    this.word(WORDS[1] ?? 0);
  }

  /** Feeds 32 bits. */
  word(word: number): void {
    this.#d ^= word;
    this.#mix();
    this.#a ^= word;
  }

  /** The first 32 bits of the hash, from 0 to 2^32 - 1. Ends the input. */
  end(): number {
    this.#c ^= 0xee;
    this.#mix();
    this.#mix();
    this.#mix();
    return (this.#b ^ this.#d) >>> 0;
  }

  /** The next 32 bits, after `end`. */
  more(): number {
    this.#b ^= 0xdd;
    this.#mix();
    this.#mix();
    this.#mix();
    return (this.#b ^ this.#d) >>> 0;
  }

  #mix(): void {
    let a = this.#a;
    let b = this.#b;
    let c = this.#c;
    let d = this.#d;
    a = (a + b) | 0;
    b = (b << 5 | b >>> 27) ^ a;
    a = a << 16 | a >>> 16;
    c = (c + d) | 0;
    d = (d << 8 | d >>> 24) ^ c;
    a = (a + d) | 0;
    d = (d << 7 | d >>> 25) ^ a;
    c = (c + b) | 0;
    b = (b << 13 | b >>> 19) ^ c;
    this.#a = a;
    this.#b = b;
    this.#c = c << 16 | c >>> 16;
    this.#d = d;
  }
}
