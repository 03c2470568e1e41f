// A file of bearer tokens: one `name token` a line, for an engine `name token users`; blank lines and lines that begin
// with # are passed over. A name may be on several lines, with one token each, so that a token can be changed without a
// moment when neither holds. `users` is a list of user ids, separated by commas, or * for every user.
//
// Faults name the line and never the token.

import { readFileSync } from "node:fs";

export interface NamedToken {
  readonly name: string;
  readonly token: string;
  /** The users it may act as; null: every user. */
  readonly userIds: readonly string[] | null;
}

export interface TokenFile {
  /** Those of the lines that are right. */
  readonly tokens: readonly NamedToken[];
  /** What is wrong, line by line. */
  readonly faults: readonly string[];
}

/** Whether lines name the users that a token may act as. */
export type TokenFileFormat = "names" | "names_and_users";

const NAME = /^[A-Za-z0-9._-]{1,64}$/;
/** Printable ASCII, as it goes into an HTTP header. */
const TOKEN = /^[\x21-\x7e]{1,4096}$/;
const USER_IDS = /^(\*|[^,]{1,200}(,[^,]{1,200})*)$/;

/** Throws if the file can't be read. */
export function readTokenFile(path: string, format: TokenFileFormat = "names"): TokenFile {
  const tokens: NamedToken[] = [];
  const faults: string[] = [];
  for (const [index, line] of readFileSync(path, "utf8").split("\n").entries()) {
    const text = line.trim();
    if (text === "" || text.startsWith("#")) continue;
    const fields = text.split(/\s+/);
    const fault = faultOf(fields, format, tokens);
    if (fault === null) tokens.push(tokenOf(fields));
    else faults.push(`line ${index + 1}: ${fault}`);
  }
  if (tokens.length === 0 && faults.length === 0) faults.push("it holds no token");
  return { tokens, faults };
}

function faultOf(fields: readonly string[], format: TokenFileFormat, before: readonly NamedToken[]): string | null {
  if (format === "names" && fields.length !== 2) return "must be a name and a token";
  if (format === "names_and_users" && fields.length !== 3) return "must be a name, a token and user ids";
  const [name = "", token = "", users = "*"] = fields;
  if (!NAME.test(name)) return "the name must be 1 to 64 letters, digits, dots, dashes or underscores";
  if (!TOKEN.test(token)) return "the token must be printable ASCII";
  if (!USER_IDS.test(users)) return "the user ids must be separated by single commas, or * for every user";
  const twin = before.find((other) => other.token === token);
  return twin === undefined ? null : `the token is that of another line, named ${twin.name}`;
}

function tokenOf([name = "", token = "", users = "*"]: readonly string[]): NamedToken {
  return { name, token, userIds: users === "*" ? null : users.split(",") };
}
