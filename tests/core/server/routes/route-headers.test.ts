// Which headers of a route's answer are sent.

import { expect, test } from "bun:test";
import { allowedHeaders } from "../../../../core/server/routes/route-headers.ts";

test("a route decides about its content, and about nothing that protects the server or its pages", () => {
  const kept = { "Content-Type": "text/plain", "Cache-Control": "no-store", "ETag": "e", "X-Own": "1" };
  const removed = [
    ...["Access-Control-Allow-Origin", "Access-Control-Allow-Credentials", "Clear-Site-Data", "Connection"],
    ...["Content-Length", "Cross-Origin-Embedder-Policy", "Cross-Origin-Opener-Policy", "Keep-Alive"],
    ...["Cross-Origin-Resource-Policy", "Origin-Agent-Cluster", "Referrer-Policy", "Service-Worker-Allowed"],
    ...["Set-Cookie", "Strict-Transport-Security", "Transfer-Encoding", "Upgrade", "X-Content-Type-Options"],
    ...["X-DNS-Prefetch-Control", "X-Download-Options", "X-Frame-Options", "X-Permitted-Cross-Domain-Policies"],
    ...["X-XSS-Protection"],
  ];
  const own = new Headers({ ...kept, ...Object.fromEntries(removed.map((name) => [name, "1"])) });
  expect(Object.fromEntries(allowedHeaders(own))).toEqual(Object.fromEntries(new Headers(kept)));
  expect(own.get("Set-Cookie")).toBe("1");
});

test("a route's own policy never allows other pages to frame its answer", () => {
  const policy = allowedHeaders(new Headers({ "Content-Security-Policy": "default-src *" }));
  expect(policy.get("Content-Security-Policy")).toBe("default-src *, frame-ancestors 'none'");
});
