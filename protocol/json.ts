// JSON that comes from elsewhere.

/** The value of JSON text; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether objects and arrays are nested in each other more than `depth` deep. If not, recursion can walk the value. */
export function isDeeperThan(depth: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (isDeeperThan(depth - 1, item)) return true;
    return false;
  }
  // JSON.parse makes no inherited properties, and Object.values would make an array.
  for (const name in value) {
    if (isDeeperThan(depth - 1, (value as Readonly<Record<string, unknown>>)[name])) return true;
  }
  return false;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
