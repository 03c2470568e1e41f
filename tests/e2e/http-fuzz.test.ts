// The HTTP door of the compiled executable, with a real engine behind it, under what no client should send: calls made of
// the tools' schemas, fitting and broken, in JSON that is cut, flipped and stuffed, under headers that are wrong, missing
// or hostile, in bodies whose length or chunks are lies.
//
// Whatever comes in is answered or cut off; no answer is an internal error, what is answered fits the tool's output
// schema, and afterwards the server is as it was.

import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { listedTool } from "../../core/tools/catalogue.ts";
import { TOOLS } from "../plugins/support/packs.ts";
import {
  type RunningEngineProcess,
  type RunningMkt,
  startEngineProcess,
  startHttpServer,
} from "../support/executable.ts";
import { MODERN, modernMeta } from "../support/modern-request.ts";
import { raw } from "../support/raw-http.ts";
import { inputsOf, type Schema } from "../support/schema-inputs.ts";
import { LONG, size } from "../support/sizes.ts";
import { MARKET_FILE, NORTH } from "./support/market.ts";

const REQUESTS = size(500, 20_000);
const SEED = Number(process.env["FUZZ_SEED"] ?? Date.now() % 2 ** 31);
const AT_ONCE = 16;
const ROUND = 500;
const MEMORY_NOISE_MB = 64;

let engine: RunningEngineProcess;
let server: RunningMkt & { readonly url: string };

beforeAll(async () => {
  engine = await startEngineProcess({ args: ["--market", MARKET_FILE] });
  server = await startHttpServer({
    ...engine.environmentFor("anna"),
    MKT_AUTO_CONNECT: "1",
    MCP_BODY_TIMEOUT_MS: "500",
  });
});

afterAll(async () => {
  await server.stop();
  await engine.stop();
}, 30_000);

/** One request, on a connection of its own. */
interface Sent {
  readonly tool: string;
  readonly bytes: Buffer;
  /** Less than was announced: the client goes away in the middle. */
  readonly isCut: boolean;
}

const known = ["anna", "bert", "aurora", "borealis", NORTH, "ORD-1", "ORDER", "new.order", "status", "working"];

const message = fc.oneof(
  ...TOOLS.filter(({ name }) => !name.startsWith("mkt_dev_")).map((tool) =>
    fc.record({
      tool: fc.constant(tool.name),
      input: inputsOf(listedTool(tool).inputSchema as Schema, { known }),
      id: fc.constantFrom<unknown>(1, 2, 3, 4, 5, "a", 0, -1, 1.5, null, undefined, {}, "x".repeat(500)),
      method: fc.oneof(
        { weight: 8, arbitrary: fc.constant<unknown>("tools/call") },
        {
          weight: 1,
          arbitrary: fc.constantFrom<unknown>("tools/list", "ping", "initialize", "server/discover", "x", 7, null),
        },
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

/** Changes of a JSON text that mostly leave none. */
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

/** Pairs of header and value; a later one of a name stands beside an earlier one. */
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

const request: fc.Arbitrary<Sent> = fc.record({
  message,
  damage,
  line: fc.oneof(
    { weight: 20, arbitrary: fc.constant("POST /mcp HTTP/1.1") },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
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
    },
  ),
  host: fc.oneof(
    { weight: 15, arbitrary: fc.constant("Host: localhost") },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "Host: evil.example",
        "Host: localhost:1\r\nHost: evil.example",
        "Host:",
        "X-No-Host: 1",
      ),
    },
  ),
  odd: fc.oneof({ weight: 5, arbitrary: fc.constant<string[]>([]) }, { weight: 1, arbitrary: oddHeaders }),
  cut: fc.oneof({ weight: 15, arbitrary: fc.constant(1) }, {
    weight: 1,
    arbitrary: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
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
  /** 0 where the connection was closed without an answer. */
  readonly status: number;
  readonly messages: readonly Record<string, unknown>[];
}

async function answerTo({ bytes, isCut }: Sent): Promise<Answered> {
  const text = await raw(server.url, (socket) => isCut ? socket.end(bytes) : socket.write(bytes));
  if (text === "") return { status: 0, messages: [] };
  const status = Number(/^HTTP\/1\.[01] (\d{3}) /.exec(text)?.[1]);
  if (!Number.isInteger(status)) throw new Error(`this is no HTTP: ${text.slice(0, 200)}`);
  return { status, messages: messagesIn(text.slice(text.indexOf("\r\n\r\n") + 4)) };
}

/** The JSON of a body, or of the events of a stream; a chunked body's lines of lengths are passed over. */
function messagesIn(body: string): Record<string, unknown>[] {
  return body.split("\n").map((line) => line.replace(/^data: /, "").trim()).filter((line) => /^[{[]/.test(line))
    .flatMap((line): Record<string, unknown>[] => [JSON.parse(line)].flat());
}

/** Throws where an answer is none that a client should see. */
function check({ tool }: Sent, { status, messages }: Answered): void {
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

async function memoryMb(): Promise<number> {
  const status = await Bun.file(`/proc/${server.pid}/status`).text();
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

test(
  `${REQUESTS} requests of all kinds are answered or cut off, and none harms the server (seed ${SEED})`,
  async () => {
    const statuses = new Map<number, number>();
    const memory: number[] = [];
    for (let made = 0; made < REQUESTS; made += ROUND) {
      const round = fc.sample(request, { numRuns: Math.min(ROUND, REQUESTS - made), seed: SEED + made });
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
      memory.push(await memoryMb());
    }

    const counts = JSON.stringify(Object.fromEntries(statuses));
    if (LONG) console.log(`${REQUESTS} requests: ${counts}, RSS ${memory.map(Math.round)} MB`);
    expect(statuses.get(200)).toBeGreaterThan(REQUESTS / 5);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    expect(server.stderr()).not.toMatch(/"level":"(ERROR|FATAL)"|unhandled|\n +at /i);
    const half = memory.slice(Math.floor(memory.length / 2));
    expect((half.at(-1) ?? 0) - (half[0] ?? 0)).toBeLessThan(MEMORY_NOISE_MB);
  },
  size(60_000, 1_800_000),
);
