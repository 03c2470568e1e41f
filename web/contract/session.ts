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
  /** Goes back in the header REQUEST_HEADER of every request that is no GET. Null if nobody has signed in. */
  readonly requestToken: string | null;
  /** ISO time; null if nobody has signed in. */
  readonly expiresAt: string | null;
  /** Whether `control` can be had: not on a read-only server. */
  readonly offersControl: boolean;
}

/** The body of POST /dashboard/session. */
export interface SignIn {
  /** Absent if the session only changes its access, or if no token is needed. */
  readonly token?: string;
  readonly access: Access;
}

/** A page of another origin can't send it, because a browser asks the server first. */
export const REQUEST_HEADER = "X-Mkt-Request";
