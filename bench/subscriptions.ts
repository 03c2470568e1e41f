// The processor time of an MCP server over HTTP whose clients subscribe to order books: no subscribers, then more and more. The
// market is an engine process with the preset stress at speed 100; the server is measured alone.
//
//   bun bench/subscriptions.ts [--seconds N]
//
// Each subscriber follows BOOKS order books, and all of them together follow all books. They only count the updates.

import { join } from "node:path";
import { ACTING_USER_HEADER, SIMULATOR_PATHS } from "../protocol/index.ts";
import type { Usage } from "./serving/probe.ts";
import { aligned, grouped, threeDigits } from "./table.ts";

const PROBE = join(import.meta.dir, "serving/probe.ts");
const MAIN = join(import.meta.dir, "../main.ts");
const SUBSCRIBERS = [0, 50, 200];
const BOOKS = 3;
const WARM_SECONDS = 5;
const USER = "operator";
const SIMULATION = { preset: "stress", speed: 100, seed: 5 };
const VERSION = "2026-07-28";
const META = { "io.modelcontextprotocol/protocolVersion": VERSION, "io.modelcontextprotocol/clientCapabilities": {} };

interface MarketProcesses {
  readonly url: string;
  usage(): Promise<Usage>;
  end(): Promise<void>;
}

/** An engine with a running simulation, and the measured server. */
async function startMarket(): Promise<MarketProcesses> {
  let settle: (usage: Usage) => void = () => {};
  const engine = Bun.spawn([process.execPath, MAIN, "engine", "--port", "0"], { stdout: "ignore", stderr: "pipe" });
  const engineUrl = await addressIn(engine.stderr, /engine: (http:\S+\d)/);
  const server = Bun.spawn([process.execPath, "--preload", PROBE, MAIN], {
    env: {
      ...process.env,
      MCP_HTTP_PORT: "0",
      MKT_HOST: new URL(engineUrl).host,
      MKT_BASE_URL: engineUrl,
      MKT_USER_ID: USER,
      MKT_AUTO_CONNECT: "1",
    },
    stdout: "ignore",
    stderr: "pipe",
    ipc: (message) => settle(message as Usage),
  });
  const url = await addressIn(server.stderr, /"transport":"(http:[^"]+)"/);
  const headers = { [ACTING_USER_HEADER]: USER };
  const body = JSON.stringify(SIMULATION);
  const started = await fetch(`${engineUrl}${SIMULATOR_PATHS.start}`, { method: "POST", headers, body });
  if (!started.ok) throw new Error(`the simulation did not start: ${await started.text()}`);
  return {
    url,
    usage: () =>
      new Promise((resolve) => {
        settle = resolve;
        server.send("usage");
      }),
    async end() {
      server.kill("SIGTERM");
      engine.kill("SIGTERM");
      await Promise.all([server.exited, engine.exited]);
    },
  };
}

/** The address that the process prints. Its further output is read, too. */
async function addressIn(stderr: ReadableStream<Uint8Array>, pattern: RegExp): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const read = async () => {
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of stderr) {
      if (text.length < 100_000) text += decoder.decode(chunk, { stream: true });
      const address = pattern.exec(text)?.[1];
      if (address !== undefined) resolve(address);
    }
    reject(new Error(`a process ended before it was ready: ${text}`));
  };
  void read();
  return await promise;
}

function post(url: string, method: string, params: object, signal: AbortSignal | null = null): Promise<Response> {
  return fetch(`${url}/mcp`, {
    method: "POST",
    signal,
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": VERSION,
      "Mcp-Method": method,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: META } }),
  });
}

async function orderBooks(url: string): Promise<string[]> {
  const { result } = await (await post(url, "resources/list", {})).json() as {
    result: { resources: { uri: string }[] };
  };
  return result.resources.map(({ uri }) => uri).filter((uri) => uri.startsWith("mkt://order-book/"));
}

interface Subscribers {
  updates: number;
  end(): void;
}

async function subscribe(url: string, books: readonly string[], count: number): Promise<Subscribers> {
  const ending = new AbortController();
  const subscribers = { updates: 0, end: () => ending.abort() };
  for (let made = 0; made < count; made += 1) {
    const resourceSubscriptions = Array.from({ length: BOOKS }, (_, at) => books[(made * BOOKS + at) % books.length]);
    const params = { notifications: { resourceSubscriptions } };
    const { body } = await post(url, "subscriptions/listen", params, ending.signal);
    if (body === null) throw new Error("a subscription has no stream");
    void counted(body, subscribers).catch((error: unknown) => {
      if (!ending.signal.aborted) throw error;
    });
  }
  return subscribers;
}

async function counted(body: ReadableStream<Uint8Array>, subscribers: Subscribers): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    subscribers.updates += decoder.decode(chunk).split("notifications/resources/updated").length - 1;
  }
}

async function main(args: readonly string[]): Promise<void> {
  const seconds = args[0] === "--seconds" ? Number(args[1]) : 20;
  if (!(seconds > 0)) throw new Error("--seconds needs a number above 0");
  const market = await startMarket();
  try {
    await Bun.sleep(WARM_SECONDS * 1000);
    const books = await orderBooks(market.url);
    if (books.length === 0) throw new Error("there are no order books");
    const rows: string[][] = [];
    for (const count of SUBSCRIBERS) {
      const subscribers = await subscribe(market.url, books, count);
      await Bun.sleep(1000);
      const [before, updates] = [await market.usage(), subscribers.updates];
      await Bun.sleep(seconds * 1000);
      const after = await market.usage();
      rows.push([
        grouped(count),
        threeDigits((after.processorMicroseconds - before.processorMicroseconds) / 1000 / seconds),
        grouped(Math.round((subscribers.updates - updates) / seconds)),
        (after.residentBytes / (1 << 20)).toFixed(),
      ]);
      subscribers.end();
    }
    console.log(aligned(["subscribers", "processor ms / s", "updates / s", "memory, MB"], rows));
  } finally {
    await market.end();
  }
}

if (import.meta.main) await main(process.argv.slice(2));
