/**
 * Identifies the content of a request, action and payload, by its length and a 64-bit hash. The order of keys does not
 * count. `bounds` do not count either: they belong to the process that sends the request, and may differ in a repeat.
 */
export function fingerprintOf(action: string, payload: unknown): string {
  const content = isPlainObject(payload) && "bounds" in payload ? { ...payload, bounds: undefined } : payload;
  const text = JSON.stringify([action, content], (_, value: unknown) => isPlainObject(value) ? sorted(value) : value);
  let first = 0x811c9dc5;
  let second = 0x9e3779b1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second ^ (second >>> 15) ^ code, 0x85ebca6b);
  }
  return `${text.length}:${first >>> 0}:${second >>> 0}`;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sorted(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1));
}
