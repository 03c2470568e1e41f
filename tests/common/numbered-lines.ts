// The text that tests/common/fixtures/numbered-lines.ts writes.

export const LINES = 200_000;
/** Lines in a piece, of about 14 kB. */
export const PIECE = 2_000;

export function piece(first: number): string {
  return Array.from({ length: PIECE }, (_, index) => `${first + index}\n`).join("");
}
