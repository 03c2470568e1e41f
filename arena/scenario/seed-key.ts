// Seeds that only an organiser knows: the seed of number 7 follows from a secret. With a known seed anybody could search an
// episode's future. The secret's SHA-256 is published before, and the secret after, so that the episodes can be played again.

import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileErrorReason } from "../../common/file-error.ts";

export interface SeedKey {
  /** SHA-256 of the secret, in hexadecimal digits. */
  readonly digest: string;
  /** From 0 to 4,294,967,295. `number`: what the seed is called. */
  readonly seedOf: (number: number) => number;
}

/** So that nobody finds it by trying. */
const LEAST_BYTES = 16;

/** Throws an Error of one line if the file can't be read, or is too short for a secret. */
export function readSeedKey(path: string): SeedKey {
  let secret: Buffer;
  try {
    secret = readFileSync(path);
  } catch (error) {
    throw new Error(`${path}: ${fileErrorReason(error)}`, { cause: error });
  }
  if (secret.length < LEAST_BYTES) throw new Error(`${path}: a secret needs at least ${LEAST_BYTES} bytes`);
  return {
    digest: createHash("sha256").update(secret).digest("hex"),
    seedOf: (number) => createHmac("sha256", secret).update(`mkt arena seed ${number}`).digest().readUInt32BE(0),
  };
}
