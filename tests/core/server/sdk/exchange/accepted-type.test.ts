// Which type an answer to POST /mcp has, by the client's Accept header, with the SDK's own handler behind it.

import { describe, expect, test } from "bun:test";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { inAcceptedType } from "../../../../../core/server/sdk/exchange/accepted-type.ts";
import { MODERN, modernHeaders, modernMeta } from "../../../../support/raw-request.ts";

const PROGRESS = "notifications/progress";

/** Each call of a tool sends a notification before its result, so the SDK answers with a stream. */
const handler = createMcpHandler(() => {
  const mcp = new McpServer({ name: "s", version: "1" }, { capabilities: { tools: {} } });
  mcp.server.setRequestHandler("tools/list", () => ({ tools: [] }));
  mcp.server.setRequestHandler("tools/call", async (_request, context) => {
    await context.mcpReq.notify({ method: PROGRESS, params: { progressToken: 1, progress: 1 } });
    return { content: [{ type: "text", text: "done" }] };
  });
  return mcp;
});

type Era = "older" | "2026-07-28";
const ERAS: readonly Era[] = ["older", "2026-07-28"];
/** Undefined: no Accept header. */
const NO_STREAM = [undefined, "*/*", "application/json", "application/*;q=0.8", "text/html"];
const STREAM = ["application/json, text/event-stream", "text/event-stream", "Text/Event-Stream;q=0.5"];

async function send(era: Era, accept: string | undefined, body: unknown, method: string) {
  const headers = new Headers(era === MODERN ? modernHeaders(method, "t") : { "Content-Type": "application/json" });
  if (accept === undefined) headers.delete("Accept");
  else headers.set("Accept", accept);
  const request = new Request("http://localhost/mcp", { method: "POST", headers, body: JSON.stringify(body) });
  return await inAcceptedType(request, body, (passed) => handler.fetch(passed, { parsedBody: body }));
}

function call(era: Era, id = 1) {
  const meta = era === MODERN ? { ...modernMeta(), progressToken: 1 } : { progressToken: 1 };
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name: "t", arguments: {}, _meta: meta } };
}

const DONE = { content: [{ type: "text", text: "done" }] };

describe.each([...ERAS])("a request of protocol revision %s", (era) => {
  test.each(NO_STREAM)("with Accept %p gets JSON: the response without its notifications", async (accept) => {
    const response = await send(era, accept, call(era), "tools/call");
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("application/json");
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: 1, result: DONE });
  });

  test.each(STREAM)("with Accept %p gets a stream, with its notifications", async (accept) => {
    const response = await send(era, accept, call(era), "tools/call");
    expect(response.headers.get("Content-Type")).toStartWith("text/event-stream");
    const text = await response.text();
    expect(text.indexOf(PROGRESS)).toBeGreaterThan(0);
    expect(text.indexOf('"done"')).toBeGreaterThan(text.indexOf(PROGRESS));
  });
});

test("a batch gets an array of its responses", async () => {
  const batch = [call("older", 1), { jsonrpc: "2.0", method: "notifications/initialized" }, call("older", 2)];
  const responses = await (await send("older", "*/*", batch, "")).json() as { id: number }[];
  expect(responses.map(({ id }) => id).toSorted()).toEqual([1, 2]);
});

test("a notification gets 202 without a body", async () => {
  const response = await send("older", "*/*", { jsonrpc: "2.0", method: "notifications/initialized" }, "");
  expect([response.status, await response.text()]).toEqual([202, ""]);
});

test("a client that leaves before its response gets none", async () => {
  const answer = () => Promise.resolve(new Response("", { headers: { "Content-Type": "text/event-stream" } }));
  const response = await inAcceptedType(new Request("http://localhost/mcp", { method: "POST" }), {}, answer);
  expect(response.status).toBe(499);
});

test("a subscription stays a stream, because it never ends", async () => {
  const subscription = new Response(new ReadableStream(), { headers: { "Content-Type": "text/event-stream" } });
  const request = new Request("http://localhost/mcp", { method: "POST" });
  const body = { jsonrpc: "2.0", id: 1, method: "subscriptions/listen" };
  expect(await inAcceptedType(request, body, () => Promise.resolve(subscription))).toBe(subscription);
});
