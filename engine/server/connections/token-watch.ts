// Ends open connections whose token has been removed from the token file.
//
// Limit: a connection outlives its token by TOKEN_CHECK_MS, plus delays of a loaded machine. A new hello and an HTTP request
// see a changed file at once.

import type { TokenStore } from "../../../common/http/token-store.ts";
import type { Connection } from "./connection.ts";

export const TOKEN_CHECK_MS = 1000;

/** The returned function ends the watch. */
export function watchTokens(tokens: TokenStore, connections: { readonly all: readonly Connection[] }): () => void {
  if (!tokens.canChange) return () => {};
  let seen = tokens.changes();
  const timer = setInterval(() => {
    const changes = tokens.changes();
    if (changes === seen) return;
    seen = changes;
    for (const connection of connections.all) connection.checkToken();
  }, TOKEN_CHECK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
