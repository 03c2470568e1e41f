// Sizes of tests: `bun run test:long` uses the long ones, every other run the short ones.

export const LONG = process.env["MKT_TEST_LONG"] === "1";

/** `long` in test:long, otherwise `short`. */
export function size<Size>(short: Size, long: Size): Size {
  return LONG ? long : short;
}
