// Which messages are plain over HTTP. Every plain one is also shown to the SDK, which must accept it.

import { describe, expect, test } from "bun:test";
import { classifyInboundRequest, isSpecType, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { plainMessage } from "../../../../core/messages/plain-message.ts";
import { headersFit } from "../../../../core/server/plain/plain-path.ts";
import { MODERN, modernMeta } from "../../../support/raw-request.ts";

const NAME = "mkt_get_order";
const CALL = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: NAME, arguments: { orderId: "ORD-1" } } };
const modernHeaders = (method: string, name?: string) => ({
  "MCP-Protocol-Version": MODERN,
  "Mcp-Method": method,
  ...(name !== undefined && { "Mcp-Name": name }),
});
const modernCall = (meta: object = modernMeta()) => ({ ...CALL, params: { ...CALL.params, _meta: meta } });

function kindOf(body: unknown, headers: Record<string, string> = {}) {
  const plain = plainMessage(body);
  if (plain === null || plain.method === "initialize") return null;
  return headersFit(plain, new Headers(headers)) ? `${plain.era} ${plain.method}` : null;
}

describe("a plain message", () => {
  test("of an older protocol names its version in the header, or none", () => {
    for (const version of SUPPORTED_PROTOCOL_VERSIONS) {
      expect(kindOf(CALL, { "MCP-Protocol-Version": version })).toBe("legacy tools/call");
    }
    expect(kindOf(CALL)).toBe("legacy tools/call");
    expect(kindOf({ jsonrpc: "2.0", id: "a", method: "tools/list" })).toBe("legacy tools/list");
    expect(kindOf({ jsonrpc: "2.0", id: "a", method: "ping", params: {} })).toBe("legacy ping");
  });

  test("of protocol 2026-07-28 has its envelope, and headers that name version, method and tool", () => {
    expect(kindOf(modernCall(), modernHeaders("tools/call", NAME))).toBe("modern tools/call");
    const asked = (method: string) => ({ jsonrpc: "2.0", id: 0, method, params: { _meta: modernMeta() } });
    expect(kindOf(asked("tools/list"), modernHeaders("tools/list"))).toBe("modern tools/list");
    expect(kindOf(asked("server/discover"), modernHeaders("server/discover"))).toBe("modern server/discover");
  });

  test("may hold notes for others in _meta, such as a trace context", () => {
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    expect(kindOf({ ...CALL, params: { ...CALL.params, _meta: { traceparent } } })).toBe("legacy tools/call");
    expect(kindOf(modernCall({ ...modernMeta(), traceparent }), modernHeaders("tools/call", NAME)))
      .toBe("modern tools/call");
  });
});

describe("a message is not plain", () => {
  const { params } = CALL;
  const noted = (meta: object) => ({ ...CALL, params: { ...params, _meta: meta } });
  test.each([
    ["without an id", { jsonrpc: "2.0", method: "ping" }],
    ["with the id null", { ...CALL, id: null }],
    ["with a fraction as id", { ...CALL, id: 1.5 }],
    ["with an id beyond 2^53", { ...CALL, id: 2 ** 53 }],
    ["of another JSON-RPC version", { ...CALL, jsonrpc: "1.0" }],
    ["with a further member", { ...CALL, result: {} }],
    ["with params that are no object", { ...CALL, params: [1] }],
    ["of another method", { ...CALL, method: "resources/list", params: {} }],
    ["with a cursor", { ...CALL, method: "tools/list", params: { cursor: "a" } }],
    ["without a tool's name", { ...CALL, params: {} }],
    ["with arguments that are no object", { ...CALL, params: { name: NAME, arguments: null } }],
    ["with an answer of a person", { ...CALL, params: { ...params, inputResponses: {} } }],
    ["with a progress token", noted({ progressToken: "a" })],
    ["with a reserved note", noted({ "io.modelcontextprotocol/related-task": "a" })],
    ["with a note that is no text", noted({ traceparent: 1 })],
    ["that asks an older server to describe itself", { jsonrpc: "2.0", id: 1, method: "server/discover" }],
    ["in a batch", [CALL]],
    ["as text", "ping"],
    ["as null", null],
  ])("%s", (_what, body) => {
    expect(kindOf(body)).toBeNull();
  });

  test.each<[string, unknown, Record<string, string>]>([
    ["of an unknown version", CALL, { "MCP-Protocol-Version": "2030-01-01" }],
    ["with a new version in the header alone", CALL, modernHeaders("tools/call", NAME)],
    ["with a new version in the envelope alone", modernCall(), {}],
    ["without Mcp-Method", modernCall(), { "MCP-Protocol-Version": MODERN, "Mcp-Name": NAME }],
    ["with another Mcp-Method", modernCall(), modernHeaders("tools/list", NAME)],
    ["without Mcp-Name", modernCall(), modernHeaders("tools/call")],
    ["with another Mcp-Name", modernCall(), modernHeaders("tools/call", "mkt_ping")],
    ["with ping, which 2026-07-28 doesn't have", { ...modernCall(), method: "ping" }, modernHeaders("ping")],
  ])("%s", (_what, body, headers) => {
    expect(kindOf(body, headers)).toBeNull();
  });

  const nested = (depth: number): object => depth === 0 ? {} : { a: nested(depth - 1) };
  const capabilities = (value: unknown) => ({ ...modernMeta(), "io.modelcontextprotocol/clientCapabilities": value });
  const clientInfo = (value: unknown) => ({ ...modernMeta(), "io.modelcontextprotocol/clientInfo": value });
  test.each([
    ["no capabilities", { "io.modelcontextprotocol/protocolVersion": MODERN }],
    ["capabilities that are a list", capabilities([])],
    ["a capability with a number", capabilities({ telepathy: { level: 1 } })],
    ["a capability that is nested very deep", capabilities({ extensions: nested(20) })],
    ["an elicitation that is no object", capabilities({ elicitation: true })],
    ["roots with a text", capabilities({ roots: { listChanged: "yes" } })],
    ["a client without a version", clientInfo({ name: "a" })],
    ["a client with a number as title", clientInfo({ name: "a", version: "1", title: 1 })],
    ["a log level", { ...modernMeta(), "io.modelcontextprotocol/logLevel": "info" }],
  ])("if its envelope has %s", (_what, meta) => {
    expect(kindOf(modernCall(meta), modernHeaders("tools/call", NAME))).toBeNull();
  });
});

test("the SDK takes every client capability that is plain", () => {
  const extensions = { "io.modelcontextprotocol/ui": {} };
  const forms = [{}, { telepathy: {} }, { extensions }, { sampling: {} }, { roots: { listChanged: true } }];
  for (const form of [...forms, { elicitation: {} }, { elicitation: { form: {}, url: {} } }]) {
    const body = modernCall({ ...modernMeta(), "io.modelcontextprotocol/clientCapabilities": form });
    const headers = modernHeaders("tools/call", NAME);
    expect(kindOf(body, headers)).toBe("modern tools/call");
    expect(classifyInboundRequest({ httpMethod: "POST", protocolVersionHeader: MODERN, body }).kind).toBe("modern");
    expect(isSpecType.CallToolRequest(body)).toBe(true);
  }
});
