// Ends the connections whose token is taken out of the token file while they are open.
//
// Limit: a connection outlives its token by at most TOKEN_CHECK_MS, and what the machine's load adds. A new hello, and a
// request over HTTP, see a changed file at once.

import type { TokenStore } from "../../../common/http/token-store.ts";
import type { Connection } from "./connection.ts";

export const TOKEN_CHECK_MS = 1000;

/** What it returns ends the watch. */
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
