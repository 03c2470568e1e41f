// Reads lists and texts that a browser has kept, in which anything may stand.

/** Ids and names in a market file are shorter. */
const MAX_TEXT = 200;

/** Null unless it is a text of 1 to 200 characters. */
export function keptText(value: unknown): string | null {
  return typeof value === "string" && value !== "" && value.length <= MAX_TEXT ? value : null;
}

/** Each item that `read` understands, the first `most` of them. */
export function keptList<Item>(value: unknown, most: number, read: (item: unknown) => Item | null): Item[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, most).flatMap((item) => read(item) ?? []);
}

/** Each text once. */
export function keptTexts(value: unknown, most: number): string[] {
  return [...new Set(keptList(value, most, keptText))];
}
