// Headers that keep a browser from doing more with an answer than showing it: no guessing of types, no caching, no
// framing, no scripts but one's own. What a route sets itself stays.
//
// Most of them are hono's; what hono's middleware can't do is a policy that depends on the answer's type.

import type { MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";

const FOR_DATA = "default-src 'none'; frame-ancestors 'none'";
const FOR_PAGES = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export function securityHeaders(): MiddlewareHandler {
  // TLS, and so Strict-Transport-Security, is the proxy's.
  const fixed = secureHeaders({ xFrameOptions: "DENY", strictTransportSecurity: false, overwrite: false });
  return async function securityHeaders(context, next) {
    await fixed(context, next);
    const { headers } = context.res;
    const isPage = headers.get("Content-Type")?.startsWith("text/html") ?? false;
    if (!headers.has("Content-Security-Policy")) {
      headers.set("Content-Security-Policy", isPage ? FOR_PAGES : FOR_DATA);
    }
    if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  };
}
