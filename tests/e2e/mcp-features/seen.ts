// What a probe has seen. A probe that sees something else than it expects throws, and the message goes into the table.

/** Throws if it is not so. */
export function expectSeen(isSo: boolean, expected: string, seen?: unknown): void {
  if (isSo) return;
  throw new Error(`${expected} expected${seen === undefined ? "" : `, seen ${JSON.stringify(seen).slice(0, 300)}`}`);
}

/** The message of the error with which it must fail. */
export async function refusalOf(attempt: Promise<unknown>): Promise<string> {
  let value: unknown;
  try {
    value = await attempt;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error(`a refusal expected, seen ${JSON.stringify(value)?.slice(0, 300)}`);
}
