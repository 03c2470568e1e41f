// Which user all replicas of a group should be connected as. Null: none.

import type { Versioned } from "./register.ts";

export type Wish = string | null;

/** Null, too, if nothing was ever wished. */
export function wishOf(known: Versioned | null): Wish {
  if (known === null) return null;
  try {
    const value: unknown = JSON.parse(known.value);
    return typeof value === "string" ? value : null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}

export function wishText(wish: Wish): string {
  return JSON.stringify(wish);
}
