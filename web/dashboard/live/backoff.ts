// How long to wait before the next try to connect.

const FIRST_MS = 500;
const LONGEST_MS = 15_000;

/** Milliseconds before try `attempt`, the first being 1: doubled each time, up to 15 s, less a random part of at most half. */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1));
  return full * (1 - random() / 2);
}
