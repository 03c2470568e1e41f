// The JSON text of a value, and the same text inside a JSON string: the result of a tool call holds both.

export interface JsonText {
  readonly text: string;
  /** `text` inside a JSON string, without the quotation marks around it. */
  readonly quoted: string;
}

export function jsonText(text: string): JsonText {
  return { text, quoted: JSON.stringify(text).slice(1, -1) };
}
