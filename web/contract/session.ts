// What the dashboard's page and its server say about the session of a browser.

/** `view` only reads. `control` may also call tools that change something; it ends sooner. */
export type Access = "view" | "control";

/** The answer of GET, POST and DELETE /dashboard/session. */
export interface SessionState {
  readonly version: string;
  /** Whether somebody must give a token before anything is shown. */
  readonly needsToken: boolean;
  /** Null: nobody has signed in. Without tokens every browser has at least `view`. */
  readonly access: Access | null;
  /** The name of the token; null without one. */
  readonly caller: string | null;
  /**
   * Goes back in the header REQUEST_HEADER of every request that is no GET. Null without a session; the header is `none` then.
   */
  readonly requestToken: string | null;
  /** ISO time; null without a session. `view` lasts 12 hours, `control` one hour. */
  readonly expiresAt: string | null;
  /** Whether `control` can be had: not on a read-only server. */
  readonly offersControl: boolean;
}

/** The body of POST /dashboard/session. */
export interface SignIn {
  /** Absent if a session of `control` goes back to `view`, or if no token is needed. `control` always needs a person's. */
  readonly token?: string;
  readonly access: Access;
}

/** A page of another origin can't send it, because a browser asks the server first. */
export const REQUEST_HEADER = "X-Mkt-Request";
