// Bearer authentication for the routes that come after it.

import { createMiddleware } from "hono/factory";
import { type RateLimit, TOO_MANY_FAILURES, tooMany } from "./rate-limit.ts";
import type { TokenHolder, TokenStore } from "./token-store.ts";

/** What the checks before a handler find out about a request. */
export interface Caller {
  readonly holder: TokenHolder;
}

/** What a route may know of its connection. */
export interface Connection {
  readonly address: string;
}

export interface BearerAuthOptions {
  readonly tokens: TokenStore;
  /** Of 401 answers to each address. */
  readonly failures: RateLimit;
  /** The variable that holds the token, for the message of a refusal. */
  readonly setting: string;
}

/**
 * Answers 401 with `WWW-Authenticate: Bearer` and a JSON body if the token is missing or wrong, and 429 with Retry-After if
 * that happens too often from one address. A right token is let in from there all the same.
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

/** The token of an `Authorization: Bearer` header; null if it has another form. */
export function bearerToken(header: string | undefined): string | null {
  return /^Bearer +(\S+)$/i.exec(header ?? "")?.[1] ?? null;
}
