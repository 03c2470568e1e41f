// Invalid and hostile HTTP requests (support/odd-requests.ts) to the compiled executable with a real engine behind it.
//
// Every request is answered, or its connection is ended. No answer is an internal error, every result fits the tool's
// output schema, and afterwards the server works as before.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { TOOLS } from "../plugins/support/packs.ts";
import { startHttpServer } from "../support/executable.ts";
import { raw } from "../support/raw-http.ts";
import { memoryMb } from "../support/processes.ts";
import { LONG, size } from "../support/sizes.ts";
import { startPowerMarket } from "../support/power-market.ts";
import { type OddRequest, oddRequest } from "./support/odd-requests.ts";
import { SEED } from "../support/seed.ts";

const REQUESTS = size(500, 20_000);
const AT_ONCE = 16;
const ROUND = 500;
const MEMORY_NOISE_MB = 64;

const engine = await startPowerMarket();
const server = await startHttpServer({
  ...engine.environmentFor("anna"),
  MKT_AUTO_CONNECT: "1",
  MCP_BODY_TIMEOUT_MS: "500",
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
  size(60_000, 1_800_000),
);
