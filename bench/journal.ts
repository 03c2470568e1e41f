// What the journal costs, over the engine's real WebSocket, in separate processes.
//
//   bun bench/journal.ts             confirmed orders a second, with --data and without, alternately
//   bun bench/journal.ts --commits   groups of records committed by the journal, and by SQLite alone, alternately
//   bun bench/journal.ts --restart   a restart after 1,000,000 journalled commands, without a checkpoint and with one
//
// 8 connections, each of a trader of another entity, with 64 orders outstanding each; half of the orders trade. The clients
// run in this process and read only the response in each frame.

import { Database } from "bun:sqlite";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { logger } from "../common/logger.ts";
import { SqliteAuditStore } from "../engine/audit/sqlite-audit-store.ts";
import { BUILT_IN_OPERATOR_ID, builtInMarket } from "../engine/definition/built-in-market.ts";
import { contractsAt } from "../engine/definition/listed-contracts.ts";
import { SeededRandom } from "../sim/random/seeded-random.ts";
import { EngineHost } from "../engine/server/host/engine-host.ts";
import { recoverEngine } from "../engine/server/recovery/recover-engine.ts";
import { newJournalHeader } from "../engine/server/start-engine.ts";
import { SqliteJournal } from "../engine/journal/sqlite-journal.ts";
import { keepBusy, LoadClient } from "../tests/support/load-client.ts";

const CONNECTIONS = 8;
const OUTSTANDING = 64;
const ROUNDS = 3;
const WARM_UP_MS = 1500;
const MEASURED_MS = 4000;
const COMMANDS = 1_000_000;
/** Commands synced together, and commands after which the operator flushes the market, as over night. */
const GROUP = 1000;
const FLUSH_EVERY = 100_000;
const MAIN = join(import.meta.dir, "../main.ts");

/** Limit orders around one price, on a few contracts, from a fixed seed. */
function orderFlow(seed: number) {
  const random = new SeededRandom(seed);
  const definition = builtInMarket();
  const contracts = contractsAt(definition, Date.now()).slice(-CONNECTIONS).map(({ id }) => id);
  const entities = new Map(
    definition.users.filter(({ entityId, permissions }) => entityId !== null && permissions.includes("Order.Submit"))
      .map(({ entityId, id }) => [entityId, id]),
  );
  let count = 0;
  return {
    definition,
    traders: [...entities.values()].slice(0, CONNECTIONS),
    next: () => ({
      operationId: `${seed}-${++count}`,
      action: "order.submit",
      payload: {
        contractId: contracts[random.integer(0, contracts.length - 1)],
        side: random.integer(0, 1),
        price: 5000 + random.integer(-50, 50) * 5,
        quantity: random.integer(1, 10) * 5,
        timeInForce: "gtc",
      },
    }),
  };
}

/** A bench sends more than any trader may. */
const WITHOUT_RATES = {
  MKT_ENGINE_MAX_REQUESTS_PER_SECOND: "10000000",
  MKT_ENGINE_MAX_REFUSALS_PER_SECOND: "10000000",
  MKT_ENGINE_MAX_BYTES_PER_SECOND: String(2 ** 32),
};

async function startEngine(args: readonly string[]) {
  const started = performance.now();
  const child = Bun.spawn([process.execPath, MAIN, "engine", "--port", "0", ...args], {
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
    if (port !== undefined) {
      return { url: `ws://127.0.0.1:${port}/ws`, child, startMs: performance.now() - started };
    }
  }
  throw new Error(`the engine did not start:\n${text}`);
}

interface Rate {
  /** Confirmed orders. */
  readonly perSecond: number;
  /** Processor time of the engine for each order; other work on the machine disturbs it less. */
  readonly cpuMicroseconds: number;
}

async function confirmedRate(args: readonly string[], seed: number): Promise<Rate> {
  const { url, child } = await startEngine(args);
  const { traders, next } = orderFlow(seed);
  const clients = await Promise.all(traders.map((userId) => new LoadClient(url, userId).welcomed()));
  let confirmed = 0;
  let ended = false;
  const settled = (operationId: string, response: { status: string; code?: string } | null) => {
    if (response?.status !== "ok") throw new Error(`${operationId}: ${response?.code ?? "not answered"}`);
    confirmed += 1;
  };
  const busy = Promise.all(
    clients.map((client) => keepBusy(client, OUTSTANDING, () => ended ? null : next(), settled)),
  );
  await Bun.sleep(WARM_UP_MS);
  const [before, started] = [confirmed, performance.now()];
  await Bun.sleep(MEASURED_MS);
  const perSecond = (confirmed - before) / (performance.now() - started) * 1000;
  ended = true;
  await busy;
  for (const client of clients) client.close();
  child.kill("SIGKILL");
  await child.exited;
  return { perSecond, cpuMicroseconds: cpuSecondsOf(child) * 1e6 / confirmed };
}

async function compareRates(): Promise<void> {
  const best = { without: 0, withJournal: 0 };
  for (let round = 1; round <= ROUNDS; round++) {
    const without = await confirmedRate([], round);
    const directory = await mkdtemp(join(tmpdir(), "mkt-bench-"));
    const withJournal = await confirmedRate(["--data", directory], round);
    await rm(directory, { recursive: true });
    const percent = Math.round(withJournal.perSecond / without.perSecond * 100);
    console.log(`without ${shown(without)}; with --data ${shown(withJournal)}: ${percent} %`);
    best.without = Math.max(best.without, without.perSecond);
    best.withJournal = Math.max(best.withJournal, withJournal.perSecond);
  }
  // Other work on the machine only slows a round down.
  console.log(`best of the rounds: ${Math.round(best.withJournal / best.without * 100)} %`);
}

function shown({ perSecond, cpuMicroseconds }: Rate): string {
  return `${Math.round(perSecond)}/s (${Math.round(cpuMicroseconds)} µs of the engine's processor time each)`;
}

/** Processor time of an ended process. */
function cpuSecondsOf(child: Bun.Subprocess): number {
  return Number(child.resourceUsage()?.cpuTime.total ?? NaN) / 1e6;
}

/** Journals commands of the order flow, without a checkpoint. */
function writeJournal(directory: string): void {
  const now = Date.now;
  const { definition, traders, next } = orderFlow(1);
  const store = SqliteJournal.open(directory);
  const header = () => newJournalHeader(definition, now());
  const log = logger("bench");
  const audit = SqliteAuditStore.open(directory, { now });
  const recovered = recoverEngine({ store, audit, header, secret: null, now, log, checkpointRecords: Infinity });
  const host = new EngineHost({ ...recovered, now, log });
  for (let count = 1; count <= COMMANDS; count++) {
    const trader = traders[count % traders.length] ?? "";
    const request = count % FLUSH_EVERY === 0
      ? { userId: BUILT_IN_OPERATOR_ID, operationId: `flush-${count}`, action: "market.flush", payload: {} }
      : { userId: trader, ...next() };
    const { response } = host.execute(request);
    if (response?.status !== "ok") throw new Error(`${request.operationId}: ${response?.message}`);
    if (count % GROUP === 0) host.flush();
  }
  recovered.journal.close();
  audit.close();
}

/** Starts an engine on a directory and ends it with a signal: SIGTERM leaves a checkpoint, SIGKILL changes nothing. */
async function restart(directory: string, signal: "SIGKILL" | "SIGTERM") {
  const { child, startMs } = await startEngine(["--data", directory]);
  const stopping = performance.now();
  child.kill(signal);
  await child.exited;
  const stopMs = performance.now() - stopping;
  return {
    startMs,
    stopMs,
    cpuSeconds: cpuSecondsOf(child),
    megabytes: (child.resourceUsage()?.maxRSS ?? NaN) / 2 ** 20,
  };
}

async function measureRestart(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "mkt-bench-"));
  const report = (name: string, { startMs, cpuSeconds, megabytes }: Awaited<ReturnType<typeof restart>>) =>
    console.log(
      `${name}: ${(startMs / 1000).toFixed(2)} s (${cpuSeconds.toFixed(2)} s of processor time, with the stop), ${
        Math.round(megabytes)
      } MB`,
    );
  try {
    report("a new market", await restart(join(directory, "new"), "SIGKILL"));
    writeJournal(directory);
    const withoutCheckpoint = await restart(directory, "SIGTERM");
    report(`after ${COMMANDS} commands, without a checkpoint`, withoutCheckpoint);
    console.log(`an orderly stop, which makes the checkpoint: ${(withoutCheckpoint.stopMs / 1000).toFixed(2)} s`);
    report("with a checkpoint", await restart(directory, "SIGKILL"));
  } finally {
    await rm(directory, { recursive: true });
  }
}

const COMMIT_ROUNDS = 9;
const COMMIT_MS = 250;

/** What the witness and the checksums add to SQLite's own commit. */
async function compareCommits(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "mkt-bench-"));
  const text = JSON.stringify({ ...orderFlow(1).next(), now: Date.now(), kind: "execute", userId: "a-trader-1" });
  const store = SqliteJournal.open(directory);
  store.create(newJournalHeader(builtInMarket(), Date.now()));
  const plain = new Database(join(directory, "plain.sqlite"));
  for (const pragma of ["locking_mode = exclusive", "journal_mode = wal", "synchronous = full"]) {
    plain.run(`pragma ${pragma}`);
  }
  plain.run("create table record (number integer primary key, text text) strict");
  let number = 0;
  const byJournal = (size: number) => {
    store.append(Array.from({ length: size }, () => ({ number: ++number, text })));
    store.sync();
  };
  const insert = plain.query("insert into record (text) values (?)");
  const bySqlite = (size: number) =>
    plain.transaction(() => {
      for (let count = 0; count < size; count++) insert.run(text);
    })();
  for (const size of [1, 10, 100]) {
    const best = { journal: 0, sqlite: 0 };
    for (let round = 0; round < COMMIT_ROUNDS; round++) {
      best.sqlite = Math.max(best.sqlite, commitsPerSecond(() => bySqlite(size)));
      best.journal = Math.max(best.journal, commitsPerSecond(() => byJournal(size)));
    }
    const each = (perSecond: number) => `${Math.round(1e6 / perSecond)} µs`;
    const ratio = (best.sqlite / best.journal).toFixed(2);
    console.log(`${size} records: SQLite ${each(best.sqlite)}, journal ${each(best.journal)}: ${ratio} times`);
  }
  store.close();
  plain.close();
  await rm(directory, { recursive: true });
}

function commitsPerSecond(commit: () => void): number {
  const started = performance.now();
  let commits = 0;
  while (performance.now() - started < COMMIT_MS) {
    commit();
    commits += 1;
  }
  return commits / (performance.now() - started) * 1000;
}

if (process.argv.includes("--commits")) await compareCommits();
else if (process.argv.includes("--restart")) await measureRestart();
else await compareRates();
