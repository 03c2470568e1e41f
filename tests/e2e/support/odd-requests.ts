// Requests that no client should send, as bytes: valid and invalid calls made from the tools' schemas, damaged JSON, wrong,
// missing or hostile headers, and bodies with a wrong length or wrong chunks.

import fc from "fast-check";
import { TOOLS } from "../../plugins/support/packs.ts";
import { MODERN, modernMeta } from "../../support/raw-request.ts";
import { inputsOf, wholeInputSchema } from "../../support/schema-inputs.ts";
import { NORTH } from "./market.ts";

/** One request, on a connection of its own. */
export interface OddRequest {
  readonly tool: string;
  readonly bytes: Buffer;
  /** Whether the body is shorter than announced because the client disconnects. */
  readonly isCut: boolean;
}

const known = ["anna", "bert", "aurora", "borealis", NORTH, "ORD-1", "ORDER", "new.order", "status", "working"];

/** `usual`, `weight` times as often as an odd value. */
function mostly<Value>(weight: number, usual: Value, odd: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: odd });
}

const message = fc.oneof(
  ...TOOLS.filter(({ name }) => !name.startsWith("mkt_dev_")).map((tool) =>
    fc.record({
      tool: fc.constant(tool.name),
      input: inputsOf(wholeInputSchema(tool), { known }),
      id: fc.constantFrom<unknown>(1, 2, 3, 4, 5, "a", 0, -1, 1.5, null, undefined, {}, "x".repeat(500)),
      method: mostly<unknown>(
        8,
        "tools/call",
        fc.constantFrom("tools/list", "ping", "initialize", "server/discover", "x", 7, null),
      ),
      era: fc.constantFrom(
        ...Array<string>(5).fill(MODERN),
        ...Array<string>(8).fill("2025-11-25"),
        "1999-01-01",
        "",
      ),
      further: fc.constantFrom<Record<string, unknown>>({}, {}, {}, { inputResponses: { confirmation: {} } }, {
        requestState: "v1.x.y",
      }, {
        _meta: { progressToken: {} },
      }),
    })
  ),
);

type Message = typeof message extends fc.Arbitrary<infer Made> ? Made : never;

function jsonOf({ tool, input, id, method, era, further }: Message): string {
  const meta = era === MODERN && { _meta: modernMeta() };
  return JSON.stringify({ jsonrpc: "2.0", id, method, params: { name: tool, arguments: input, ...meta, ...further } });
}

/** Damage to a JSON text, which usually makes it invalid. */
const damage: fc.Arbitrary<(text: string) => string> = fc.oneof(
  { weight: 20, arbitrary: fc.constant((text: string) => text) },
  { weight: 1, arbitrary: fc.nat().map((at) => (text: string) => text.slice(0, at % (text.length + 1))) },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.nat(),
      fc.constantFrom("{", "]", '"', "\\", "\u0000", "1e999", "NaN", "\\ud800", "\ud800", "//"),
    )
      .map(([at, piece]) => (text: string) => text.slice(0, at % text.length) + piece + text.slice(at % text.length)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("", "null", "[]", "{}", "7", '"x"', "[[[[", "[".repeat(50_000), "[{}]", " ").map(
      (text) => () => text,
    ),
  },
  { weight: 1, arbitrary: fc.nat(24).map((count) => (text: string) => `[${Array(count).fill(text).join(",")}]`) },
);

/** Header lines. A name may occur twice. */
const oddHeaders = fc.array(
  fc.constantFrom(
    "Content-Type: text/plain",
    "Content-Type: application/json; charset=utf-7",
    "Content-Type:",
    "Accept: text/html",
    "Accept: */*;q=0",
    "Origin: https://evil.example",
    "Origin: null",
    "Authorization: Bearer \u00ff",
    `Authorization: Bearer ${"x".repeat(9000)}`,
    "Mcp-Session-Id: made-up",
    "MCP-Protocol-Version: 2026-07-28",
    "MCP-Protocol-Version: nonsense",
    "Mcp-Method: tools/list",
    "Mcp-Name: other",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip, chunked",
    "Content-Encoding: gzip",
    "Content-Length: 5",
    "Content-Length: -1",
    "Content-Length: 99999999999999999999",
    "Expect: 100-continue",
    "Connection: upgrade",
    "Upgrade: websocket",
    "Last-Event-ID: 1",
    "X-Forwarded-For: 127.0.0.1",
    "Broken header",
    ": no name",
    "X-\u0000: zero",
    `X-Long: ${"y".repeat(20_000)}`,
  ),
  { maxLength: 3 },
);

export const oddRequest: fc.Arbitrary<OddRequest> = fc.record({
  message,
  damage,
  line: mostly(
    20,
    "POST /mcp HTTP/1.1",
    fc.constantFrom(
      "GET /mcp HTTP/1.1",
      "DELETE /mcp HTTP/1.1",
      "OPTIONS /mcp HTTP/1.1",
      "POST /MCP/../mcp HTTP/1.1",
      "POST /mcp?x=%ff%00 HTTP/1.1",
      "POST //mcp HTTP/1.1",
      "GET /metrics HTTP/1.1",
      "GET /health HTTP/1.1",
      "POST /mcp HTTP/1.0",
      "POST /mcp HTTP/9.9",
      "FOO /mcp HTTP/1.1",
      `GET /${"a".repeat(9000)} HTTP/1.1`,
      "\u0000\u0001",
    ),
  ),
  host: mostly(
    15,
    "Host: localhost",
    fc.constantFrom("Host: evil.example", "Host: localhost:1\r\nHost: evil.example", "Host:", "X-No-Host: 1"),
  ),
  odd: mostly<string[]>(5, [], oddHeaders),
  cut: mostly(15, 1, fc.double({ min: 0, max: 1, noNaN: true })),
}).map(({ message, damage, line, host, odd, cut }) => {
  const body = damage(jsonOf(message));
  const isModern = message.era === MODERN;
  const head = [
    line,
    host,
    "Connection: close",
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    ...(message.era === "" ? [] : [`MCP-Protocol-Version: ${message.era}`]),
    ...(isModern ? [`Mcp-Method: ${String(message.method)}`, `Mcp-Name: ${message.tool}`] : []),
    ...odd,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  const whole = Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
  return { tool: message.tool, bytes: whole.subarray(0, Math.ceil(whole.length * cut)), isCut: cut < 1 };
});
