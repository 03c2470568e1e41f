// The headers of an answer of a route. The pack decides about its content; the server decides about everything that protects
// it. So of the security headers (common/http/security-headers.ts) a route may set its own Content-Security-Policy and
// Cache-Control, and no policy allows other pages to frame the answer. Cookies are those of core/server/sessions alone.

/** The headers of the security and of the connection, which a route can't set. */
const REMOVED = [
  "Clear-Site-Data",
  "Connection",
  "Content-Length",
  "Cross-Origin-Embedder-Policy",
  "Cross-Origin-Opener-Policy",
  "Cross-Origin-Resource-Policy",
  "Keep-Alive",
  "Origin-Agent-Cluster",
  "Referrer-Policy",
  "Service-Worker-Allowed",
  "Set-Cookie",
  "Strict-Transport-Security",
  "Transfer-Encoding",
  "Upgrade",
  "X-Content-Type-Options",
  "X-DNS-Prefetch-Control",
  "X-Download-Options",
  "X-Frame-Options",
  "X-Permitted-Cross-Domain-Policies",
  "X-XSS-Protection",
];

/** A browser applies each of several policies, so a further one can only forbid more. */
const NO_FRAMES = "frame-ancestors 'none'";

export function allowedHeaders(own: Headers): Headers {
  const headers = new Headers(own);
  for (const name of [...headers.keys()]) if (name.startsWith("access-control-")) headers.delete(name);
  for (const name of REMOVED) headers.delete(name);
  if (headers.has("Content-Security-Policy")) headers.append("Content-Security-Policy", NO_FRAMES);
  return headers;
}

export const STREAM_HEADERS: Readonly<Record<string, string>> = {
  "Cache-Control": "no-cache, no-transform",
  // Tells a proxy to pass on each part at once.
  "X-Accel-Buffering": "no",
};
