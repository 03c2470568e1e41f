// Headers that keep a browser from doing more with an answer than showing it: no guessing of types, no caching, no
// framing, no scripts but one's own. What a route sets itself stays.

import type { MiddlewareHandler } from "hono";

const FOR_ALL: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
};
const FOR_DATA = "default-src 'none'; frame-ancestors 'none'";
const FOR_PAGES = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export function securityHeaders(): MiddlewareHandler {
  return async function securityHeaders(context, next) {
    await next();
    const { headers } = context.res;
    const isPage = headers.get("Content-Type")?.startsWith("text/html") ?? false;
    const wanted = { ...FOR_ALL, "Content-Security-Policy": isPage ? FOR_PAGES : FOR_DATA };
    for (const [name, value] of Object.entries(wanted)) {
      if (!headers.has(name)) headers.set(name, value);
    }
  };
}
