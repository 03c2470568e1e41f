// Whether a request comes from a page of this server. A browser sends cookies by itself, and without tokens it needs
// none, so this is what keeps other pages from using the session of a person, besides SameSite and the check of
// Origin. SameSite alone takes all ports of a host for one site.

import { timingSafeEqual } from "node:crypto";
import type { HttpRefusal } from "../../../common/http/refusal.ts";

/** A page of another origin can't send it without asking the server first. */
export const REQUEST_HEADER = "X-Mkt-Request";
/** Its value without a session. */
const NO_SESSION = "none";

/** `requestToken`: that of the session; null without one. Null: the request may go on. */
export function foreignPageRefusal(request: Request, requestToken: string | null): HttpRefusal | null {
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (isForeign(request.headers, isRead)) {
    return refusal("forbidden_page", "Only pages of this server may send this request with the session of a browser.");
  }
  if (isRead) return null;
  const given = request.headers.get(REQUEST_HEADER);
  if (given === null) {
    const value = requestToken === null ? NO_SESSION : "the session's request token";
    return refusal(
      "forbidden_page",
      `The header ${REQUEST_HEADER} is missing: send ${value}, or Authorization: Bearer.`,
    );
  }
  if (isSame(given, requestToken ?? NO_SESSION)) return null;
  return refusal("session_changed", "The session of this browser has changed or ended: ask for it again, then repeat.");
}

/** By what the browser says of the page; an older one, or one without TLS, only has the Origin. */
function isForeign(headers: Headers, isRead: boolean): boolean {
  const site = headers.get("Sec-Fetch-Site");
  if (site !== null) return site !== "same-origin" && !(isRead && site === "none");
  const origin = headers.get("Origin");
  if (origin === null) return false;
  const url = URL.parse(origin);
  return url === null || URL.parse(`${url.protocol}//${headers.get("Host")}`)?.host !== url.host;
}

function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function refusal(code: string, message: string): HttpRefusal {
  return { status: 403, code, message };
}
