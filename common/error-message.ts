// What a thrown value says, which may be anything.

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The message on one line. */
export function errorLine(error: unknown): string {
  return errorMessage(error).replaceAll(/\s+/g, " ");
}

/** The message with the stack, for a log. */
export function errorStack(error: unknown): string {
  return error instanceof Error ? error.stack ?? error.message : String(error);
}
