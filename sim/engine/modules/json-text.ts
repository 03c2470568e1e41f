// JSON texts that are written directly, without an object to stringify.
//
// Finite numbers are written with a template, which gives the text that JSON.stringify gives. Texts that come from outside
// are quoted by JSON.stringify itself; ids that the engine makes and enumerations need no escaping.

const FIRST_BRACE = /^\{/;

/**
 * The same text, in one piece. The runtime keeps a concatenation as its parts until someone reads it; each text that it is a
 * part of then copies all of these parts again, and a text that is kept keeps them all. A test by a regular expression reads
 * it. The compiler leaves out other ways to read it, such as charCodeAt, if their result isn't used.
 */
export function flat(text: string): string {
  FIRST_BRACE.test(text);
  return text;
}

/** The properties of an object of texts, numbers and null, each with a comma before it. */
export function furtherProperties(object: Readonly<Record<string, string | number | null>>): string {
  let text = "";
  for (const name in object) {
    const value = object[name]!;
    text += typeof value === "string" ? `,"${name}":${JSON.stringify(value)}` : `,"${name}":${value}`;
  }
  return text;
}
