// MCP_BEARER_TOKEN_FILE: one `name token` a line; blank lines and lines that begin with # are passed over. A name may
// stand on several lines, with one token each, so that a token can be changed without a moment when neither holds.
//
// Faults name the line and never the token.

import { readFileSync } from "node:fs";

export interface NamedToken {
  readonly name: string;
  readonly token: string;
}

export interface TokenFile {
  /** Those of the lines that are right. */
  readonly tokens: readonly NamedToken[];
  /** What is wrong, line by line. */
  readonly faults: readonly string[];
}

const NAME = /^[A-Za-z0-9._-]{1,64}$/;
/** Printable ASCII, as it goes into an HTTP header. */
const TOKEN = /^[\x21-\x7e]{1,4096}$/;

/** Throws where the file can't be read. */
export function readTokenFile(path: string): TokenFile {
  const tokens: NamedToken[] = [];
  const faults: string[] = [];
  for (const [index, line] of readFileSync(path, "utf8").split("\n").entries()) {
    const text = line.trim();
    if (text === "" || text.startsWith("#")) continue;
    const [name = "", token = "", ...rest] = text.split(/\s+/);
    const fault = faultOf(name, token, rest, tokens);
    if (fault === null) tokens.push({ name, token });
    else faults.push(`line ${index + 1}: ${fault}`);
  }
  if (tokens.length === 0 && faults.length === 0) faults.push("it holds no token");
  return { tokens, faults };
}

function faultOf(name: string, token: string, rest: readonly string[], before: readonly NamedToken[]): string | null {
  if (token === "" || rest.length > 0) return "must be a name and a token";
  if (!NAME.test(name)) return "the name must be 1 to 64 letters, digits, dots, dashes or underscores";
  if (!TOKEN.test(token)) return "the token must be printable ASCII";
  const twin = before.find((other) => other.token === token);
  return twin === undefined ? null : `the token is that of another line, named ${twin.name}`;
}
