// What a guarded route requires, in which order, and the headers and spans of every answer.

import { expect, test } from "bun:test";
import { DEFAULT_ENGINE_LIMITS } from "../../../../common/http/guards/engine-limits.ts";
import { metricsRoute } from "../../../../common/http/guards/metrics-route.ts";
import { tracedRequest } from "../../../../common/http/guards/request-span.ts";
import { RouteGuard } from "../../../../common/http/guards/route-guard.ts";
import { UserRates } from "../../../../common/http/guards/user-rates.ts";
import { RateLimit } from "../../../../common/http/rate-limit.ts";
import { addSecurityHeaders } from "../../../../common/http/security-headers.ts";
import { TokenStore } from "../../../../common/http/token-store.ts";
import { logger } from "../../../../common/logger.ts";
import { tokenFile } from "../../../support/temporary-directory.ts";

const [ALL, ANNA] = ["token-of-everybody-1234", "token-of-anna-only-1234"];

function routes(limits: Partial<typeof DEFAULT_ENGINE_LIMITS> = {}) {
  const log = logger("test");
  const all = { ...DEFAULT_ENGINE_LIMITS, ...limits };
  const tokens = new TokenStore({
    token: ALL,
    file: tokenFile(`desk ${ANNA} anna`),
    format: "names_and_users",
    variables: { token: "TOKEN", file: "FILE" },
    log,
  });
  const permissions = new Map([["anna", ["Market.View"]], ["bob", ["Market.Operate"]]]);
  const guard = new RouteGuard({
    tokens,
    failures: new RateLimit(100),
    user: (id: string) => permissions.has(id) ? { id, permissions: new Set(permissions.get(id)) } as never : undefined,
    rates: new UserRates(all, () => 0),
    limits: all,
    log,
  });
  const app = guard.routes();
  app.post("/any", guard.requires(null), (context) => context.json({ user: context.get("user").id }));
  app.post("/market", guard.requires("Market.Operate" as never), (context) => context.json({}));
  app.route("/", metricsRoute(guard, () => Promise.resolve({ metrics: () => "text", contentType: "text/x" } as never)));
  return async (path: string, token: string | null, user?: string, length?: number | string, method = "POST") => {
    const headers = {
      ...(token !== null && { Authorization: `Bearer ${token}` }),
      ...(user !== undefined && { "X-Mkt-User": user }),
      ...(length !== undefined && { "Content-Length": String(length) }),
    };
    const response = await app.request(path, { method, headers }, { address: "1.2.3.4" } as never);
    const body = await response.text();
    return [
      response.status,
      body.startsWith("{") ? JSON.parse(body).error?.code ?? "ok" : body,
      response.headers.get("Retry-After"),
    ];
  };
}

test("a route requires a token, then a user whom it covers and the market knows, then a permission", async () => {
  const ask = routes();
  expect(await ask("/any", null, "anna")).toEqual([401, "unauthorized", null]);
  expect(await ask("/any", "wrong-token-1234567890", "anna")).toEqual([401, "unauthorized", null]);
  expect(await ask("/any", ALL)).toEqual([403, "unknown_user", null]);
  expect(await ask("/any", ALL, "eve")).toEqual([403, "unknown_user", null]);
  expect(await ask("/any", ANNA, "bob")).toEqual([403, "user_not_covered", null]);
  // Whether the user exists is not told.
  expect(await ask("/any", ANNA, "eve")).toEqual([403, "user_not_covered", null]);
  for (const [token, user] of [[ALL, "anna"], [ALL, "bob"], [ANNA, "anna"]] as const) {
    expect(await ask("/any", token, user)).toEqual([200, "ok", null]);
  }
  expect(await ask("/market", ALL, "anna")).toEqual([403, "forbidden", null]);
  expect(await ask("/market", ALL, "bob")).toEqual([200, "ok", null]);
});

test("a user's rate of requests, and of bytes, is the user's own, and says in seconds when to try again", async () => {
  const ask = routes({ requestsPerSecond: 1 });
  const statuses = async (
    user: string,
  ) => [await ask("/any", ALL, user), await ask("/any", ALL, user), await ask("/any", ALL, user)];
  expect((await statuses("anna")).map(([status]) => status)).toEqual([200, 200, 429]);
  expect(await ask("/any", ALL, "anna")).toEqual([429, "rate_limited", "1"]);
  expect((await ask("/any", ALL, "bob"))[0]).toBe(200);
  const bytes = routes({ bytesPerSecond: 10 });
  for (const length of ["many", 60]) expect((await bytes("/any", ALL, "anna", length))[0]).toBe(200);
  expect(await bytes("/any", ALL, "anna", 1)).toEqual([429, "rate_limited", "5"]);
});

test("metrics need a token and no user", async () => {
  const ask = routes();
  expect(await ask("/metrics", null, undefined, undefined, "GET")).toEqual([401, "unauthorized", null]);
  expect(await ask("/metrics", ANNA, undefined, undefined, "GET")).toEqual([200, "text", null]);
  expect((await ask("/none", ALL))[1]).toBe("not_found");
});

test("every answer has its security headers, a page the policy for pages, and a route's own are kept", () => {
  const headersOf = (given: Record<string, string>) => {
    const headers = new Headers(given);
    addSecurityHeaders(headers);
    return Object.fromEntries(headers);
  };
  const data = headersOf({ "Content-Type": "application/json" });
  expect(data).toMatchObject({
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  });
  expect(headersOf({ "Content-Type": "text/html; charset=utf-8" })["content-security-policy"]).toStartWith(
    "default-src 'self'; ",
  );
  expect(headersOf({ "Cache-Control": "max-age=5", "Content-Security-Policy": "own" }))
    .toMatchObject({ "cache-control": "max-age=5", "content-security-policy": "own" });
});

test("a request has one span, with its route, its caller's trace and its status, but for what is asked all the time", async () => {
  const spans: unknown[] = [];
  const start = (name: string, { parent, attributes }: { parent: { traceId: string } | null; attributes: object }) => {
    const span: unknown[] = [name, parent?.traceId ?? null, attributes];
    return {
      set: (key: string, value: unknown) => span.push([key, value]),
      fail: (why: string) => span.push(`failed: ${why}`),
      end: () => spans.push(span),
    };
  };
  const ask = async (path: string, status: number | null, { method = "GET", headers = {} } = {}) => {
    spans.length = 0;
    const answer = () => {
      if (status === null) throw new Error("broken");
      return new Response(null, { status });
    };
    // The runtime's own request takes no other method.
    const request = { url: `http://h${path}`, method, headers: new Headers(headers) };
    await Promise.resolve(tracedRequest({ start } as never, request as never, answer)).catch(
      () => {},
    );
    return spans[0] ?? null;
  };
  for (const path of ["/ws", "/health", "/metrics"]) expect(await ask(path, 200)).toBeNull();
  expect(tracedRequest(null, new Request("http://h/x"), () => "the answer" as never)).toBe("the answer" as never);
  const code = "http.response.status_code";
  expect(await ask("/unknown/5", 404)).toEqual(["GET", null, { "http.request.method": "GET" }, [code, 404]]);
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  const traced = { method: "BREW", headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } };
  expect(await ask("/unknown", 500, traced))
    .toEqual(["_OTHER", trace, { "http.request.method": "_OTHER" }, [code, 500], "failed: 500"]);
  expect(await ask("/unknown", null)).toEqual(["GET", null, { "http.request.method": "GET" }, "failed: internal"]);
});
