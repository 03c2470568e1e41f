// The browser of one request, for the handler of its route.

import type { Connection } from "../../../common/http/bearer-auth.ts";
import { refusalResponse } from "../../../common/http/refusal.ts";
import { ToolError } from "../../error.ts";
import type { Browser, BrowserSession } from "../../routes/browser.ts";
import type { Access } from "../../tools/context.ts";
import type { BrowserSessions, SignedSession } from "./browser-sessions.ts";

export class RequestBrowser implements Browser {
  /** The header Set-Cookie of the answer; null: none. */
  cookie: string | null = null;
  #session: BrowserSession | null;

  /** `session`: what the request may do; null if nobody has signed in. */
  constructor(
    private readonly sessions: BrowserSessions,
    private readonly request: Request,
    private readonly connection: Connection,
    session: BrowserSession | null,
  ) {
    this.#session = session;
  }

  get needsToken(): boolean {
    return this.sessions.needsToken;
  }

  get offersControl(): boolean {
    return this.sessions.offersControl;
  }

  get session(): BrowserSession | null {
    return this.#session;
  }

  readonly signIn = async (access: Access, token: string | undefined): Promise<Response | null> => {
    const { sessions, connection, request } = this;
    if (access === "control" && !sessions.offersControl) throw readOnly();
    if (!sessions.needsToken && access === "view") {
      this.signOut();
      return null;
    }
    if (sessions.needsToken && token === undefined) {
      const current = sessions.signedSessionOf(request);
      if (current !== null && access === "view") return this.#begin(sessions.reduced(current));
      throw new ToolError("forbidden", "A token is needed to sign in.", "Send the token again.");
    }
    const begun = await sessions.begin(access, token ?? "", connection);
    return "status" in begun ? refusalResponse(begun) : this.#begin(begun);
  };

  readonly signOut = (): void => {
    this.cookie = this.sessions.cookieOf(null, this.request);
    this.#session = this.sessions.withoutCookie;
  };

  #begin(session: SignedSession): null {
    this.#session = session;
    this.cookie = this.sessions.cookieOf(session, this.request);
    return null;
  }
}

function readOnly(): ToolError {
  return new ToolError("read_only", "This server is read-only, so nobody can have control.", "Sign in to view.");
}
