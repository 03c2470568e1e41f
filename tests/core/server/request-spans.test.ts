// The spans of what clients ask for over HTTP: the same whether the SDK answers or the path past it.

import { describe, expect, test } from "bun:test";
import { ToolError } from "../../../core/error.ts";
import { definePack, type Pack } from "../../../core/packs/pack.ts";
import { definePrompt } from "../../../core/prompts/prompt.ts";
import { defineResource } from "../../../core/resources/resource.ts";
import { RecordedTracer } from "../../support/recorded-tracer.ts";
import { JSON_HEADERS } from "../../support/http-requests.ts";
import { legacyCall, modernCall, modernHeaders } from "../../support/raw-request.ts";
import { testRoute } from "../support/declarations.ts";
import { openWorld } from "./two-paths/world.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const OTHER = "0af7651916cd43dd8448eb211c80319c";
const traceparent = `00-${TRACE}-${PARENT}-01`;
const OTHER_PARENT = `00-${OTHER}-${PARENT}-01`;

const ACME: Pack = definePack({
  name: "acme",
  description: "d",
  resources: [
    defineResource({
      name: "thing",
      uri: "mkt://thing/{thingId}",
      title: "t",
      description: "d",
      read: ({ thingId }) => {
        if (thingId === "none") throw new ToolError("not_found", "There is no such thing.", "Ask for another.");
        return { thingId };
      },
    }),
  ],
  prompts: [definePrompt({ name: "acme_look", title: "l", description: "d", messages: () => "look" })],
  routes: [testRoute("/acme", async (_request, { callTool }) => Response.json(await callTool("mkt_ping", {})))],
});

async function worldOf(plainPath: boolean) {
  const tracer = new RecordedTracer();
  const world = await openWorld({ environment: { MKT_BEARER_TOKEN: "t" }, packs: [ACME], tracer }, plainPath);
  const ask = async (path: string, init: RequestInit) => {
    const from = tracer.spans.length;
    const headers = { Host: "localhost", ...init.headers as Record<string, string> };
    const response = await world.fetch(new Request(`http://localhost${path}`, { ...init, headers }));
    await response.text();
    return tracer.spans.slice(from);
  };
  const post = (body: object, headers: Record<string, string> = {}) =>
    ask("/mcp", { method: "POST", headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(body) });
  return { ask, post };
}

const PLAIN = await worldOf(true);

describe.each([["past the SDK", PLAIN], ["by the SDK", await worldOf(false)]])(
  "a call that is answered %s",
  (_, { post }) => {
    test("continues the trace of its header", async () => {
      const [span, ...others] = await post(legacyCall(3, "mkt_ping"), { traceparent, tracestate: "a=1" });
      expect(others).toEqual([]);
      expect(span).toMatchObject({ name: "tools/call mkt_ping", failure: null, hasEnded: true });
      expect(span?.begun).toMatchObject({ kind: "server", parent: { traceId: TRACE, spanId: PARENT, state: "a=1" } });
      expect(span?.attributes).toEqual({
        "mcp.method.name": "tools/call",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "mkt_ping",
        "network.transport": "tcp",
        "network.protocol.name": "http",
        "jsonrpc.request.id": "3",
        "mkt.outcome": "ok",
      });
    });

    test("continues that of _meta, on both generations of the protocol, and links that of the header", async () => {
      const call = legacyCall(3, "mkt_ping");
      const legacy = { ...call, params: { ...call.params, _meta: { traceparent } } };
      const modern = JSON.parse(modernCall("mkt_ping", {}));
      modern.params._meta.traceparent = traceparent;
      const spans = [
        ...await post(legacy, { traceparent: OTHER_PARENT }),
        ...await post(modern, { ...modernHeaders("tools/call", "mkt_ping"), traceparent: OTHER_PARENT }),
      ];
      for (const { begun } of spans) {
        expect(begun).toMatchObject({ parent: { traceId: TRACE }, link: { traceId: OTHER } });
      }
      expect(spans.map(({ attributes }) => attributes["mcp.protocol.version"])).toEqual([undefined, "2026-07-28"]);
    });

    test("shows how it failed, and nothing that the client has written", async () => {
      const secret = "my secret, 4711";
      const spans = [
        ...await post({ ...legacyCall(3, "mkt_get_order", { orderId: secret }), id: secret }),
        ...await post(legacyCall(3, "mkt_ping", { [secret]: secret })),
        ...await post(legacyCall(3, secret)),
      ];
      expect(spans.map(({ name, failure }) => [name, failure])).toEqual([
        ["tools/call mkt_get_order", "not_connected"],
        ["tools/call mkt_ping", "invalid_input"],
        ["tools/call", "unknown_tool"],
      ]);
      expect(JSON.stringify(spans)).not.toContain("4711");
    });
  },
);

describe("a request", () => {
  const { ask, post } = PLAIN;

  test("for a resource or a prompt has the declared name, without the ids in it", async () => {
    const send = (method: string, params: object) => post({ jsonrpc: "2.0", id: 1, method, params }, { traceparent });
    const spans = [
      ...await send("resources/read", { uri: "mkt://thing/secret-4711" }),
      ...await send("resources/read", { uri: "mkt://thing/none" }),
      ...await send("prompts/get", { name: "acme_look" }),
    ];
    expect(spans.map(({ name, failure }) => [name, failure])).toEqual([
      ["resources/read mkt://thing/{thingId}", null],
      ["resources/read mkt://thing/{thingId}", "not_found"],
      ["prompts/get acme_look", null],
    ]);
    for (const { begun, hasEnded } of spans) {
      expect(hasEnded).toBe(true);
      expect(begun.parent?.traceId).toBe(TRACE);
    }
    expect(JSON.stringify(spans)).not.toContain("4711");
  });

  test("for a route of a pack contains the tool calls that the route makes", async () => {
    const [route, call] = await ask("/acme?secret=4711", { headers: { traceparent } });
    const attributes = { "http.request.method": "GET", "http.route": "/acme" };
    expect(route).toMatchObject({ name: "GET /acme", attributes, begun: { parent: { spanId: PARENT } } });
    const begun = { kind: "internal", parent: { spanId: route?.context.spanId } };
    expect(call).toMatchObject({ name: "tools/call mkt_ping", hasEnded: true, begun });
    expect(JSON.stringify([route, call])).not.toContain("4711");
  });

  test("for a list has no span", async () => {
    expect(await post({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }, { traceparent })).toEqual([]);
  });
});
