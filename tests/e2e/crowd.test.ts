// Many clients of the compiled executable's HTTP server, while slow ones try to block it: bodies and headers that trickle,
// connections that send nothing, and responses that nobody reads.

import { expect, test } from "bun:test";
import { connect } from "node:net";
import { connected, connectHttp, succeed } from "../support/clients.ts";
import { startHttpServer } from "../support/executable.ts";
import { httpServerHere } from "../support/in-process.ts";
import { KeptConnection, toolCall } from "../support/kept-connection.ts";
import { headOf } from "../support/raw-http.ts";
import { memoryMb } from "../support/processes.ts";
import { LONG, size } from "../support/sizes.ts";
import { NORTH, startPowerMarket } from "../support/power-market.ts";
import { startSilentEngine } from "../support/silent-engine.ts";

const FAST = size(40, 1000);
const SLOW = size(10, 200);
const CROWD_MS = size(500, 60_000);
/** How long a call sends nothing. The runtime's default idle timeout would end it after 12 s. */
const SILENCE_MS = size(200, 20_000);
/** The server's memory must stay below this. */
const MAX_MEMORY_MB = 600;

const engine = await startPowerMarket();
const server = await startHttpServer({ ...engine.environmentFor("anna"), MCP_BODY_TIMEOUT_MS: "3000" });
await succeed(await connectHttp("v2", server.url), "mkt_connect_pubsub");

/** Kinds of slow clients: what each sends on a new connection, and every 100 ms. The last one reads nothing. */
const WAYS: readonly { first: string; more: string; isDeaf?: true }[] = [
  { first: headOf(server.url, ["Content-Length: 900000"]), more: " " },
  { first: headOf(server.url, ["Transfer-Encoding: chunked"]), more: "1\r\n \r\n" },
  { first: "POST /mcp HTTP/1.1\r\nHost: localhost\r\n", more: "X: y\r\n" },
  { first: "", more: "" },
  { first: "", more: toolCall(server.url, "mkt_list_orders"), isDeaf: true },
];

/** Connects again whenever the server ends the connection. Returns how often that happened. */
async function beSlow(number: number, until: AbortSignal): Promise<number> {
  const { hostname, port } = new URL(server.url);
  const { first, more, isDeaf } = WAYS[number % WAYS.length] ?? expect.unreachable();
  let cuts = 0;
  while (!until.aborted) {
    const socket = connect(Number(port), hostname);
    socket.on("connect", () => isDeaf ? socket.pause() : socket.write(first));
    const ticking = setInterval(() => socket.writable && socket.write(more), 100);
    await new Promise<void>((resolve) => {
      socket.on("close", () => resolve());
      socket.on("error", () => resolve());
      until.addEventListener("abort", () => resolve());
    });
    clearInterval(ticking);
    socket.destroy();
    if (!until.aborted) cuts++;
  }
  return cuts;
}

/** Returns how many calls succeeded. Throws if one fails. */
async function beFast(number: number, until: AbortSignal): Promise<number> {
  const connection = new KeptConnection(server.url);
  const calls = [
    toolCall(server.url, "mkt_ping"),
    toolCall(server.url, "mkt_get_order_book", { contractId: NORTH }),
    toolCall(server.url, "mkt_list_orders", { limit: 10 }),
  ];
  let served = 0;
  while (!until.aborted || served === 0) {
    const answer = await connection.send(calls[(number + served) % calls.length] ?? "");
    if (answer?.status !== 200 || answer.body.includes('"isError":true')) {
      throw new Error(`client ${number}, call ${served + 1}: ${JSON.stringify(answer)}`);
    }
    served++;
  }
  connection.close();
  return served;
}

/** Requests /health until the time is over. Returns the server's peak memory. */
async function beWatchful(until: AbortSignal): Promise<{ peakMb: number; looks: number }> {
  let [peakMb, looks] = [0, 0];
  while (!until.aborted) {
    expect(await (await fetch(`${server.url}/health`)).json()).toMatchObject({ status: "ok" });
    peakMb = Math.max(peakMb, await memoryMb(server.pid));
    looks++;
    await Bun.sleep(100);
  }
  return { peakMb, looks };
}

test(`${FAST} clients are served for ${CROWD_MS} ms beside ${SLOW} slow ones, and /health answers`, async () => {
  const until = AbortSignal.timeout(CROWD_MS);
  const [watch, served, cuts] = await Promise.all([
    beWatchful(until),
    Promise.all(Array.from({ length: FAST }, (_, number) => beFast(number, until))),
    Promise.all(Array.from({ length: SLOW }, (_, number) => beSlow(number, until))),
  ]);
  const total = served.reduce((sum, count) => sum + count, 0);
  const cut = cuts.reduce((sum, count) => sum + count, 0);
  if (LONG) {
    console.log(
      `${FAST} clients, ${total} calls (least ${Math.min(...served)}), ${cut} cuts of ${SLOW} slow ones, ` +
        `peak ${Math.round(watch.peakMb)} MB, ${watch.looks} looks at /health`,
    );
  }
  expect(Math.min(...served)).toBeGreaterThan(0);
  expect(watch.looks).toBeGreaterThan(0);
  expect(watch.peakMb).toBeLessThan(MAX_MEMORY_MB);
  const client = await connectHttp("v2", server.url);
  await succeed(client, "mkt_get_order_book", { contractId: NORTH });
});

test(`a call that sends nothing for ${SILENCE_MS} ms is answered over HTTP to each official client`, async () => {
  const silent = startSilentEngine();
  const environment = { ...silent.environmentFor("anna"), MKT_CONFIRM_TIMEOUT_MS: String(SILENCE_MS) };
  const { url } = LONG ? await startHttpServer(environment) : await httpServerHere(environment);
  await Promise.all((["v2", "v1"] as const).map(async (generation) => {
    const client = await connected(connectHttp(generation, url));
    const order = { contractId: "c", side: "BUY", price: 1, quantity: 1 };
    expect((await client.call("mkt_create_test_order", order)).value).toMatchObject({ status: "timeout" });
  }));
});
