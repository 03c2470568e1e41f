import type { HashKey } from "../../operations/keyed-hash.ts";

/** A key that nobody outside this process knows: for the hash of the operationIds that users choose. */
export function randomHashKey(): HashKey {
  const [first = 0, second = 0] = crypto.getRandomValues(new Uint32Array(2));
  return [first, second];
}
