// What holds for the words of every failure: whole sentences, in the words of the tools and not those of the protocol, of the
// schemas or of the runtime, and nothing said twice.

import { expect } from "bun:test";

type Value = Readonly<Record<string, unknown>>;

/** A capital, a digit, a quotation, or a name: of a tool or a variable, or with a capital or a colon in it. */
const BEGINS = /^(["“\p{Lu}\d]|mkt[_ ]|\w*[_\p{Lu}.]|[^\s:]+: )/u;
const ENDS = /[.!?]$/;

const PROTOCOL =
  /\b(operationId|validUntil|statePath|requestId|payload)\b|\b(order|credit|market|engine)\.[a-z][A-Za-z]+\b/;
const SCHEMA = /Invalid (input|option|string|key|element)|Too (big|small):|expected \w+, received|Unrecognized key/;
export const RUNTIME =
  /Is the computer able|verbose: ?true|closed unexpectedly|Does the server speak|The operation (timed out|was aborted)|getaddrinfo|fetch\(\)|socket hang up|\b(errno|TypeError|OPENSSL)|Failed to connect|Connection (ended|closed)\b/;

/** `known`: names that may begin a sentence, such as those of parameters. */
export function expectPlainFailure(value: Value, known: readonly string[] = []): void {
  const { message, hint } = value["error"] as Value;
  const texts = [message, hint, ...(value["message"] === undefined ? [] : [value["message"]])].map(String);
  for (const text of texts) {
    const first = text.split(/[\s:,]/)[0] ?? "";
    expect({ text, begins: BEGINS.test(text) || known.includes(first), ends: ENDS.test(text) })
      .toEqual({ text, begins: true, ends: true });
    // What the caller gave is quoted.
    const own = text.replaceAll(/"(\\.|[^"\\])*"/g, '""');
    for (const words of [PROTOCOL, SCHEMA, RUNTIME]) expect(own).not.toMatch(words);
  }
  expect(new Set(texts).size).toBe(texts.length);
}
