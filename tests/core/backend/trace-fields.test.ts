// The trace context of a call, on its way to the backend.

import { expect, test } from "bun:test";
import { logger } from "../../../common/logger.ts";
import { HttpStateClient } from "../../../core/backend/http-state-client.ts";
import { PubSubClient } from "../../../core/backend/pubsub-client.ts";
import { EventBuffer } from "../../../core/market/event-buffer.ts";
import { Snapshot } from "../../../core/market/snapshot.ts";
import { RecordedTracer } from "../../support/recorded-tracer.ts";
import { type ScriptedConnection, ScriptedEngine } from "../../support/scripted-engine.ts";

const CALL = { kind: "server", parent: null } as const;

function clientOf({ url }: { readonly url: string }, tracer: RecordedTracer | null): PubSubClient {
  return new PubSubClient({
    url,
    token: null,
    allowedUserIds: null,
    confirmTimeoutMs: 5_000,
    snapshot: new Snapshot(),
    events: new EventBuffer(100),
    log: logger("test"),
    now: Date.now,
    tracer,
    timings: { firstRetryMs: 4, longestRetryMs: 20, closeMs: 100 },
  });
}

async function admitted(engine: ScriptedEngine, traceContext: boolean): Promise<ScriptedConnection> {
  const connection = await engine.connection();
  await connection.admit([], traceContext ? { traceContext } : {});
  return connection;
}

test("a request carries the context of its span, which ends with the outcome", async () => {
  await using engine = new ScriptedEngine();
  const tracer = new RecordedTracer();
  const client = clientOf(engine, tracer);
  const session = client.connect("u-1");
  const connection = await admitted(engine, true);
  await session;
  const call = tracer.start("call", CALL);
  const outcome = tracer.within(call, () => client.request("order.cancel", { orderId: "secret-4711" }));
  const request = await connection.respond({ status: "rejected", code: "not_found", message: "no" });
  expect(await outcome).toMatchObject({ kind: "rejected" });
  const [, span] = tracer.spans;
  expect(request.traceparent).toBe(`00-${call.context.traceId}-${span?.context.spanId}-01`);
  expect(request).not.toHaveProperty("tracestate");
  expect(span).toMatchObject({ name: "order.cancel", failure: "not_found", hasEnded: true });
  expect(JSON.stringify(span?.attributes)).not.toContain("4711");
  await client.disconnect();
});

test.each(["order 4711 of Anna", "x".repeat(65)])("a code that is a text is not in the span: %s", async (code) => {
  await using engine = new ScriptedEngine();
  const tracer = new RecordedTracer();
  const client = clientOf(engine, tracer);
  const session = client.connect("u-1");
  const connection = await admitted(engine, true);
  await session;
  const outcome = client.request("order.cancel", { orderId: "1" });
  await connection.respond({ status: "rejected", code, message: "no" });
  await outcome;
  expect(tracer.spans[0]).toMatchObject({ name: "order.cancel", failure: "rejected" });
  await client.disconnect();
});

test.each([["does not take them", true], ["takes them, if no traces are recorded", false]])(
  "a request has no field of a trace for an engine that %s",
  async (_name, records) => {
    await using engine = new ScriptedEngine();
    const client = clientOf(engine, records ? new RecordedTracer() : null);
    const session = client.connect("u-1");
    const connection = await admitted(engine, !records);
    await session;
    const outcome = client.request("order.cancel", { orderId: "1" });
    const request = await connection.respond({ result: {} });
    await outcome;
    expect(Object.keys(request)).not.toContain("traceparent");
    await client.disconnect();
  },
);

test("a request that is sent again leaves the fields out if the engine no longer takes them", async () => {
  await using engine = new ScriptedEngine();
  const client = clientOf(engine, new RecordedTracer());
  const session = client.connect("u-1");
  const before = await admitted(engine, true);
  await session;
  const outcome = client.request("order.cancel", { orderId: "1" });
  expect(await before.next("request")).toHaveProperty("traceparent");
  before.cut();
  const after = await admitted(engine, false);
  expect(await after.respond({ result: {} })).not.toHaveProperty("traceparent");
  await outcome;
  await client.disconnect();
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
