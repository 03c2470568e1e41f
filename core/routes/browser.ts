// What a route gets of the browser that sent its request: the session, sign-in and sign-out. core/server/sessions makes it.

import type { Access } from "../tools/context.ts";

export interface Browser {
  /** Whether nothing is shown before somebody has signed in with a token. */
  readonly needsToken: boolean;
  /** Whether anybody can have `control`: not on a read-only server. */
  readonly offersControl: boolean;
  /** What the request may do; null if nobody has signed in. Changes with `signIn` and `signOut`. */
  readonly session: BrowserSession | null;
  /**
   * Begins a session, whose cookie goes with the answer to this request. `control` always needs a person's token. Without a
   * token a session of `control` may go back to `view`. Resolves to the answer of a refusal, and to null if it is signed
   * in. Throws ToolError `read_only`.
   */
  readonly signIn: (access: Access, token: string | undefined) => Promise<Response | null>;
  /** Removes the cookie from the browser. */
  readonly signOut: () => void;
}

export interface BrowserSession {
  readonly access: Access;
  /** The name of the token; null without tokens. */
  readonly caller: string | null;
  /** What every request that is no GET must repeat in its header X-Mkt-Request; null if that is `none`. */
  readonly requestToken: string | null;
  /** Milliseconds since the epoch; null if it does not end by itself. */
  readonly endsAt: number | null;
}

/** For routes that have not declared `browser`: any use of it is a fault of the pack. */
export const UNDECLARED_BROWSER = new Proxy({} as Browser, {
  get() {
    throw new TypeError("the route has not declared `browser`");
  },
});
