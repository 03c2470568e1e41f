// Security headers of every answer: no type sniffing, no caching, no framing, and only the server's own scripts. A header
// that a route sets is kept.
//
// hono's middleware sets the fixed headers. It can't choose the Content-Security-Policy by the type of the answer.

import type { MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";

const FOR_DATA = "default-src 'none'; frame-ancestors 'none'";
const FOR_PAGES = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export function securityHeaders(): MiddlewareHandler {
  // A proxy terminates TLS, so the proxy sets Strict-Transport-Security.
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
