// Oddities of the head: method, target, and every header that a check or the SDK reads.

import { type Draft, type Oddity, oddityAt, setHeader } from "./drafts.ts";
import type { Draw } from "./draw.ts";
import { MODERN } from "./usual-requests.ts";

const oddity = oddityAt("head");

/** The header has one of the values, or is missing for null. */
function header(name: string, weight: number, values: readonly (string | null)[]): Oddity {
  return oddity(name, weight, (draft, draw) => setHeader(draft, name, draw.of(values)));
}

function twice(name: string, weight: number, values: readonly string[]): Oddity {
  return oddity(`${name} twice`, weight, (draft, draw) => void draft.headers.push([name, draw.of(values)]));
}

const HOSTS = [
  ["evil.example", "localhost:80", "LOCALHOST", "localhost.", "localhost:", "localhost:99999", "a b"],
  ["user@localhost", "localhost/mcp", "localhost#x", "[::1", "[::1]:1", "0.0.0.0", "127.1"],
  ["desk.example", "desk.example:8443", "", null],
].flat();
const ORIGINS = [
  ["http://localhost:5173", "https://localhost", "HTTP://LOCALHOST", "https://desk.example:8443"],
  ["https://desk.example", "https://evil.example", "http://localhost.evil.example"],
  ["null", "localhost", "", "http://localhost/path", "file://"],
].flat();
const CONTENT_TYPES = [
  ["APPLICATION/JSON", "application/json;charset=UTF-8", "application/json; charset=utf-7", "application/json;"],
  ["application/json ; x=1", "application/json, application/json", "application/json, text/plain"],
  ["application/jsonx", "application/vnd.api+json", "text/plain", "text/json", "json", "/", "", null],
].flat();
const ACCEPTS = [
  ["text/event-stream", "text/event-stream, application/json", "TEXT/EVENT-STREAM, APPLICATION/JSON"],
  ["application/json;q=0.5, text/event-stream;q=0", "application/*", "text/html", "*/*;q=0"],
  ["application/json,text/event-streamx", "nonsense", "", null],
].flat();
const VERSIONS = [
  ["2025-03-26", "2025-06-18", "2025-11-25", MODERN, "2024-11-05", "2026-07-29", "1999-01-01"],
  ["nonsense", "2026-07-28, 2026-07-28", "", null],
].flat();
const NAMES = [
  ["mkt_ping", "mkt_get_order", "other", "=?base64?bWt0X3Bpbmc=?=", "=?base64?!!?=", "=?base64??="],
  ["=?base64?bWt0X3Bpbmc?=", "=?BASE64?bWt0X3Bpbmc=?=", "\u00e9", "", null],
].flat();

/** The header's value with space around it. A Request strips it, as HTTP does. */
function spaced(draft: Draft, draw: Draw): void {
  const [name, value] = draw.of(draft.headers);
  setHeader(draft, name, draw.of([` ${value}`, `${value} `, `\t${value}\t`]));
}

export const HEAD_ODDITIES: readonly Oddity[] = [
  header("Host", 4, HOSTS),
  header("Origin", 6, ORIGINS),
  header("Content-Type", 4, CONTENT_TYPES),
  header("Accept", 5, ACCEPTS),
  header("MCP-Protocol-Version", 7, VERSIONS),
  header("Mcp-Method", 4, ["tools/call", "tools/list", "ping", "TOOLS/CALL", "tools/call, tools/call", "", null]),
  header("Mcp-Name", 5, NAMES),
  header("Mcp-Session-Id", 2, ["made-up", ""]),
  header("Mcp-Param-Limit", 1, ["5", "=?base64?NQ==?="]),
  header("Last-Event-ID", 1, ["1"]),
  header("Content-Length", 2, ["0", "5", "-1", "99999999", "abc"]),
  header("Content-Encoding", 1, ["gzip", "identity"]),
  header("Transfer-Encoding", 1, ["chunked", "gzip"]),
  header("Connection", 1, ["close", "upgrade", "keep-alive"]),
  header("Expect", 1, ["100-continue"]),
  header("Access-Control-Request-Method", 1, ["POST"]),
  header("Access-Control-Request-Headers", 1, ["authorization,mcp-method"]),
  header("X-Forwarded-For", 1, ["10.9.9.9"]),
  header("If-None-Match", 1, ["*"]),
  twice("Content-Type", 1, ["application/json", "text/plain"]),
  twice("Accept", 1, ["text/event-stream", "*/*"]),
  twice("MCP-Protocol-Version", 1, [MODERN, "2025-11-25"]),
  twice("Mcp-Name", 1, ["mkt_ping"]),
  twice("Authorization", 1, ["Bearer other"]),
  oddity("authorization", 6, (draft, draw) => {
    const right = draft.headers.find(([name]) => name === "Authorization")?.[1] ?? "Bearer no-token-is-required";
    const token = right.slice("Bearer ".length);
    const odd = [
      [null, "", "Bearer", "Bearer wrong", `bearer ${token}`, `BEARER   ${token}`, `Bearer\t${token}`],
      [`Bearer ${token} x`, `Bearer ${token.slice(0, -1)}`, `Bearer ${token.toUpperCase()}`],
      [`Basic ${token}`, token, `Bearer ${"x".repeat(5000)}`],
    ].flat();
    setHeader(draft, "Authorization", draw.of(odd));
  }),
  oddity("space", 2, spaced),
  oddity("header names in capitals", 1, (draft) => {
    draft.headers = draft.headers.map(([name, value]) => [name.toUpperCase(), value]);
  }),
  oddity("HTTP method", 3, (draft, draw) => {
    draft.method = draw.of(["GET", "HEAD", "OPTIONS", "DELETE", "PUT", "PATCH", "post", "FOO"]);
  }),
  oddity("target", 4, (draft, draw) => {
    const targets = ["/mcp/", "/mcp?x=1", "/mcp?", "/m%63p", "/MCP", "//mcp", "/mcp//", "/./mcp", "/x/../mcp", "/"];
    draft.target = draw.of([...targets, "/mcp#x", "/mcp;x", "/mcp%00", "/metrics", "/health", "/nowhere", "/probe"]);
    if (draft.target === "/metrics" || draft.target === "/probe") draft.method = draw.of(["GET", "POST"]);
  }),
];
