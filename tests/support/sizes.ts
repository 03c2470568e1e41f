// Sizes that are too long for every run: `bun run test:long` takes them, every other run a named smaller one.

export const LONG = process.env["MKT_TEST_LONG"] === "1";

/** `long` under test:long, else `short`. */
export function size(short: number, long: number): number {
  return LONG ? long : short;
}
