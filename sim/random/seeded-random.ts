// Random numbers from a seed. The same seed gives the same numbers on every machine and in every run.
//
// The generator is xoshiro128** 1.1 (Blackman & Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47,
// 2021): 128 bits of state, period 2^128 - 1, 32 bits a step, a few nanoseconds. The seed is spread over the state with
// the finalizer of MurmurHash3 (Appleby), so similar seeds give unrelated streams. Not for secrets.
//
// `normal` and `exponential` use Math.log, whose last bit may differ between platforms.

const TO_UNIT = 2 ** -32;
const TWO_32 = 2 ** 32;
/** 2^32 over the golden ratio: the increment between the inputs of the state's words. */
const GOLDEN_STEP = 0x9e3779b9;

type State = readonly [number, number, number, number];

export class SeededRandom {
  readonly #seed: number;
  #word0: number;
  #word1: number;
  #word2: number;
  #word3: number;
  /** The second normal of a pair; NaN if there is none. */
  #spareNormal = NaN;

  /** Throws RangeError if `seed` is not a safe integer. */
  constructor(seed: number) {
    if (!Number.isSafeInteger(seed)) throw new RangeError(`a seed must be a safe integer, not ${seed}`);
    this.#seed = seed;
    const high = Math.floor(seed / TWO_32);
    const base = mixed((seed | 0) ^ mixed(high + GOLDEN_STEP));
    this.#word0 = mixed(base + GOLDEN_STEP);
    this.#word1 = mixed(base + 2 * GOLDEN_STEP);
    this.#word2 = mixed(base + 3 * GOLDEN_STEP);
    // The four words can't all be zero: the finalizer is one to one, and its arguments differ.
    this.#word3 = mixed(base + 4 * GOLDEN_STEP);
  }

  /** A generator with a given state of the published algorithm: four 32-bit words, not all zero. */
  static fromState([word0, word1, word2, word3]: State): SeededRandom {
    const random = new SeededRandom(0);
    random.#word0 = word0 | 0;
    random.#word1 = word1 | 0;
    random.#word2 = word2 | 0;
    random.#word3 = word3 | 0;
    return random;
  }

  /** 32 random bits, as a number from 0 to 2^32 - 1. */
  word(): number {
    const word1 = this.#word1;
    const scrambled = Math.imul(word1, 5);
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9);
    const word2 = this.#word2 ^ this.#word0;
    const word3 = this.#word3 ^ word1;
    this.#word1 = word1 ^ word2;
    this.#word0 ^= word3;
    this.#word2 = word2 ^ (word1 << 9);
    this.#word3 = (word3 << 11) | (word3 >>> 21);
    return result >>> 0;
  }

  /** Uniform in [0, 1), in steps of 2^-32. */
  next(): number {
    return this.word() * TO_UNIT;
  }

  /** A whole number from `low` to `high`, inclusive; `high - low` must be below 2^53. */
  integer(low: number, high: number): number {
    const count = high - low + 1;
    if (count <= TWO_32) return low + Math.floor(this.next() * count);
    const fine = (this.word() * 2 ** 21 + (this.word() >>> 11)) * 2 ** -53;
    return low + Math.floor(fine * count);
  }

  /** Standard normal, by Marsaglia's polar method (1964), which makes them in pairs. */
  normal(): number {
    const spare = this.#spareNormal;
    if (spare === spare) {
      this.#spareNormal = NaN;
      return spare;
    }
    for (;;) {
      const x = this.next() * 2 - 1;
      const y = this.next() * 2 - 1;
      const square = x * x + y * y;
      if (square >= 1 || square === 0) continue;
      const scale = Math.sqrt(-2 * Math.log(square) / square);
      this.#spareNormal = y * scale;
      return x * scale;
    }
  }

  /** Exponential with mean 1. */
  exponential(): number {
    return -Math.log(1 - this.next());
  }

  /**
   * A separate stream by name. It depends on the seed and the name alone, not on numbers drawn so far, so a part that
   * draws more numbers doesn't change the others.
   */
  fork(name: string): SeededRandom {
    let hash = mixed((this.#seed | 0) ^ mixed(Math.floor(this.#seed / TWO_32) + name.length));
    for (let at = 0; at < name.length; at++) hash = mixed(hash ^ Math.imul(name.charCodeAt(at) + 1, GOLDEN_STEP));
    return new SeededRandom(mixed(hash ^ GOLDEN_STEP) * 2 ** 21 + (hash >>> 11));
  }
}

/** The 32-bit finalizer of MurmurHash3: one to one, and every input bit affects every output bit. */
function mixed(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
