// The headers of every answer.

import { expect, test } from "bun:test";
import { addSecurityHeaders } from "../../../common/http/security-headers.ts";

function headersWith(given: Record<string, string>) {
  const headers = new Headers(given);
  addSecurityHeaders(headers);
  return Object.fromEntries(headers);
}

const ALL = {
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-dns-prefetch-control": "off",
  "x-download-options": "noopen",
  "x-frame-options": "DENY",
  "x-permitted-cross-domain-policies": "none",
  "x-xss-protection": "0",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};
const PAGE = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

test.each<[Record<string, string>, Record<string, string>]>([
  [{}, {}],
  [{ "content-type": "application/json" }, {}],
  [{ "content-type": "text/html; charset=utf-8" }, { "content-security-policy": PAGE }],
  [{ "content-type": "application/xhtml, text/html" }, {}],
  [{ "content-type": "text/plain" }, {}],
  [{ "content-type": "text/html", "content-security-policy": "own" }, {}],
  [{ "cache-control": "max-age=60", "x-frame-options": "SAMEORIGIN" }, {}],
])("an answer with %j", (given, more) => expect(headersWith(given)).toEqual({ ...ALL, ...more, ...given }));
