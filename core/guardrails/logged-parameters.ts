// The texts that a client sends for parameters of resources, prompts, completions and routes, as the call log keeps them: ids,
// and of every other text only its length, since it could hold a secret.

import { MAX_ID_LENGTH } from "../../protocol/limits.ts";

const ID = /^[A-Za-z0-9][A-Za-z0-9_.:-]*$/;

/** `isId` tells which parameters are ids or choices by their declaration; all if absent. */
export function loggedParameters(
  given: Readonly<Record<string, string>>,
  isId: (name: string) => boolean = () => true,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      isId(name) && value.length <= MAX_ID_LENGTH && ID.test(value) ? value : `(text, ${value.length} characters)`,
    ]),
  );
}
