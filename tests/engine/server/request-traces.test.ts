import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { startTestEngine } from "../../support/engines.ts";
import { RecordedTracer } from "../../support/recorded-tracer.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { BUYER, connect, OPERATOR, restingBuy, submission, type TestClient } from "./harness.ts";

const TRACES = ["4bf92f3577b34da6a3ce929d0e0e4736", "0af7651916cd43dd8448eb211c80319c"];
const fieldsOf = (at: number) => ({ traceparent: `00-${TRACES[at]}-00f067aa0ba902b7-01`, tracestate: "vendor=4711" });

const contractOf = (client: TestClient) =>
  String(client.states.filter(({ statePath }) => statePath.startsWith("/CONTRACT/")).at(-1)?.state?.id);

test("a repeat under another trace gets the first answer, and no trace is in journal or audit trail", async () => {
  const data = temporaryDirectory();
  const tracer = new RecordedTracer();
  const engine = await startTestEngine({ data, tracer });
  const client = await connect(engine, BUYER);
  const payload = restingBuy(contractOf(client));
  const submit = (requestId: string, fields: object) =>
    client.send({ ...submission(requestId, payload, "op-1"), ...fields });
  submit("first", fieldsOf(0));
  submit("again", fieldsOf(1));
  submit("plain", {});
  const [first, again, plain] = await Promise.all(["first", "again", "plain"].map((id) => client.response(id)));
  expect(first).toMatchObject({ status: "ok" });
  expect(again).toEqual({ ...first!, requestId: "again" });
  expect(plain).toEqual({ ...first!, requestId: "plain" });
  await engine.stop();

  const kept = readdirSync(data, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1")).join();
  expect(kept).toContain("op-1");
  for (const text of [...TRACES, "vendor=4711", "traceparent"]) expect(kept).not.toContain(text);
  const own = tracer.spans.find(({ begun }) => begun.kind === "server" && begun.parent === null)?.context.traceId;
  const parts = (trace?: string) =>
    tracer.spans.filter(({ context }) => context.traceId === trace).map(({ name }) => name);
  for (const trace of [...TRACES, own]) expect(parts(trace)).toEqual(["order.submit", "execute", "commit"]);
  expect(tracer.spans.every(({ hasEnded }) => hasEnded)).toBe(true);
});

test("only an engine that records traces says in its welcome that it takes them", async () => {
  const [recording, other] = [await startTestEngine({ tracer: new RecordedTracer() }), await startTestEngine()];
  expect(await (await connect(recording, BUYER)).message("welcome")).toMatchObject({ traceContext: true });
  const client = await connect(other, BUYER);
  expect(await client.message("welcome")).not.toHaveProperty("traceContext");
  client.send({ ...submission("1", {}), action: "order.cancel", ...fieldsOf(0) });
  expect(await client.response("1")).toMatchObject({ code: "invalid_payload" });
});

test("a wrong context begins a trace, and the request is carried out", async () => {
  const tracer = new RecordedTracer();
  const client = await connect(await startTestEngine({ tracer }), BUYER);
  client.send({ ...submission("1", restingBuy(contractOf(client))), traceparent: "00-x", tracestate: "y" });
  expect(await client.response("1")).toMatchObject({ status: "ok" });
  expect(tracer.spans[0]?.begun.parent).toBeNull();
});

test.each([["records traces", true], ["records none", false]])(
  "fields of a trace that are no text do not refuse a request to an engine that %s",
  async (_name, records) => {
    const client = await connect(await startTestEngine(records ? { tracer: new RecordedTracer() } : {}), BUYER);
    const payload = restingBuy(contractOf(client));
    for (const [index, wrong] of [null, 7, { a: 1 }].entries()) {
      const id = `${index}`;
      client.send({ ...submission(id, payload), traceparent: wrong, tracestate: wrong });
      expect(await client.response(id)).toMatchObject({ status: "ok" });
    }
  },
);

test("a rejected request has its code, and an HTTP request its route, without the ids in it", async () => {
  const tracer = new RecordedTracer();
  const engine = await startTestEngine({ tracer });
  const client = await connect(engine, BUYER);
  client.send({ kind: "request", requestId: "1", operationId: "1", action: "order.cancel", payload: { orderId: "x" } });
  await client.response("1");
  expect(tracer.spans.find(({ name }) => name === "order.cancel")?.failure).toBe("not_found");
  const headers = { "X-Mkt-User": OPERATOR, ...fieldsOf(0) };
  for (const path of ["/api/admin/orders/4711/blocks", "/api/admin/4711", "/health"]) {
    await (await fetch(`${engine.url}${path}`, { headers })).text();
  }
  const ofHttp = tracer.spans.filter(({ attributes }) => "http.request.method" in attributes);
  expect(ofHttp.map(({ name, attributes, begun }) => [name, attributes, begun.parent?.traceId])).toEqual([
    ["GET /api/admin/orders/{id}/blocks", {
      "http.request.method": "GET",
      "http.route": "/api/admin/orders/{id}/blocks",
      "http.response.status_code": 404,
    }, TRACES[0]],
    ["GET", { "http.request.method": "GET", "http.response.status_code": 404 }, TRACES[0]],
  ]);
});
