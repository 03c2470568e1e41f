// JSON that comes from elsewhere.

/** The value of JSON text; undefined, which no JSON text gives, where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Whether objects and arrays stand in each other more than `depth` deep. What passes can be walked and written by
 * recursion; JSON.parse itself takes any depth.
 */
export function isDeeperThan(depth: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth === 0) return true;
  for (const item of Object.values(value)) {
    if (isDeeperThan(depth - 1, item)) return true;
  }
  return false;
}
