// Bearer authentication for the routes that come after it.

import { createMiddleware } from "hono/factory";
import type { TokenRing } from "./token-ring.ts";

/** What the checks before a handler find out about a request. */
export interface Caller {
  /** The name of its token; null if none is needed. */
  readonly caller: string | null;
}

/** Answers 401 with `WWW-Authenticate: Bearer` and a JSON body if the token is missing or wrong. */
export function bearerAuth(tokens: TokenRing) {
  return createMiddleware<{ Variables: Caller }>(async function bearerAuth(context, next) {
    const holder = tokens.identify(bearerToken(context.req.header("Authorization")));
    if (holder === null) {
      context.header("WWW-Authenticate", "Bearer");
      return context.json({
        error: {
          code: "unauthorized",
          message: "A bearer token is required: send Authorization: Bearer <MCP_BEARER_TOKEN>.",
        },
      }, 401);
    }
    context.set("caller", holder.name);
    await next();
  });
}

/** The token of an `Authorization: Bearer` header; null if it has another form. */
export function bearerToken(header: string | undefined): string | null {
  return /^Bearer +(\S+)$/i.exec(header ?? "")?.[1] ?? null;
}
