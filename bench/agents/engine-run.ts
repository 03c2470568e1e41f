// The agents on an engine with a data directory: `mkt load` as a process of its own, and a further connection of the first
// agent that counts what one connection is sent.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LoadReport } from "../../load/load-run.ts";
import type { Plan } from "../fan-out/bare-plan.ts";
import { ENGINE, welcomed } from "../fan-out/sides.ts";
import { type ServerProcess, type Spawn, startServer } from "../serving/server-process.ts";
import { agentIds, agentsMarket } from "./market.ts";

export interface AgentsLoad {
  readonly agents: number;
  /** Requests a second of each. */
  readonly ratePerAgent: number;
  readonly seconds: number;
}

/** Starts a command and gives what it writes to stdout. Throws if it fails. */
export type Run = (command: readonly string[]) => Promise<string>;

interface MemorySample {
  /** Of the run. */
  readonly seconds: number;
  readonly residentBytes: number;
}

export interface EngineFigures {
  readonly report: LoadReport;
  /** Processor time of the engine for each request, all threads. */
  readonly microseconds: number;
  /** What a connection is sent for each request of all agents. */
  readonly framesForRequest: number;
  readonly bytesForRequest: number;
  readonly responseBytes: number;
  readonly memory: readonly MemorySample[];
  /** After the run and a collection. */
  readonly keptBytes: number;
}

const MAIN = join(import.meta.dir, "../../main.ts");
const SAMPLE_MS = 5_000;
const FIRST_ORDERS = 20;

/** `folder`: empty, for the market. */
export async function runOnEngine(spawn: Spawn, run: Run, folder: string, load: AgentsLoad): Promise<EngineFigures> {
  const file = join(folder, "market.json");
  writeFileSync(file, JSON.stringify(agentsMarket(load.agents, Date.now())));
  const engine = await startServer(spawn, [ENGINE, join(folder, "data"), file], {});
  try {
    const responseBytes = await responseBytesOf(engine.url);
    const observer = await welcomed(engine.url, agentIds(1)[0]!, false);
    const [frames, bytes] = [observer.frames, observer.bytes];
    const before = await engine.usage();
    const { report, memory } = await runLoad(engine, run, load);
    const { processorMicroseconds } = await engine.usage();
    const requests = Object.values(report.requests.sent).reduce((sum, each) => sum + each, 0);
    const figures = {
      report,
      microseconds: (processorMicroseconds - before.processorMicroseconds) / requests,
      framesForRequest: (observer.frames - frames) / requests,
      bytesForRequest: (observer.bytes - bytes) / requests,
      responseBytes,
      memory,
      keptBytes: (await engine.memory()).residentBytes,
    };
    observer.close();
    return figures;
  } finally {
    await engine.end();
  }
}

/** The bare server's plan: frames of as many bytes, and as many of them. */
export function planOf({ framesForRequest, bytesForRequest, responseBytes }: EngineFigures): Plan {
  const ordersInUpdate = Math.max(1, Math.round(1 / framesForRequest));
  return {
    responseBytes: Math.round(responseBytes),
    updateBytes: Math.round(bytesForRequest * ordersInUpdate),
    ordersInUpdate,
  };
}

async function runLoad(engine: ServerProcess, run: Run, { agents, ratePerAgent, seconds }: AgentsLoad) {
  const options = {
    url: engine.url.replace("http:", "ws:"),
    users: agentIds(agents).join(","),
    connections: agents,
    rate: agents * ratePerAgent,
    duration: seconds,
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const memory: MemorySample[] = [];
  const started = performance.now();
  let ended = false;
  const running = run([process.execPath, MAIN, "load", ...args, "--json"]).finally(() => ended = true);
  const sampling = (async () => {
    while (!ended) {
      const { residentBytes } = await engine.usage();
      memory.push({ seconds: (performance.now() - started) / 1000, residentBytes });
      await Promise.race([Bun.sleep(SAMPLE_MS), running.then(() => {}, () => {})]);
    }
  })();
  const report: LoadReport = JSON.parse(await running);
  await sampling;
  return { report, memory };
}

/** Bytes of the response to an order, from a few orders of the first agent. They are cancelled with their connection. */
async function responseBytesOf(url: string): Promise<number> {
  const connection = await welcomed(url, agentIds(1)[0]!, true, true);
  const all = Promise.withResolvers<void>();
  connection.onResponses = () => {
    if (connection.responses === FIRST_ORDERS) all.resolve();
  };
  for (let number = 1; number <= FIRST_ORDERS; number++) {
    const payload = { contractId: "HOUR-1", side: 0, price: 4_000, quantity: 5, timeInForce: "gtc" };
    const ids = { requestId: String(number), operationId: `first-${number}` };
    connection.send(JSON.stringify({ kind: "request", ...ids, action: "order.submit", payload }));
  }
  await all.promise;
  connection.close();
  return connection.responseBytes / Math.max(1, connection.responseFrames);
}
