// What a backup costs, and what it does to the latency of calls: an engine with ORDERS open orders, and a client that sends a
// call every few milliseconds, by turns alone and while backups are taken one after the other.
//
//   bun bench/backup.ts [ORDERS]   default 100,000

import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PATHS } from "../protocol/index.ts";
import { builtInMarket } from "../sim/definition/built-in-market.ts";
import { contractsAt } from "../sim/definition/listed-contracts.ts";
import { keepBusy, LoadClient } from "../tests/support/load-client.ts";

const ROUNDS = 5;
const MEASURED_MS = 4000;
const PAUSE_MS = 2;
/** Calls after the checkpoint. */
const LATER_CALLS = 20_000;
const OUTSTANDING = 64;
const TRADER = "heartland-trader-1";
const MAIN = join(import.meta.dir, "../main.ts");
const WITHOUT_RATES = {
  MKT_ENGINE_MAX_REQUESTS_PER_SECOND: "10000000",
  MKT_ENGINE_MAX_BYTES_PER_SECOND: String(2 ** 32),
  MKT_ENGINE_MAX_OPEN_ORDERS_PER_USER: "10000000",
  MKT_ENGINE_MAX_OPEN_ORDERS_PER_BOOK: "10000000",
};

async function startEngine(directory: string) {
  const child = Bun.spawn([process.execPath, MAIN, "engine", "--port", "0", "--data", directory], {
    env: { ...process.env, LOG_LEVEL: "error", ...WITHOUT_RATES },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stderr) {
    text += decoder.decode(chunk, { stream: true });
    const port = /engine: http:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1];
    if (port !== undefined) return { child, url: `http://127.0.0.1:${port}`, socket: `ws://127.0.0.1:${port}/ws` };
  }
  throw new Error(`the engine did not start:\n${text}`);
}

const CONTRACTS = contractsAt(builtInMarket(), Date.now()).slice(-8).map(({ id }) => id);
let sent = 0;

function nextOrder() {
  const price = 1000 + sent % 500 * 5;
  const contractId = CONTRACTS[sent % CONTRACTS.length];
  const payload = { contractId, side: 0, price, quantity: 5, timeInForce: "gtc" };
  return { operationId: `bench-${++sent}`, action: "order.submit", payload };
}

async function submit(socket: string, orders: number): Promise<void> {
  const client = await new LoadClient(socket, TRADER).welcomed();
  const end = sent + orders;
  await keepBusy(client, OUTSTANDING, () => sent < end ? nextOrder() : null, (id, response) => {
    if (response?.status !== "ok") throw new Error(`${id}: ${response?.code ?? "not answered"}`);
  });
  client.close();
  await client.closed;
}

/** Milliseconds of each call, sorted. */
async function latencies(client: LoadClient): Promise<number[]> {
  const measured: number[] = [];
  for (const end = performance.now() + MEASURED_MS; performance.now() < end;) {
    const { action, payload, operationId } = nextOrder();
    const before = performance.now();
    const response = await client.request(action, payload, operationId);
    if (response?.status !== "ok") throw new Error(`${operationId}: ${response?.code ?? "not answered"}`);
    measured.push(performance.now() - before);
    await Bun.sleep(PAUSE_MS);
  }
  return measured.toSorted((a, b) => a - b);
}

async function backUp(url: string): Promise<number> {
  const answer = await fetch(`${url}${PATHS.backup}`, { headers: { "X-Mkt-User": "operator" } });
  if (answer.status !== 200) throw new Error(await answer.text());
  return (await answer.arrayBuffer()).byteLength;
}

const shown = (sorted: readonly number[]) =>
  [0.5, 0.99, 1].map((share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.toFixed(2))
    .join(
      " / ",
    );

async function bytesIn(directory: string): Promise<number> {
  const names = (await readdir(directory)).filter((name) => name !== "storage.reserve");
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(directory, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function measure(directory: string, orders: number): Promise<void> {
  const first = await startEngine(directory);
  await submit(first.socket, orders);
  first.child.kill("SIGTERM");
  await first.child.exited;
  const { child, url, socket } = await startEngine(directory);
  await submit(socket, LATER_CALLS);
  const client = await new LoadClient(socket, TRADER).welcomed();
  await latencies(client);
  console.log("median / 99 % / longest call in ms, alone, and during backups");
  const [alone, during, backups]: number[][] = [[], [], []];
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    alone!.push(...await latencies(client));
    let isOver = false;
    const busy = (async () => {
      while (!isOver) {
        const began = performance.now();
        bytes = await backUp(url);
        backups!.push(performance.now() - began);
      }
    })();
    during!.push(...await latencies(client));
    isOver = true;
    await busy;
  }
  const sorted = [alone!, during!, backups!].map((each) => each.toSorted((a, b) => a - b));
  console.log(`${shown(sorted[0]!)}; ${shown(sorted[1]!)}; ${sorted[0]!.length} and ${sorted[1]!.length} calls`);
  const megabytes = (count: number) => `${(count / 1e6).toFixed(1)} MB`;
  const files = megabytes(await bytesIn(directory));
  console.log(`${backups!.length} backups of ${megabytes(bytes)}, of files of ${files}; ms: ${shown(sorted[2]!)}`);
  child.kill("SIGKILL");
  await child.exited;
}

if (import.meta.main) {
  const directory = await mkdtemp(join(tmpdir(), "mkt-bench-"));
  try {
    await measure(directory, Number(process.argv[2] ?? 100_000));
  } finally {
    await rm(directory, { recursive: true });
  }
}
