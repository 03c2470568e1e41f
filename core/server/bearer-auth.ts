// Bearer authentication for everything but /health.

import { createHash, timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";

export interface BearerAuthOptions {
  /** The token to ask for; null lets everyone in. */
  readonly token: string | null;
}

/** Answers 401 with `WWW-Authenticate: Bearer` and a JSON body where the token is missing or wrong. */
export function bearerAuth({ token }: BearerAuthOptions): MiddlewareHandler {
  return async function bearerAuth(context, next) {
    if (token !== null && !sameSecret(tokenOf(context.req.header("Authorization")), token)) {
      context.header("WWW-Authenticate", "Bearer");
      return context.json({
        error: {
          code: "unauthorized",
          message: "A bearer token is required: send Authorization: Bearer <MCP_BEARER_TOKEN>.",
        },
      }, 401);
    }
    await next();
  };
}

function tokenOf(header: string | undefined): string {
  return /^Bearer +(\S+)$/i.exec(header ?? "")?.[1] ?? "";
}

/** Takes the same time wherever, and however early, the two differ: both are hashed to one length first. */
function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
