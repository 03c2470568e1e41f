// A file of bearer tokens: `name token holder` on each line, for an engine `name token users`. Blank lines and lines that begin
// with # are ignored. A name may have several lines, so that the old and the new token are both valid during a rotation.
// `holder` is `person` or `agent`. Without it the token is an agent's, so that no agent gets a person's rights by a line that
// was written before there were holders. `users` is a comma-separated list of user ids, or * for every user.
//
// Limits: a regular file of at most 1 MiB, tokens of 16 to 4096 characters. Faults name the line, never the token.

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { PLATFORM } from "../environment.ts";

export interface NamedToken {
  readonly name: string;
  readonly token: string;
  /** The users that the token may act as; null: every user. */
  readonly userIds: readonly string[] | null;
  /** Whether a person holds the token, and not an agent. */
  readonly isPerson: boolean;
}

interface TokenFile {
  /** The tokens of the valid lines. */
  readonly tokens: readonly NamedToken[];
  /** One for each invalid line. */
  readonly faults: readonly string[];
  /** What an operator should change; the tokens are valid anyway. */
  readonly warnings: readonly string[];
}

/** What the third field of a line is: who holds the token, or the users that the token may act as. */
export type TokenFileFormat = "names_and_holders" | "names_and_users";

const NAME = /^[A-Za-z0-9._-]{1,64}$/;
/** Printable ASCII, as it goes into an HTTP header. */
export const TOKEN_TEXT = /^[\x21-\x7e]{1,4096}$/;
/** A shorter token can be guessed. */
export const MIN_TOKEN_LENGTH = 16;
export const MAX_FILE_BYTES = 1 << 20;
/** Permission bits of everyone but the owner. */
const OTHERS = 0o077;
const USER_IDS = /^(\*|[^,]{1,200}(,[^,]{1,200})*)$/;

/** Throws if the file can't be read, is not a regular file, or is too large. */
export function readTokenFile(path: string, format: TokenFileFormat = "names_and_holders"): TokenFile {
  const tokens: NamedToken[] = [];
  const faults: string[] = [];
  const { text, mode } = readRegularFile(path);
  for (const [index, line] of text.split("\n").entries()) {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#")) continue;
    const fields = trimmed.split(/\s+/);
    const fault = faultOf(fields, format, tokens);
    if (fault === null) tokens.push(tokenOf(fields, format));
    else faults.push(`line ${index + 1}: ${fault}`);
  }
  if (tokens.length === 0 && faults.length === 0) faults.push("it has no token");
  return { tokens, faults, warnings: modeWarnings(path, mode) };
}

/** Throws like readTokenFile. O_NONBLOCK, because opening a pipe would block without it. */
export function readRegularFile(path: string): { readonly text: string; readonly mode: number } {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw new Error(`${path} is not a regular file`);
    const bytes = new Uint8Array(MAX_FILE_BYTES + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length;) {
      read = readSync(file, bytes, length, bytes.length - length, null);
      length += read;
    }
    if (length > MAX_FILE_BYTES) throw new Error(`${path} is larger than ${MAX_FILE_BYTES} bytes`);
    return { text: new TextDecoder().decode(bytes.subarray(0, length)), mode: stat.mode };
  } finally {
    closeSync(file);
  }
}

/**
 * Whether systemd gave the file to this service alone (LoadCredential=). Its mode may show the mask of an access list as rights
 * of the group.
 */
export function isCredential(path: string): boolean {
  const folder = PLATFORM.CREDENTIALS_DIRECTORY;
  return folder !== undefined && folder !== "" && path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

function modeWarnings(path: string, mode: number): string[] {
  if (process.platform === "win32" || (mode & OTHERS) === 0 || isCredential(path)) return [];
  const octal = (mode & 0o777).toString(8).padStart(4, "0");
  return [`${path} has the mode ${octal}, so others on this machine may read its tokens: chmod 600 ${path}`];
}

function faultOf(fields: readonly string[], format: TokenFileFormat, before: readonly NamedToken[]): string | null {
  const [name = "", token = "", third] = fields;
  if (format === "names_and_users" && fields.length !== 3) return "must be a name, a token and user ids";
  if (format === "names_and_holders" && (fields.length < 2 || fields.length > 3 || !isHolder(third))) {
    return "must be a name and a token, and may end with person or agent";
  }
  if (!NAME.test(name)) return "the name must be 1 to 64 letters, digits, dots, dashes or underscores";
  if (!TOKEN_TEXT.test(token)) return "the token must be printable ASCII";
  if (token.length < MIN_TOKEN_LENGTH) return `the token must have at least ${MIN_TOKEN_LENGTH} characters`;
  if (format === "names_and_users" && !USER_IDS.test(third ?? "")) {
    return "the user ids must be separated by single commas, or * for every user";
  }
  const twin = before.find((other) => other.token === token);
  return twin === undefined ? null : `the token is the same as on the line of ${twin.name}`;
}

function isHolder(word: string | undefined): boolean {
  return word === undefined || word === "person" || word === "agent";
}

function tokenOf([name = "", token = "", third = ""]: readonly string[], format: TokenFileFormat): NamedToken {
  if (format === "names_and_holders") return { name, token, userIds: null, isPerson: third === "person" };
  return { name, token, userIds: third === "*" ? null : third.split(","), isPerson: false };
}
