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
