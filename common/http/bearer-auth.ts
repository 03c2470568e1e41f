// Bearer authentication, as hono middleware for the routes that follow.

import { createMiddleware } from "hono/factory";
import { type RateLimit, TOO_MANY_FAILURES, tooMany } from "./rate-limit.ts";
import type { TokenHolder, TokenStore } from "./token-store.ts";

/** The authenticated client of a request. */
export interface Caller {
  readonly holder: TokenHolder;
}

/** The connection of a request. */
export interface Connection {
  readonly address: string;
}

interface BearerAuthOptions {
  readonly tokens: TokenStore;
  /** Limits 401 answers for each address. */
  readonly failures: RateLimit;
  /** The variable that holds the token, for the message of a refusal. */
  readonly setting: string;
}

/**
 * Answers 401 with `WWW-Authenticate: Bearer` and a JSON body if the token is missing or wrong, and 429 with Retry-After if
 * that happens too often from one address. A valid token from that address is still accepted.
 *
 * @example app.use(bearerAuth({ tokens, failures: new RateLimit(20), setting: "MCP_BEARER_TOKEN" }))
 */
export function bearerAuth({ tokens, failures, setting }: BearerAuthOptions) {
  return createMiddleware<{ Bindings: Connection; Variables: Caller }>(async function bearerAuth(context, next) {
    const holder = tokens.identify(bearerToken(context.req.header("Authorization")));
    if (holder === null) {
      if (!await failures.admits(context.env.address)) return tooMany(context, TOO_MANY_FAILURES);
      context.header("WWW-Authenticate", "Bearer");
      const message = `A bearer token is required: send Authorization: Bearer <${setting}>.`;
      return context.json({ error: { code: "unauthorized", message } }, 401);
    }
    context.set("holder", holder);
    await next();
  });
}

/** The token of an `Authorization: Bearer` header; null if the header is missing or malformed. */
export function bearerToken(header: string | undefined): string | null {
  return /^Bearer +(\S+)$/i.exec(header ?? "")?.[1] ?? null;
}
