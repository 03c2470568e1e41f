// The cookie of a session: `1~NAME~ACCESS~SINCE~ID~SIGNATURE`. Nothing of it is kept on the server.
//
// Its name has the port of the Host header, since a browser shares cookies among all ports of a host.

import { timingSafeEqual } from "node:crypto";
import type { Access } from "../../tools/context.ts";
import { signatureOf } from "./session-keys.ts";

/** What a cookie says. */
export interface SessionClaims {
  /** The name of the token; null without tokens. */
  readonly caller: string | null;
  readonly access: Access;
  /** When a token was given; milliseconds since the epoch. */
  readonly since: number;
  /** Random. */
  readonly id: string;
}

const SIGNATURE_LABEL = "cookie";
/** A longer header is not read. */
const MAX_HEADER_LENGTH = 16_384;
/** Cookies of the same name that are looked at. Another server on this host, or a parent domain, may have set some. */
const MAX_COOKIES = 4;
/** The names of tokens are those of common/http/token-file.ts. */
const FORM = /^(1~([A-Za-z0-9._-]{0,64})~(view|control)~(\d{1,15})~([\w-]{22}))~([\w-]{43})$/;

/** `host`: the Host header, which has been checked. */
export function cookieName(host: string | null): string {
  const port = URL.parse(`http://${host}`)?.port ?? "";
  return port === "" ? "mkt-session" : `mkt-session-${port}`;
}

/** The values that a Cookie header has for a name, at most MAX_COOKIES. */
export function cookieValues(header: string | null, name: string): string[] {
  if (header === null || header.length > MAX_HEADER_LENGTH) return [];
  const prefix = `${name}=`;
  return header.split(";").map((each) => each.trim()).filter((each) => each.startsWith(prefix))
    .slice(0, MAX_COOKIES).map((each) => each.slice(prefix.length));
}

export function cookieValue(claims: SessionClaims, key: Buffer): string {
  const text = textOf(claims);
  return `${text}~${signatureOf(key, SIGNATURE_LABEL, text)}`;
}

/** The claims of a value that one of the keys has signed, and that key; null if none has. */
export function readCookie(
  value: string,
  keysOf: (claims: SessionClaims) => readonly Buffer[],
): { readonly claims: SessionClaims; readonly key: Buffer } | null {
  const [, text = "", name = "", access, since, id = "", signature = ""] = FORM.exec(value) ?? [];
  if (text === "") return null;
  const claims = { caller: name === "" ? null : name, access: access as Access, since: Number(since), id };
  const given = Buffer.from(signature);
  let signedWith: Buffer | null = null;
  for (const key of keysOf(claims)) {
    if (timingSafeEqual(Buffer.from(signatureOf(key, SIGNATURE_LABEL, text)), given)) signedWith = key;
  }
  return signedWith === null ? null : { claims, key: signedWith };
}

/** What a request must repeat in its header. It follows from the session, so nothing of it is kept either. */
export function requestTokenOf(claims: SessionClaims, key: Buffer): string {
  return signatureOf(key, "request", textOf(claims));
}

/** The header that sets the cookie; an empty value removes it. */
export function setCookie(name: string, value: string, seconds: number, isSecure: boolean): string {
  const attributes = ["Path=/", `Max-Age=${seconds}`, "HttpOnly", "SameSite=Strict", ...(isSecure ? ["Secure"] : [])];
  return [`${name}=${value}`, ...attributes].join("; ");
}

function textOf({ caller, access, since, id }: SessionClaims): string {
  return `1~${caller ?? ""}~${access}~${since}~${id}`;
}
