// The market of bench/checkpoints.ts: orders of eight traders on eight contracts, and an engine in this process with a real
// journal, audit trail and checkpoint thread, but no network.

import { logger } from "../../common/logger.ts";
import { ThreadedAuditStore } from "../../engine/audit/threaded-audit-store.ts";
import { builtInMarket } from "../../engine/definition/built-in-market.ts";
import { contractsAt } from "../../engine/definition/listed-contracts.ts";
import { SqliteJournal } from "../../engine/journal/sqlite-journal.ts";
import { SeededRandom } from "../../sim/random/seeded-random.ts";
import type { EngineHost } from "../../engine/server/host/engine-host.ts";
import { recoverEngine } from "../../engine/server/recovery/recover-engine.ts";
import { newJournalHeader } from "../../engine/server/start-engine.ts";

const COMMITTED_TOGETHER = 64;
const TURN_CALLS = 10_000;
export const now = Date.now;
export const log = logger("bench");
export const definition = builtInMarket();
const CONTRACTS = contractsAt(definition, now()).slice(-8).map(({ id }) => id);
const TRADERS = [
  ...new Map(
    definition.users.filter(({ entityId, permissions }) => entityId !== null && permissions.includes("Order.Submit"))
      .map(({ entityId, id }) => [entityId, id]),
  ).values(),
].slice(0, 8);

export type Request = ReturnType<typeof requests> extends Generator<infer Each> ? Each : never;

/** Limit orders around one price, from a fixed seed. Without `trades` all are buys, which rest. */
export function* requests(count: number, trades: boolean) {
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

/** Opens a data directory, and an engine from it with `recover`. */
export async function opened(directory: string, checkpointRecords = Infinity) {
  const audit = await ThreadedAuditStore.open({ directory, now });
  const store = SqliteJournal.open(directory);
  const options = { header: () => newJournalHeader(definition, now()), secret: null, now, log, checkpointRecords };
  return { store, audit, recover: () => recoverEngine({ ...options, recordsPerPart: 0, store, audit }) };
}

/** The end of this turn of the event loop. */
export function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

/** Makes the calls and commits them. Throws if one is refused. */
export async function fill(host: EngineHost, calls: Iterable<Request>): Promise<void> {
  let count = 0;
  for (const request of calls) {
    call(host, request);
    if (++count % COMMITTED_TOGETHER === 0) host.flush();
    if (count % TURN_CALLS === 0) await turn();
  }
  host.flush();
}

/** Throws if the engine refuses. */
export function call(host: EngineHost, request: Request): void {
  const { response } = host.execute(request);
  if (response?.status !== "ok") throw new Error(`${request.operationId}: ${response?.message}`);
}
