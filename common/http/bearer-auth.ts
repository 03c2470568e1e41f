// Bearer authentication: who sent a request, or why the request is refused. hono's own would refuse every token with
// characters such as `@` or `!`, which MCP_BEARER_TOKEN may have.

import { createMiddleware } from "hono/factory";
import { type RateLimit, TOO_MANY_FAILURES, tooMany } from "./rate-limit.ts";
import { type HttpRefusal, refused } from "./refusal.ts";
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
 * Middleware for the routes that follow. Answers 401 with `WWW-Authenticate: Bearer` and a JSON body if the token is missing
 * or wrong, and 429 with Retry-After if that happens too often from one address. A valid token from that address is still
 * accepted.
 *
 * @example app.use(bearerAuth(new BearerAuthentication({ tokens, failures: new RateLimit(20), setting: "MCP_BEARER_TOKEN" })))
 */
export function bearerAuth(authentication: BearerAuthentication) {
  return createMiddleware<{ Bindings: Connection; Variables: Caller }>(async function bearerAuth(context, next) {
    const holder = authentication.holderOf(context.req.raw);
    if (holder === null) return refused(context, await authentication.refusal(context.env.address));
    context.set("holder", holder);
    await next();
  });
}

export class BearerAuthentication {
  constructor(private readonly options: BearerAuthOptions) {}

  /** Null if the token is missing or wrong. */
  holderOf({ headers }: Request): TokenHolder | null {
    return this.options.tokens.identify(bearerToken(headers.get("Authorization")));
  }

  /** The refusal of a request without a valid token. Counts it for its address. `message`: instead of that for programs. */
  async refusal(address: string, message = this.#message): Promise<HttpRefusal> {
    if (!await this.options.failures.admits(address)) return tooMany(TOO_MANY_FAILURES);
    return { status: 401, code: "unauthorized", message, headers: { "WWW-Authenticate": "Bearer" } };
  }

  get #message(): string {
    return `A bearer token is required: send Authorization: Bearer <${this.options.setting}>.`;
  }
}

/** The token of an `Authorization: Bearer` header; null if the header is missing or malformed. */
export function bearerToken(header: string | null | undefined): string | null {
  return /^Bearer +(\S+)$/i.exec(header ?? "")?.[1] ?? null;
}
