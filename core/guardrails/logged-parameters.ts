// The arguments of resources, prompts and routes as the call log keeps them: ids, and of every other text only its
// length, since it could hold a secret.

import { MAX_ID_LENGTH } from "../../protocol/limits.ts";

const ID = /^[A-Za-z0-9][A-Za-z0-9_.:-]*$/;

export function loggedParameters(given: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      value.length <= MAX_ID_LENGTH && ID.test(value) ? value : `(text, ${value.length} characters)`,
    ]),
  );
}
