// Subscribers that never read, beside one that reads: the server's memory and the other one's updates stay as they are, and a
// shutdown doesn't wait for them.

import { describe, expect, test } from "bun:test";
import { closeSync, constants, openSync, readSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join, resolve } from "node:path";
import { atEnd } from "../support/at-end.ts";
import { MKT, PROCESS_SETTINGS, startHttpServer } from "../support/executable.ts";
import { memoryMb, startProcess } from "../support/processes.ts";
import { modernMeta } from "../support/raw-request.ts";
import { LONG, size } from "../support/sizes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { until } from "../support/until.ts";
import { NO_BACKEND } from "../support/http-requests.ts";
import { modernOverHttp } from "../support/subscriber.ts";

const ENVIRONMENT = { ...NO_BACKEND, MKT_PLUGIN_DIR: resolve(import.meta.dir, "fixtures/counters") };
const SILENT = size(5, 100);
/** Each of them is worth 230 KB, and the operating system holds some megabytes for each connection. */
const ROUNDS = size(32, 200);
/** Rounds until nobody of them takes anything any more. */
const FULL = size(24, 60);
/** At the small size all that could be kept is less: there, what they get later shows that nothing was. */
const MAX_GROWTH_MB = 30;

/** They change in every round. */
const RESTLESS = Array.from({ length: 200 }, (_, at) => `test://restless/${String(at).padStart(900, "x")}`);
const ONE = "test://restless/one";
const COUNTER = "test://counters/a";
/** The server says on stderr when it has looked at it: once at first, and in each round that it has room for. */
const NOTED = "test://noted";

/** A request of protocol 2026-07-28. */
const request = (id: number, method: string, params: object) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: modernMeta() } });

function silentSubscriber(url: string): Socket {
  const { hostname, port } = new URL(url);
  const resourceSubscriptions = [...RESTLESS.slice(1), COUNTER];
  const body = request(7, "subscriptions/listen", { notifications: { resourceSubscriptions } });
  const head = [
    "POST /mcp HTTP/1.1",
    `Host: ${hostname}:${port}`,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    "MCP-Protocol-Version: 2026-07-28",
    "Mcp-Method: subscriptions/listen",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  const socket = connect(Number(port), hostname);
  socket.pause();
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  return socket;
}

const occurrences = (text: string, part: string) => text.split(part).length - 1;

test(`${SILENT} over HTTP cost no memory, get one update of what they missed, and are not waited for`, async () => {
  const server = await startHttpServer(ENVIRONMENT);
  const sockets = Array.from({ length: SILENT }, () => silentSubscriber(server.url));
  const { client, listen, told } = await modernOverHttp(server.url);
  await listen({ resourceSubscriptions: [ONE] });
  await until(() => told.of(ONE) >= FULL, "the connections to be full");
  const before = await memoryMb(server.pid);
  await until(() => told.of(ONE) >= ROUNDS, "further rounds");
  const growth = await memoryMb(server.pid) - before;
  console.log(`${SILENT} silent subscribers: ${before.toFixed()} MB, growth ${growth.toFixed(1)} MB`);
  if (LONG) expect(growth).toBeLessThan(MAX_GROWTH_MB);

  await client.callTool({ name: "test_set_counter", arguments: { name: "a", count: 1 } });
  const [late = expect.unreachable()] = sockets;
  let text = "";
  late.on("data", (chunk) => (text += chunk.toString()));
  late.resume();
  await until(() => text.includes(`"uri":"${COUNTER}"`), "the last change");
  expect(occurrences(text, `"uri":"${COUNTER}"`)).toBe(1);
  expect(occurrences(text, `"uri":"${RESTLESS[1]}"`)).toBeLessThan(told.of(ONE));
  late.destroy();

  expect(await server.stop()).toBe(0);
  expect(server.stderr()).toContain("subscribers that do not read are cut off");
  expect(server.stderr()).not.toContain("requests that have not ended");
});

describe("on stdio", () => {
  /** mkt with a client that only reads when `read` is called. */
  function startUnread() {
    const path = join(temporaryDirectory(), "stdout");
    if (Bun.spawnSync(["mkfifo", path]).exitCode !== 0) throw new Error(`mkfifo ${path} failed`);
    const output = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const input = openSync(path, constants.O_WRONLY);
    const child = startProcess([MKT], {
      env: { ...PROCESS_SETTINGS, ...ENVIRONMENT },
      stdin: "pipe",
      stdout: input,
      stderr: "pipe",
    });
    closeSync(input);
    let notes = "";
    void (async () => {
      for await (const chunk of child.stderr) notes += new TextDecoder().decode(chunk);
    })();
    atEnd(() => closeSync(output));
    let text = "";
    const chunk = Buffer.alloc(1 << 20);
    return {
      child,
      /** In which the server has looked at what is subscribed to. */
      rounds: () => occurrences(notes, "noted\n"),
      send(message: string): void {
        child.stdin.write(`${message}\n`);
        child.stdin.flush();
      },
      /** All that was read. */
      read(): string {
        try {
          for (let size = 1; size > 0;) {
            size = readSync(output, chunk);
            text += chunk.toString("latin1", 0, size);
          }
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
        }
        return text;
      },
    };
  }

  test("one costs no memory and gets one update of what it missed", async () => {
    const { child, send, read } = startUnread();
    const resourceSubscriptions = [...RESTLESS.slice(1), COUNTER];
    send(request(7, "subscriptions/listen", { notifications: { resourceSubscriptions } }));
    const rounds = size(10, 100);
    const memory: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await until(passed(250));
      memory.push(await memoryMb(child.pid));
    }
    if (LONG) expect(memory.at(-1)! - memory[Math.floor(rounds / 2)]!).toBeLessThan(MAX_GROWTH_MB);
    send(request(8, "tools/call", { name: "test_set_counter", arguments: { name: "a", count: 2 } }));
    const text = await until(read, (text) => text.includes(`"uri":"${COUNTER}"`));
    expect(occurrences(text, `"uri":"${COUNTER}"`)).toBe(1);
    expect(occurrences(text, `"uri":"${RESTLESS[1]}"`)).toBeLessThan(rounds / 2);
    child.kill("SIGTERM");
    await until(() => (read(), child.exitCode !== null), "the end of mkt");
    expect(child.exitCode).toBe(0);
  });

  test("one is not waited for at the end", async () => {
    const { child, send, rounds } = startUnread();
    send(
      request(7, "subscriptions/listen", { notifications: { resourceSubscriptions: [...RESTLESS.slice(1), NOTED] } }),
    );
    // A round is more than the pipe takes.
    await until(() => rounds() > 1, "a round");
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  });
});

/** True from this time on, measured in milliseconds from now. */
function passed(ms: number): () => boolean {
  const end = performance.now() + ms;
  return () => performance.now() >= end;
}
