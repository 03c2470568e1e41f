// Requests that no client should send, to the compiled executable with a real engine behind it: valid and invalid calls made
// from the tools' schemas, damaged JSON, wrong, missing or hostile headers, and bodies with a wrong length or wrong chunks.
//
// Every request is answered, or its connection is ended. No answer is an internal error, every result fits the tool's
// output schema, and afterwards the server works as before.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { TOOLS } from "../plugins/support/packs.ts";
import { MODERN, modernMeta } from "../support/raw-request.ts";
import { inputsOf, wholeInputSchema } from "../support/schema-inputs.ts";
import { startHttpServer } from "../support/executable.ts";
import { raw } from "../support/raw-http.ts";
import { memoryMb } from "../support/processes.ts";
import { LONG, size } from "../support/sizes.ts";
import { NORTH, startPowerMarket } from "../support/power-market.ts";
import { SEED } from "../support/seed.ts";

const REQUESTS = size(200, 20_000);
const AT_ONCE = 16;
const ROUND = 500;
const MEMORY_NOISE_MB = 64;

const engine = await startPowerMarket();
const server = await startHttpServer({
  ...engine.environmentFor("anna"),
  MKT_AUTO_CONNECT: "1",
  MCP_BODY_TIMEOUT_MS: "500",
});

/** One request, on a connection of its own. */
interface OddRequest {
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

/** Further parameters of a call. Half of the calls have none. */
const FURTHER: Record<string, unknown>[] = [
  ...[{}, {}, {}],
  ...[{ inputResponses: { confirmation: {} } }, { requestState: "v1.x.y" }, { _meta: { progressToken: {} } }],
];

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
      era: fc.constantFrom(...Array<string>(5).fill(MODERN), ...Array<string>(8).fill("2025-11-25"), "1999-01-01", ""),
      further: fc.constantFrom(...FURTHER),
    })
  ),
);

type Message = typeof message extends fc.Arbitrary<infer Made> ? Made : never;

function jsonOf({ tool, input, id, method, era, further }: Message): string {
  const meta = era === MODERN && { _meta: modernMeta() };
  return JSON.stringify({ jsonrpc: "2.0", id, method, params: { name: tool, arguments: input, ...meta, ...further } });
}

const PIECES = ["{", "]", '"', "\\", "\u0000", "1e999", "NaN", "\\ud800", "\ud800", "//"];
const TEXTS = ["", "null", "[]", "{}", "7", '"x"', "[[[[", "[".repeat(50_000), "[{}]", " "];
/** Damage to a JSON text, which usually makes it invalid. */
const damage: fc.Arbitrary<(text: string) => string> = fc.oneof(
  { weight: 20, arbitrary: fc.constant((text: string) => text) },
  { weight: 1, arbitrary: fc.nat().map((at) => (text: string) => text.slice(0, at % (text.length + 1))) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat(), fc.constantFrom(...PIECES)).map(([at, piece]) => (text: string) =>
      text.slice(0, at % text.length) + piece + text.slice(at % text.length)
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(...TEXTS).map((text) => () => text) },
  { weight: 1, arbitrary: fc.nat(24).map((count) => (text: string) => `[${Array(count).fill(text).join(",")}]`) },
);

const ODD_HEADERS = {
  "Content-Type": ["text/plain", "application/json; charset=utf-7", ""],
  "Accept": ["text/html", "*/*;q=0"],
  "Origin": ["https://evil.example", "null"],
  "Authorization": ["Bearer \u00ff", `Bearer ${"x".repeat(9000)}`],
  "Mcp-Session-Id": ["made-up"],
  "MCP-Protocol-Version": ["2026-07-28", "nonsense"],
  "Mcp-Method": ["tools/list"],
  "Mcp-Name": ["other"],
  "Transfer-Encoding": ["chunked", "gzip, chunked"],
  "Content-Encoding": ["gzip"],
  "Content-Length": ["5", "-1", "99999999999999999999"],
  "Expect": ["100-continue"],
  "Connection": ["upgrade"],
  "Upgrade": ["websocket"],
  "Last-Event-ID": ["1"],
  "X-Forwarded-For": ["127.0.0.1"],
  "": ["no name"],
  "X-\u0000": ["zero"],
  "X-Long": ["y".repeat(20_000)],
};
/** Header lines. A name may occur twice. */
const oddHeaders = fc.array(
  fc.constantFrom(
    ...Object.entries(ODD_HEADERS).flatMap(([name, values]) => values.map((value) => `${name}: ${value}`.trimEnd())),
    "Broken header",
  ),
  { maxLength: 3 },
);

const oddRequest: fc.Arbitrary<OddRequest> = fc.record({
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

interface Answered {
  /** 0 if the connection was closed without an answer. */
  readonly status: number;
  readonly messages: readonly Record<string, unknown>[];
}

async function answerTo({ bytes, isCut }: OddRequest): Promise<Answered> {
  const text = await raw(server.url, (socket) => isCut ? socket.end(bytes) : socket.write(bytes));
  if (text === "") return { status: 0, messages: [] };
  const status = Number(/^HTTP\/1\.[01] (\d{3}) /.exec(text)?.[1]);
  if (!Number.isInteger(status)) throw new Error(`this is no HTTP: ${text.slice(0, 200)}`);
  return { status, messages: messagesIn(text.slice(text.indexOf("\r\n\r\n") + 4)) };
}

/** The JSON messages in a body or an event stream. Skips the length lines of a chunked body. */
function messagesIn(body: string): Record<string, unknown>[] {
  return body.split("\n").map((line) => line.replace(/^data: /, "").trim()).filter((line) => /^[{[]/.test(line))
    .flatMap((line): Record<string, unknown>[] => [JSON.parse(line)].flat());
}

/** Throws if a client should never see this answer. */
function check({ tool }: OddRequest, { status, messages }: Answered): void {
  expect(status).not.toBe(500);
  for (const { result, error } of messages) {
    expect([-32603, "internal"]).not.toContainEqual((error as { code?: unknown } | undefined)?.code);
    const { structuredContent, content } = (result ?? {}) as {
      structuredContent?: unknown;
      content?: { text: string }[];
    };
    expect(content?.[0]?.text ?? "").not.toContain('"code":"internal"');
    if (structuredContent === undefined) continue;
    const fit = TOOLS.find(({ name }) => name === tool)?.output.safeParse(structuredContent);
    expect(fit?.error?.issues ?? []).toEqual([]);
  }
}

test(
  `${REQUESTS} odd requests are answered or disconnected, and none harms the server (seed ${SEED})`,
  async () => {
    const statuses = new Map<number, number>();
    const memory: number[] = [];
    for (let made = 0; made < REQUESTS; made += ROUND) {
      const round = fc.sample(oddRequest, { numRuns: Math.min(ROUND, REQUESTS - made), seed: SEED + made });
      const worker = async () => {
        for (let sent = round.pop(); sent !== undefined; sent = round.pop()) {
          const answer = await answerTo(sent);
          try {
            check(sent, answer);
          } catch (error) {
            throw new Error(`${sent.bytes.toString().slice(0, 1500)}\n=> ${JSON.stringify(answer)}`, { cause: error });
          }
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      memory.push(await memoryMb(server.pid));
    }

    const counts = JSON.stringify(Object.fromEntries(statuses));
    if (LONG) console.log(`${REQUESTS} requests: ${counts}, RSS ${memory.map(Math.round)} MB`);
    expect(statuses.get(200)).toBeGreaterThan(REQUESTS / 5);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    expect(server.stderr()).not.toMatch(/"level":"(ERROR|FATAL)"|unhandled|\n +at /i);
    const half = memory.slice(Math.floor(memory.length / 2));
    expect((half.at(-1) ?? 0) - (half[0] ?? 0)).toBeLessThan(MEMORY_NOISE_MB);
  },
);
