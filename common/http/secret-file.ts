// A file with one token and nothing else, as systemd's credentials and the secrets of containers are. One line break at the end
// is allowed. A fault is the rest of a sentence that begins with the name of the variable; it never shows the token.
//
// Loads no library, because the configuration is read before anything else.

import { fileErrorReason } from "../file-error.ts";
import { readRegularFile, TOKEN_TEXT } from "./token-file.ts";

/** Printable ASCII, as it goes into an HTTP header. */

type SecretFile = { readonly token: string } | { readonly fault: string };

/** The token in the file at `path`, which must be a regular file. */
function readSecretFile(path: string): SecretFile {
  try {
    const token = readRegularFile(path).text.replace(/\r?\n$/, "");
    return TOKEN_TEXT.test(token) ? { token } : { fault: `${path} must have one line: a token of printable ASCII` };
  } catch (error) {
    const reason = fileErrorReason(error);
    return { fault: `can't be read: ${reason.includes(path) ? reason : `${path}: ${reason}`}` };
  }
}

/** A token that is given by one variable or, as a file, by another one. `token` is null if neither is set. */
export function tokenOrFile(
  token: string | undefined,
  path: string | undefined,
  variable: string,
): { readonly token: string | null } | { readonly fault: string } {
  if (!path) return { token: token || null };
  return token ? { fault: `can't be set together with ${variable}` } : readSecretFile(path);
}
