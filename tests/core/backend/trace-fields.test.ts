import { expect, test } from "bun:test";
import { tracedFetch } from "../../../core/backend/client-span.ts";
import { HttpStateClient } from "../../../core/backend/http-state-client.ts";
import { ToolError } from "../../../core/error.ts";
import { RecordedTracer } from "../../support/recorded-tracer.ts";
import { connected } from "./support/clients.ts";

const CALL = { kind: "server", parent: null } as const;

test("a request carries the context of its span, which ends with the outcome", async () => {
  const tracer = new RecordedTracer();
  const { client, connection } = await connected({ tracer }, { traceContext: true });
  const call = tracer.start("call", CALL);
  const outcome = tracer.within(call, () => client.request("order.cancel", { orderId: "secret-4711" }));
  const request = await connection.respond({ status: "rejected", code: "not_found", message: "no" });
  expect(await outcome).toMatchObject({ kind: "rejected" });
  const [, span] = tracer.spans;
  expect(request.traceparent).toBe(`00-${call.context.traceId}-${span?.context.spanId}-01`);
  expect(request).not.toHaveProperty("tracestate");
  expect(span).toMatchObject({ name: "order.cancel", failure: "not_found", hasEnded: true });
  expect(JSON.stringify(span?.attributes)).not.toContain("4711");
});

test.each(["order 4711 of Anna", "x".repeat(65)])("a code that is a text is not in the span: %s", async (code) => {
  const tracer = new RecordedTracer();
  const { client, connection } = await connected({ tracer }, { traceContext: true });
  const outcome = client.request("order.cancel", { orderId: "1" });
  await connection.respond({ status: "rejected", code, message: "no" });
  await outcome;
  expect(tracer.spans[0]).toMatchObject({ name: "order.cancel", failure: "rejected" });
});

test.each([["does not take them", true], ["takes them, if no traces are recorded", false]])(
  "a request has no field of a trace for an engine that %s",
  async (_name, records) => {
    const tracer = records ? new RecordedTracer() : null;
    const { client, connection } = await connected({ tracer }, records ? {} : { traceContext: true });
    const outcome = client.request("order.cancel", { orderId: "1" });
    const request = await connection.respond({ result: {} });
    await outcome;
    expect(Object.keys(request)).not.toContain("traceparent");
  },
);

test("a request that is sent again leaves the fields out if the engine no longer takes them", async () => {
  const parts = await connected({ tracer: new RecordedTracer() }, { traceContext: true });
  const { engine, client, connection: before } = parts;
  const outcome = client.request("order.cancel", { orderId: "1" });
  expect(await before.next("request")).toHaveProperty("traceparent");
  before.cut();
  const after = await engine.admitted();
  expect(await after.respond({ result: {} })).not.toHaveProperty("traceparent");
  await outcome;
});

test("a request over HTTP carries it in its headers, under the name of its route", async () => {
  const tracer = new RecordedTracer();
  let headers = new Headers();
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      headers = request.headers;
      return new Response("no", { status: 500 });
    },
  });
  const baseUrl = `http://127.0.0.1:${server.port}`;
  const client = new HttpStateClient({ baseUrl, token: null, actingUserId: () => "u", tracer });
  await expect(client.positions("secret-4711")).rejects.toThrow("500");
  const [span] = tracer.spans;
  expect(headers.get("traceparent")).toBe(`00-${span?.context.traceId}-${span?.context.spanId}-01`);
  expect(span).toMatchObject({ name: "GET /api/admin/entities/{id}/positions", failure: "500", hasEnded: true });
  expect(JSON.stringify(span?.attributes)).not.toContain("4711");
});

test.each([[200, null], [399, null], [400, "400"], [404, "404"]])(
  "the span of a request over HTTP that is answered with %d has failed as %p",
  async (status, failure) => {
    const tracer = new RecordedTracer();
    const request = { method: "GET", path: "/x", url: "http://engine:8080" };
    await tracedFetch(tracer, request, () => Promise.resolve({ status }));
    const address = { "server.address": "engine", "server.port": 8080 };
    expect(tracer.spans).toMatchObject([{ failure, hasEnded: true, attributes: address }]);
    expect(tracer.spans[0]?.attributes).toMatchObject({ "http.response.status_code": status });
  },
);

test.each<[string, Error, string]>([
  ["its code", new ToolError("timeout", "m", "h"), "timeout"],
  ["given_up if the caller has gone", new Error("aborted"), "given_up"],
])("the span of a request that fails has %s", async (_what, error, failure) => {
  const tracer = new RecordedTracer();
  const request = { method: "GET", path: "/x", url: "http://engine" };
  await expect(tracedFetch(tracer, request, () => Promise.reject(error))).rejects.toThrow(error);
  expect(tracer.spans).toMatchObject([{ failure, hasEnded: true }]);
});
