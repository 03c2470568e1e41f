// A small seeded generator of random numbers: xorshift with a state of 32 bits (Marsaglia, "Xorshift RNGs", 2003). It
// is good enough to vary orders, and for nothing more.

export interface Random {
  /** A number from 0 to below 1. */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number;
}

const WARM_UP_STEPS = 8;

export function seededRandom(seed: number): Random {
  // The state must not be 0, and seeds that are close should not begin alike.
  let state = (seed ^ 0x5bd1e995) | 0 || 1;
  const step = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  for (let count = 0; count < WARM_UP_STEPS; count++) step();
  const next = () => step() / 2 ** 32;
  return { next, integer: (low, high) => low + Math.floor(next() * (high - low + 1)) };
}
