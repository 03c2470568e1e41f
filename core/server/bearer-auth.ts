// Bearer authentication for everything but /health.

import { createMiddleware } from "hono/factory";
import type { TokenRing } from "./token-ring.ts";

/** What the checks before a handler find out about a request. */
export interface Caller {
  /** The name of its token; null where none is needed. */
  readonly caller: string | null;
}

/** Answers 401 with `WWW-Authenticate: Bearer` and a JSON body where the token is missing or wrong. */
export function bearerAuth(tokens: TokenRing) {
  return createMiddleware<{ Variables: Caller }>(async function bearerAuth(context, next) {
    const caller = tokens.isNeeded ? tokens.nameOf(tokenOf(context.req.header("Authorization"))) : null;
    if (tokens.isNeeded && caller === null) {
      context.header("WWW-Authenticate", "Bearer");
      return context.json({
        error: {
          code: "unauthorized",
          message: "A bearer token is required: send Authorization: Bearer <MCP_BEARER_TOKEN>.",
        },
      }, 401);
    }
    context.set("caller", caller);
    await next();
  });
}

function tokenOf(header: string | undefined): string {
  return /^Bearer +(\S+)$/i.exec(header ?? "")?.[1] ?? "";
}
