// Security headers of every answer: no type sniffing, no caching, no framing, and only the server's own scripts. A header
// that a route sets is kept. A proxy terminates TLS, so the proxy sets Strict-Transport-Security.

import type { MiddlewareHandler } from "hono";

const FIXED: Readonly<Record<string, string>> = {
  "Cache-Control": "no-store",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Origin-Agent-Cluster": "?1",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-DNS-Prefetch-Control": "off",
  "X-Download-Options": "noopen",
  "X-Frame-Options": "DENY",
  "X-Permitted-Cross-Domain-Policies": "none",
  "X-XSS-Protection": "0",
};
const FOR_DATA = "default-src 'none'; frame-ancestors 'none'";
const FOR_PAGES = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export function securityHeaders(): MiddlewareHandler {
  return async function securityHeaders(context, next) {
    await next();
    addSecurityHeaders(context.res.headers);
  };
}

/** Adds the headers that are not set yet. The policy for scripts depends on the Content-Type. */
export function addSecurityHeaders(headers: Headers): void {
  for (const [name, value] of Object.entries(FIXED)) {
    if (!headers.has(name)) headers.set(name, value);
  }
  if (headers.has("Content-Security-Policy")) return;
  const isPage = headers.get("Content-Type")?.startsWith("text/html") ?? false;
  headers.set("Content-Security-Policy", isPage ? FOR_PAGES : FOR_DATA);
}
