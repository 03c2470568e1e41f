// The desired state of a group: which user all its replicas should be connected as. Null: none.

import type { Versioned } from "./register.ts";

export type DesiredUser = string | null;

/** Null, too, if nobody has ever set it. */
export function desiredUserOf(known: Versioned | null): DesiredUser {
  if (known === null) return null;
  try {
    const value: unknown = JSON.parse(known.value);
    return typeof value === "string" ? value : null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}

export function desiredUserText(desired: DesiredUser): string {
  return JSON.stringify(desired);
}
