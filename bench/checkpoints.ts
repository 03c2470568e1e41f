// What a journal costs an engine apart from its commits.
//
//   bun bench/checkpoints.ts [CALLS]           a replay of CALLS journalled calls, against the calls alone (default 30,000)
//   bun bench/checkpoints.ts --pauses [ORDERS] how long a checkpoint of ORDERS open orders holds up matching (default 100,000)
//
// Both sides of the replay run in this process, by turns, and their times are processor times of this thread. The calls alone
// are made by an engine without a journal, an audit trail or clients, which makes the same messages.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { logger } from "../common/logger.ts";
import { ThreadedAuditStore } from "../sim/audit/threaded-audit-store.ts";
import { builtInMarket } from "../sim/definition/built-in-market.ts";
import { contractsAt } from "../sim/definition/listed-contracts.ts";
import { Engine } from "../sim/engine/engine.ts";
import { checkpointFilesIn } from "../sim/journal/checkpoint-file.ts";
import { SqliteJournal } from "../sim/journal/sqlite-journal.ts";
import { SeededRandom } from "../sim/random/seeded-random.ts";
import { WorkerCheckpointMaker } from "../sim/server/checkpoints/worker-checkpoint-maker.ts";
import { EngineHost } from "../sim/server/host/engine-host.ts";
import { recoverEngine } from "../sim/server/recovery/recover-engine.ts";
import { newJournalHeader } from "../sim/server/start-engine.ts";
import { aboveZero } from "./measurement.ts";

const ROUNDS = 3;
const COMMITTED_TOGETHER = 64;
const AT_ONCE = 500;
const now = Date.now;
const log = logger("bench");
const definition = builtInMarket();
const CONTRACTS = contractsAt(definition, now()).slice(-8).map(({ id }) => id);
const TRADERS = [
  ...new Map(
    definition.users.filter(({ entityId, permissions }) => entityId !== null && permissions.includes("Order.Submit"))
      .map(({ entityId, id }) => [entityId, id]),
  ).values(),
].slice(0, 8);

type Request = ReturnType<typeof requests> extends Generator<infer Each> ? Each : never;

/** Limit orders around one price, from a fixed seed. Without `trades` all are buys, which rest. */
function* requests(count: number, trades: boolean) {
  const random = new SeededRandom(1);
  for (let number = 1; number <= count; number++) {
    const payload = {
      contractId: CONTRACTS[number % CONTRACTS.length],
      side: trades ? random.integer(0, 1) : 0,
      price: 5000 + random.integer(-20, 20) * 5,
      quantity: random.integer(1, 10) * 5,
      timeInForce: "gtc",
    };
    yield { userId: TRADERS[number % TRADERS.length] ?? "", operationId: `${number}`, action: "order.submit", payload };
  }
}

/** Milliseconds of processor time of this thread. */
function threadMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

async function opened(directory: string, checkpointRecords = Infinity) {
  const audit = await ThreadedAuditStore.open({ directory, now });
  const store = SqliteJournal.open(directory);
  const options = { header: () => newJournalHeader(definition, now()), secret: null, now, log, checkpointRecords };
  return { store, audit, recover: () => recoverEngine({ ...options, recordsPerPart: 0, store, audit }) };
}

function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

async function fill(host: EngineHost, calls: Iterable<Request>): Promise<void> {
  let count = 0;
  for (const request of calls) {
    const { response } = host.execute(request);
    if (response?.status !== "ok") throw new Error(`${request.operationId}: ${response?.message}`);
    if (++count % COMMITTED_TOGETHER === 0) host.flush();
    if (count % 10_000 === 0) await turn();
  }
  host.flush();
}

async function compareReplay(directory: string, calls: number): Promise<void> {
  const writing = await opened(directory);
  await fill(new EngineHost({ ...writing.recover(), now, log }), requests(calls, true));
  writing.store.close();
  await writing.audit.sync();
  await writing.audit.close();
  const best = { alone: Infinity, replay: Infinity };
  for (let round = 0; round < ROUNDS; round++) {
    const started = now();
    const engine = new Engine(definition, { epoch: started * 1000, now: started, engineId: "bench", secret: null });
    const alone = threadMs(() => {
      for (const request of requests(calls, true)) engine.execute(request, now());
    });
    best.alone = Math.min(best.alone, alone);
    const { store, audit, recover } = await opened(directory);
    best.replay = Math.min(best.replay, threadMs(() => void recover()));
    store.close();
    await audit.close();
  }
  const each = (ms: number) => `${(aboveZero("a side", ms) * 1000 / calls).toFixed(1)} µs`;
  const ratio = (best.replay / best.alone).toFixed(2);
  console.log(`${calls} calls: alone ${each(best.alone)} each, replayed ${each(best.replay)}: ${ratio} times`);
}

async function measurePauses(directory: string, orders: number): Promise<void> {
  const filling = await opened(directory);
  const filler = new EngineHost({ ...filling.recover(), now, log });
  await fill(filler, requests(orders, false));
  const stopMs = await wallMs(() => filler.stop());
  await filling.audit.close();

  const { store, audit, recover } = await opened(directory, AT_ONCE);
  const started = performance.now();
  const recovered = recover();
  const startMs = performance.now() - started;
  const host = new EngineHost({ ...recovered, now, log, checkpointMaker: new WorkerCheckpointMaker(store) });
  const [before = ""] = checkpointFilesIn(directory);
  const more = requests(Infinity, false).drop(orders);
  const send = (count: number) => {
    for (let sent = 0; sent < count; sent++) host.execute(next(more));
    host.flush();
  };
  await turn();
  send(AT_ONCE);
  const turns: { readonly wall: number; readonly processor: number }[] = [];
  const makingMs = await wallMs(async () => {
    while (checkpointFilesIn(directory).includes(before)) {
      send(1);
      const [wall, processor] = [performance.now(), process.threadCpuUsage()];
      await turn();
      const { user, system } = process.threadCpuUsage(processor);
      turns.push({ wall: performance.now() - wall, processor: (user + system) / 1000 });
    }
  });
  const longest = (side: "wall" | "processor") => Math.max(...turns.map((each) => each[side])).toFixed(1);
  console.log(
    `${orders} open orders: a checkpoint beside calls takes ${
      Math.round(makingMs)
    } ms; in ${turns.length} turns the longest ` +
      `took ${longest("wall")} ms, ${longest("processor")} ms of processor time`,
  );
  console.log(`a stop writes it in ${Math.round(stopMs)} ms, a start reads it in ${Math.round(startMs)} ms`);
  store.close();
  await audit.close();
}

async function wallMs(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function next(calls: Iterator<Request, void>): Request {
  const { value } = calls.next();
  if (value === undefined) throw new Error("there are no more calls");
  return value;
}

if (import.meta.main) {
  const directory = await mkdtemp(join(tmpdir(), "mkt-bench-"));
  const [first, second] = process.argv.slice(2);
  try {
    if (first === "--pauses") await measurePauses(directory, Number(second ?? 100_000));
    else await compareReplay(directory, Number(first ?? 30_000));
  } finally {
    await rm(directory, { recursive: true });
  }
}
