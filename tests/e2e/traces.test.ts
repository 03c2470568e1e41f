// Traces and metrics by OTLP, from the compiled executable to a receiver on this machine.

import { afterAll, expect, test } from "bun:test";
import { startHttpServer } from "../support/executable.ts";
import { OtlpReceiver, type ReceivedSpan } from "../support/otlp-receiver.ts";
import { HANDSHAKE, legacyCall } from "../support/raw-request.ts";
import { startStdioServer } from "../support/stdio-server.ts";
import { until } from "../support/until.ts";
import { post } from "../support/http-requests.ts";
import { NORTH, startMarket } from "./support/market.ts";
import { LONG } from "../support/sizes.ts";

const SECRET = "correct-horse-battery";
const receiver = new OtlpReceiver();
afterAll(() => receiver[Symbol.dispose]());

const TELEMETRY = {
  OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
  OTEL_EXPORTER_OTLP_HEADERS: `api-key=${SECRET}`,
  OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
  OTEL_TRACES_SAMPLER: "parentbased_always_on",
  OTEL_BSP_SCHEDULE_DELAY: "50",
  OTEL_METRIC_EXPORT_INTERVAL: "100",
  LOG_LEVEL: "debug",
};

const engine = await startMarket({ env: TELEMETRY });
const ofAnna = { ...engine.environmentFor("anna"), MKT_AUTO_CONNECT: "1" };
const server = await startHttpServer({ ...ofAnna, ...TELEMETRY });

const SPAN_OF_CLIENT = "00f067aa0ba902b7";
const ORDER = { contractId: NORTH, side: "BUY", price: 4321, quantity: 7 };

/** A context of a client's trace of its own. */
function clientTrace(state?: string) {
  const traceId = crypto.randomUUID().replaceAll("-", "");
  const fields = { traceparent: `00-${traceId}-${SPAN_OF_CLIENT}-01`, ...(state && { tracestate: state }) };
  return { traceId, fields };
}

/** What is between the names of spans of a trace: [service, name, kind, name of the parent]. */
function tree(spans: readonly ReceivedSpan[]) {
  const nameOf = (id: string) => spans.find(({ spanId }) => spanId === id)?.name ?? id;
  return spans.toSorted((one, other) => Number(one.start - other.start) || one.kind - other.kind)
    .map(({ service, name, kind, parentId }) => [service, name, kind, nameOf(parentId)].join(" < "));
}

test("the trace of a tool call over HTTP goes on from the client's header through the server and the engine to the commit", async () => {
  const { traceId, fields } = clientTrace("vendor=7");
  const answer = await post(server, legacyCall(5, "mkt_create_test_order", ORDER), fields);
  expect(await answer.text()).toContain("success");
  const spans = await receiver.trace(traceId, 5);
  expect(tree(spans).toSorted()).toEqual([
    "mkt-engine < commit < 1 < order.submit",
    "mkt-engine < execute < 1 < order.submit",
    "mkt-engine < order.submit < 2 < order.submit",
    `mkt-server < order.submit < 3 < tools/call mkt_create_test_order`,
    `mkt-server < tools/call mkt_create_test_order < 2 < ${SPAN_OF_CLIENT}`,
  ]);
  const ofEngine = spans.find(({ service, kind }) => service === "mkt-engine" && kind === 2);
  const ofClient = spans.find(({ kind }) => kind === 3);
  expect(ofEngine?.parentId).toBe(ofClient?.spanId ?? "");
  expect(ofEngine?.attributes).toEqual({ "rpc.system": "mkt", "rpc.method": "order.submit" });
  expect(spans.map(({ state }) => state)).toEqual(Array(5).fill("vendor=7"));
  expect(spans.map(({ status }) => status.code)).toEqual(Array(5).fill(0));
  for (const { start, end } of spans) expect(end >= start).toBe(true);
});

test("over stdio a call continues the trace of its _meta, and the last spans are sent at the end", async () => {
  const { traceId, fields } = clientTrace();
  const slow = { ...TELEMETRY, OTEL_BSP_SCHEDULE_DELAY: "3600000", OTEL_SERVICE_NAME: "desk-7" };
  const stdio = startStdioServer({ ...ofAnna, ...slow });
  const call = legacyCall(1, "mkt_create_test_order", ORDER);
  stdio.send(...HANDSHAKE, { ...call, params: { ...call.params, _meta: fields } });
  await stdio.answer(1);
  stdio.close();
  expect(await stdio.ended()).toBe(0);
  const spans = await receiver.trace(traceId, 5);
  expect(tree(spans).toSorted()).toContain(`desk-7 < tools/call mkt_create_test_order < 2 < ${SPAN_OF_CLIENT}`);
  expect(spans.filter(({ service }) => service === "mkt-engine").length).toBe(3);
  expect(receiver.metrics.get("desk-7 mkt_tool_calls_total")?.points).toMatchObject([
    { attributes: { tool: "mkt_create_test_order", outcome: "ok" }, value: 1 },
  ]);
});

test("the engine sends its own metrics", async () => {
  const requests = () => receiver.metrics.get("mkt-engine mkt_engine_requests_total")?.points ?? [];
  await until(() =>
    requests().some(({ attributes: { action, outcome } }) => action === "order.submit" && outcome === "ok")
  );
  expect(receiver.metrics.get("mkt-engine mkt_engine_request_duration_seconds")?.type).toBe("histogram");
});

test("the receiver gets the headers, compressed bodies and nothing in a log", () => {
  for (const { headers } of receiver.requests) {
    expect(headers.get("api-key")).toBe(SECRET);
    expect(headers.get("Content-Encoding")).toBe("gzip");
  }
  expect(server.stderr() + engine.stderr()).not.toContain(SECRET);
});

test.skipIf(!LONG)("a receiver that refuses connections is logged once, and the process ends", async () => {
  const unreachable = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", OTEL_EXPORTER_OTLP_TIMEOUT: "50" };
  const stdio = startStdioServer({ ...ofAnna, ...TELEMETRY, ...unreachable });
  stdio.send(...HANDSHAKE, legacyCall(1, "mkt_ping"));
  await stdio.answer(1);
  await until(() => stdio.output.stderr.includes("were not sent"));
  for (const id of [2, 3, 4]) {
    stdio.send(legacyCall(id, "mkt_ping"));
    expect((await stdio.answer(id)).result.isError).not.toBe(true);
  }
  stdio.close();
  expect(await stdio.ended()).toBe(0);
  expect(stdio.output.stderr.match(/were not sent/g)).toEqual(["were not sent"]);
});

test("a receiver that never answers holds up neither a call nor the end, and the log has what was lost", async () => {
  using silent = new OtlpReceiver();
  silent.answer = () => new Promise(() => {});
  const silence = { OTEL_EXPORTER_OTLP_ENDPOINT: silent.url, OTEL_METRIC_EXPORT_INTERVAL: "60000" };
  const stdio = startStdioServer({ ...ofAnna, ...TELEMETRY, ...silence });
  stdio.send(...HANDSHAKE, legacyCall(1, "mkt_ping"));
  await until(() => silent.spans.length > 0);
  stdio.send(legacyCall(2, "mkt_ping"));
  await stdio.answer(2);
  stdio.close();
  expect(await stdio.ended()).toBe(0);
  expect(stdio.output.stderr).toContain("the receiver did not take the last ones within 2000 ms");
});
