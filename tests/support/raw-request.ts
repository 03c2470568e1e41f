// Raw requests for tests that send what no official client would, on protocol 2026-07-28 and on older ones.

const META = "io.modelcontextprotocol";

export const MODERN = "2026-07-28";

/** The `_meta` of a request: protocol version and client. */
export function modernMeta(capabilities: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    [`${META}/protocolVersion`]: MODERN,
    [`${META}/clientInfo`]: { name: "mkt-test", version: "1.0.0" },
    [`${META}/clientCapabilities`]: capabilities,
  };
}

/** The headers of a request. They must agree with its body. */
export function modernHeaders(method: string, name: string): Record<string, string> {
  return {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": MODERN,
    "Mcp-Method": method,
    "Mcp-Name": name,
  };
}

/** The body of a tool call; `further` are parameters beside name and arguments. */
export function modernCall(
  name: string,
  input: Record<string, unknown>,
  { capabilities, ...further }: { readonly capabilities?: Record<string, unknown>; readonly [field: string]: unknown } =
    {},
): string {
  const params = { name, arguments: input, ...further, _meta: modernMeta(capabilities) };
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
}

/** Messages that begin a session on an older protocol. `id` is 0. */
export const HANDSHAKE: readonly object[] = [
  {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "mkt-test", version: "1.0.0" } },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
];

/** A tool call on an older protocol. */
export function legacyCall(id: number, name: string, input: object = {}) {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: input } };
}
