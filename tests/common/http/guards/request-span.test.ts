// The span of a request to an engine: which requests have one, and what it says.

import { expect, test } from "bun:test";
import { tracedRequest } from "../../../../common/http/guards/request-span.ts";

function notes() {
  const noted: unknown[] = [];
  const span = {
    set: (...given: unknown[]) => noted.push(["set", ...given]),
    fail: (...given: unknown[]) => noted.push(["fail", ...given]),
    end: () => noted.push("end"),
  };
  return { noted, tracer: { start: (...given: unknown[]) => (noted.push(given), span) } as never };
}

const request = (path: string, init: RequestInit = {}) => new Request(`http://h${path}`, init);

test.each(["/ws", "/health", "/metrics", "/health?x=1"])("%s has no span", async (path) => {
  const { noted, tracer } = notes();
  expect(await (await tracedRequest(tracer, request(path), () => new Response("a"))).text()).toBe("a");
  expect(noted).toEqual([]);
});

test("without a tracer nothing is done", () => {
  const answer = new Response();
  expect(tracedRequest(null, request("/api/admin/users"), () => answer)).toBe(answer);
});

test.each([
  [200, "/api/admin/users", "GET", "GET /api/admin/users", "/api/admin/users", []],
  [
    499,
    "/api/admin/orders/o-1/events?date=x",
    "POST",
    "POST /api/admin/orders/{id}/events",
    "/api/admin/orders/{id}/events",
    [],
  ],
  [500, "/secret", "DELETE", "DELETE", null, ["500"]],
  [503, "/secret", "PURGE", "_OTHER", null, ["503"]],
])("a request answered %d", async (status, path, method, name, route, codes) => {
  const { noted, tracer } = notes();
  const answer = new Response(null, { status });
  expect(await tracedRequest(tracer, request(path, { method }), () => Promise.resolve(answer))).toBe(answer);
  expect(noted).toEqual([
    [name, {
      kind: "server",
      parent: null,
      attributes: { "http.request.method": name.split(" ")[0], ...(route !== null && { "http.route": route }) },
    }],
    ["set", "http.response.status_code", status],
    ...codes.map((code) => ["fail", code]),
    "end",
  ]);
});

test("the span names the methods of HTTP as they are", async () => {
  const { noted, tracer } = notes();
  const methods = ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"];
  for (const method of methods) await tracedRequest(tracer, request("/x", { method }), () => new Response());
  const named = noted.flatMap((note) => Array.isArray(note) && note.length === 2 ? [note[0]] : []);
  expect(named).toEqual(methods);
});

test("the span goes on with the caller's trace; a failure is thrown on, and ends it", async () => {
  const { noted, tracer } = notes();
  const [traceId, spanId] = ["1".repeat(32), "2".repeat(16)];
  const headers = { traceparent: `00-${traceId}-${spanId}-00`, tracestate: "a=b" };
  const failure = new Error("broken");
  const asked = tracedRequest(tracer, request("/api/admin/users", { headers }), () => Promise.reject(failure));
  expect(await Promise.resolve(asked).catch((error) => error)).toBe(failure);
  expect(noted).toEqual([
    [expect.any(String), expect.objectContaining({ parent: { traceId, spanId, isSampled: false, state: "a=b" } })],
    ["fail", "internal"],
    "end",
  ]);
});
