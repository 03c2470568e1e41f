// The sessions of browsers: which one a request has, and how one begins. They are for routes with `browser` alone; POST /mcp,
// /metrics and all other routes know no cookies.
//
// A session is a signed cookie and nothing on the server. It ends with its time, or with its token; signing out removes the
// cookie from the browser. Without tokens every browser may view, and needs a session only for control.
//
// A cookie, and not a token in the page's memory: EventSource can't send one, a reload would ask for it again, and a
// script could read it.
//
// An agent's token begins sessions that view, and none for control.

import { randomBytes } from "node:crypto";
import type { BearerAuthentication, Connection } from "../../../common/http/bearer-auth.ts";
import type { HttpRefusal } from "../../../common/http/refusal.ts";
import type { TokenStore } from "../../../common/http/token-store.ts";
import { HOUR_MS } from "../../../protocol/time-units.ts";
import type { BrowserSession } from "../../routes/browser.ts";
import type { Access } from "../../tools/context.ts";
import { foreignPageRefusal } from "./own-page.ts";
import {
  cookieName,
  cookieValue,
  cookieValues,
  readCookie,
  requestTokenOf,
  type SessionClaims,
  setCookie,
} from "./session-cookie.ts";
import { SessionKeys } from "./session-keys.ts";

/** From the sign-in on: a working day to view; an hour for control, because a page left open must not halt a market. */
const SESSION_MS: Readonly<Record<Access, number>> = { view: 12 * HOUR_MS, control: HOUR_MS };
/** A cookie of another server may be ahead of this one's clock by so much. */
const CLOCK_SKEW_MS = 60_000;

/** A session with what signs its successors. */
export interface SignedSession extends BrowserSession {
  readonly claims: SessionClaims;
  readonly key: Buffer;
  readonly endsAt: number;
  readonly requestToken: string;
}

/** What a browser that has not signed in may do without tokens. */
const ANYBODY: BrowserSession = { access: "view", caller: null, requestToken: null, endsAt: null };

interface BrowserSessionsOptions {
  readonly tokens: TokenStore;
  readonly authentication: BearerAuthentication;
  /** False on a read-only server. */
  readonly offersControl: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export class BrowserSessions {
  readonly #keys: SessionKeys;

  constructor(private readonly options: BrowserSessionsOptions) {
    this.#keys = new SessionKeys(options.tokens);
  }

  get needsToken(): boolean {
    return this.options.tokens.isRequired;
  }

  get offersControl(): boolean {
    return this.options.offersControl;
  }

  /** The session of the request's cookie; null without one that is valid now. */
  signedSessionOf({ headers }: Request): SignedSession | null {
    const values = cookieValues(headers.get("Cookie"), cookieName(headers.get("Host")));
    for (const value of values) {
      const read = readCookie(value, (claims) => this.#keys.keysOf(claims));
      const session = read === null ? null : this.#valid(read.claims, read.key);
      if (session !== null) return session;
    }
    return null;
  }

  /** Whether the session of a request still holds. */
  isStillValid(session: BrowserSession | null): boolean {
    if (session === null || !isSigned(session)) return session === this.withoutCookie;
    const { claims, key, endsAt } = session;
    return this.options.now() < endsAt && this.#keys.keysOf(claims).some((each) => each.equals(key));
  }

  /** What a browser without a cookie may do; null if it must sign in first. */
  get withoutCookie(): BrowserSession | null {
    return this.needsToken ? null : ANYBODY;
  }

  /** The session of a request without a token, or why the request is refused. */
  async admit(
    request: Request,
    { address }: Connection,
    { needsSession }: { readonly needsSession: boolean },
  ): Promise<{ readonly session: BrowserSession | null } | HttpRefusal> {
    const session = this.signedSessionOf(request) ?? this.withoutCookie;
    if (session === null && needsSession) {
      return await this.options.authentication.refusal(
        address,
        "Nobody has signed in in this browser, or the session has ended.",
      );
    }
    return foreignPageRefusal(request, session?.requestToken ?? null) ?? { session };
  }

  /**
   * A new session for the holder of the token, or the refusal of a wrong token, which counts for the address, or of control
   * for an agent. Without tokens any text will do.
   */
  async begin(access: Access, token: string, { address }: Connection): Promise<SignedSession | HttpRefusal> {
    const holder = this.options.tokens.identify(token);
    if (holder === null) return await this.options.authentication.refusal(address, "This token is not valid.");
    if (access === "control" && !holder.isPerson) return agentRefusal(holder.name);
    return this.#made({ caller: holder.name, access, since: this.options.now() }, this.#keys.keyOf(token));
  }

  /** The session goes on with `view`. It ends when it would have ended if it had begun so. */
  reduced({ claims: { caller, since }, key }: SignedSession): SignedSession {
    return this.#made({ caller, access: "view", since }, key);
  }

  /** The header that gives the session to the browser; null removes it. */
  cookieOf(session: SignedSession | null, { headers }: Request): string {
    const name = cookieName(headers.get("Host"));
    const isSecure = headers.get("Origin")?.startsWith("https:") ?? false;
    if (session === null) return setCookie(name, "", 0, isSecure);
    const seconds = Math.ceil((session.endsAt - this.options.now()) / 1000);
    return setCookie(name, cookieValue(session.claims, session.key), seconds, isSecure);
  }

  #made(claims: Omit<SessionClaims, "id">, key: Buffer): SignedSession {
    return sessionOf({ ...claims, id: randomBytes(16).toString("base64url") }, key);
  }

  #valid(claims: SessionClaims, key: Buffer): SignedSession | null {
    const session = sessionOf(claims, key);
    const now = this.options.now();
    return claims.since <= now + CLOCK_SKEW_MS && now < session.endsAt ? session : null;
  }
}

function agentRefusal(name: string | null): HttpRefusal {
  const message =
    `The token ${name} is an agent's, and only a person may have control: sign in with a person's token, ` +
    "whose line in MCP_BEARER_TOKEN_FILE ends with the word person. To stop all changes at once, run `mkt freeze` on the host.";
  return { status: 403, code: "forbidden", message };
}

function isSigned(session: BrowserSession): session is SignedSession {
  return "key" in session;
}

function sessionOf(claims: SessionClaims, key: Buffer): SignedSession {
  const { access, caller, since } = claims;
  return { access, caller, endsAt: since + SESSION_MS[access], requestToken: requestTokenOf(claims, key), claims, key };
}
