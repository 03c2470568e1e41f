// Compares bearer tokens in a time that does not tell how much of one was right.

import { createHash, timingSafeEqual } from "node:crypto";

/** `expected` null: no token is asked for, and any goes. */
export function tokenFits(expected: string | null, given: string | null | undefined): boolean {
  if (expected === null) return true;
  if (given === null || given === undefined) return false;
  return timingSafeEqual(digest(expected), digest(given));
}

/** The token of an `Authorization: Bearer` header; null where it has another form. */
export function bearerToken(header: string | undefined): string | null {
  return /^Bearer +(\S+)$/i.exec(header ?? "")?.[1] ?? null;
}

function digest(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
