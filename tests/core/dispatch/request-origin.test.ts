// Which trace a request belongs to, and what its span shows of its transport.

import { expect, test } from "bun:test";
import { originAttributes, remoteTrace, type RequestOrigin } from "../../../core/dispatch/request-origin.ts";

const parent = (digit: string) => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`;
const context = (digit: string) => expect.objectContaining({ traceId: digit.repeat(32), spanId: digit.repeat(16) });
const headers = (digit: string) => new Headers({ traceparent: parent(digit), tracestate: "h=1" });

test.each<[string, Partial<RequestOrigin>, unknown, unknown]>([
  ["nothing", {}, null, null],
  ["empty headers", { headers: new Headers(), meta: {} }, null, null],
  ["the request", { meta: { traceparent: parent("a") } }, context("a"), null],
  ["the transport", { headers: headers("b") }, context("b"), null],
  ["both", { meta: { traceparent: parent("a") }, headers: headers("b") }, context("a"), context("b")],
  ["a request that can't be read", { meta: { traceparent: "odd" }, headers: headers("b") }, context("b"), null],
  [
    "a transport that can't be read",
    {
      meta: { traceparent: parent("a") },
      headers: new Headers({ traceparent: "odd" }),
    },
    context("a"),
    null,
  ],
])("a trace of %s", (_of, origin, expected, link) => {
  expect(remoteTrace({ transport: "http", ...origin })).toEqual({ parent: expected, link } as never);
});

test("the state of each trace is that of its own side", () => {
  const { parent: ofRequest, link } = remoteTrace({
    transport: "http",
    meta: { traceparent: parent("a"), tracestate: "m=1" },
    headers: headers("b"),
  });
  expect([JSON.stringify(ofRequest), JSON.stringify(link)]).toEqual([
    expect.stringContaining("m=1"),
    expect.stringContaining("h=1"),
  ]);
});

const revision = (value: string) => new Headers({ "MCP-Protocol-Version": value });
test.each<[RequestOrigin, object]>([
  [{ transport: "stdio" }, { "network.transport": "pipe" }],
  [{ transport: "http" }, { "network.transport": "tcp", "network.protocol.name": "http" }],
  [{ transport: "stdio", id: 0 }, { "network.transport": "pipe", "jsonrpc.request.id": "0" }],
  [{ transport: "stdio", id: "a-b_9" }, { "network.transport": "pipe", "jsonrpc.request.id": "a-b_9" }],
  [{ transport: "stdio", id: "x".repeat(64) }, { "network.transport": "pipe", "jsonrpc.request.id": "x".repeat(64) }],
  [{ transport: "stdio", id: "x".repeat(65) }, { "network.transport": "pipe" }],
  [{ transport: "stdio", id: "" }, { "network.transport": "pipe" }],
  [{ transport: "stdio", id: "Zoë Smith" }, { "network.transport": "pipe" }],
  [{ transport: "stdio", headers: revision("2026-07-28") }, {
    "network.transport": "pipe",
    "mcp.protocol.version": "2026-07-28",
  }],
  [{ transport: "stdio", headers: revision("2026-07-28x") }, { "network.transport": "pipe" }],
])("the span of %j shows what a program has made, and no text of a person", (origin, expected) => {
  expect(originAttributes(origin)).toEqual(expected as never);
});
