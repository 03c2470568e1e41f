// JSON texts that are written directly, without an object to stringify.
//
// A text of many parts is joined from an array. A template of as many parts would take longer: it makes an object for every
// two parts, and again copies all of them when someone reads the text.
//
// Finite numbers are written with a template, which gives the text that JSON.stringify gives. Texts that come from outside
// are quoted by JSON.stringify itself; ids that the engine makes and enumerations need no escaping.

/**
 * The same text, in one piece. The runtime keeps a concatenation as its parts until someone reads it; each text that it is a
 * part of then copies all of these parts again, and a text that is kept keeps them all.
 */
export function flat(text: string): string {
  // The compiler would leave out the reading if its result were not used.
  return text.charCodeAt(0) >= 0 ? text : "";
}

/** A part of a text that is joined in the end. A number is written as JSON.stringify writes it. */
export type TextPart = string | number;

/** Adds the properties of an object of texts, numbers and null, each with a comma before it. */
export function addProperties(
  parts: TextPart[],
  object: Readonly<Record<string, string | number | null>>,
): void {
  for (const name in object) {
    const value = object[name]!;
    parts.push(',"', name, '":', typeof value === "number" ? value : JSON.stringify(value));
  }
}
