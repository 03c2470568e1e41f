// The kill switch of all replicas of a namespace: a register whose value is a freeze, or null after a thaw.
//
// A value that can't be read counts as frozen, so the kill switch fails safe.

import type { Freeze } from "../../core/tools/freeze.ts";
import type { Register } from "./register.ts";

/** Null if changes are allowed, as far as is known. */
export function freezeOf({ known, key }: Pick<Register, "known" | "key">): Freeze | null {
  if (known === null) return null;
  try {
    const value = JSON.parse(known.value) as Partial<Freeze> | null;
    if (value === null) return null;
    if (typeof value === "object") return { reason: textOr(value.reason), since: textOr(value.since) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { reason: `${key} on Redis can't be read, which counts as frozen`, since: null };
}

/** The value that freezes. */
export function freezeText(reason: string, now: number): string {
  return JSON.stringify({ reason: reason.trim() || null, since: new Date(now).toISOString() } satisfies Freeze);
}

/** The value that thaws. */
export const THAWED = "null";

function textOr(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
