// `mkt backup` and `mkt restore` of a market under load: the restored market is the one after a prefix of what was confirmed,
// and the backup says where the prefix ends. Engines are killed during a backup, and restores in the middle.

import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { EngineMessage } from "../../protocol/index.ts";
import { SqliteAuditStore } from "../../engine/audit/sqlite-audit-store.ts";
import { builtInMarket } from "../../engine/definition/built-in-market.ts";
import { contractsAt } from "../../engine/definition/listed-contracts.ts";
import { DEFAULT_RETENTION } from "../../engine/state/initial-state.ts";
import { SeededRandom } from "../../sim/random/seeded-random.ts";
import { stateAt } from "../engine/backup/backup-of.ts";
import { ClientModules } from "../support/client-modules.ts";
import { startTestEngine } from "../support/engines.ts";
import { runMktHere } from "../support/command-line-here.ts";
import { runMkt, type RunningEngineProcess, startEngineProcess, startMkt } from "../support/executable.ts";
import { keepBusy, LoadClient, messagesIn } from "../support/load-client.ts";
import { SEED, withSeedInFailures } from "../support/seed.ts";
import { size } from "../support/sizes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { until } from "../support/until.ts";
import { ConfirmedTrader } from "./support/confirmed-trader.ts";
import { viewEngine } from "./support/engine-view.ts";

const ROUNDS = size(1, 20);
const OPERATOR = "operator";
const TRADERS = ["riverbend-trader-1", "heartland-trader-1", "summit-trader-1"];
const OUTSTANDING = 3;
const CONTRACTS = contractsAt(builtInMarket(), Date.now()).slice(-3).map(({ id }) => id);
/** What of a book does not follow from the clock. */
const BOOK = ["bids", "asks", "bestBid", "bestAsk", "lastPrice", "totalWorkingOrders", "heldOrders", "tradedQuantity"];

/** An operator who is sent everything. */
class Follower {
  readonly messages: EngineMessage[] = [];
  sequence = 0;
  events = 0;

  async follow(engine: RunningEngineProcess): Promise<void> {
    const onFrame = (text: string) => {
      for (const message of messagesIn(text)) {
        this.messages.push(message);
        if (!("kind" in message) || message.kind !== "event") continue;
        this.sequence = message.sequence;
        this.events += 1;
      }
    };
    await new LoadClient(engine.webSocketUrl, OPERATOR, { onFrame }).welcomed();
  }

  /** The ids of the orders of the snapshot, and how many of them are closed. */
  ordersAtStart(): { orders: ReadonlySet<string>; closed: number } {
    const orders = new Set<string>();
    let closed = 0;
    for (const message of this.messages) {
      if (!("statePath" in message)) {
        if (message.kind === "snapshotEnd") break;
        continue;
      }
      const { statePath, state } = message;
      if (!statePath.startsWith("/ORDER/") || state === null) continue;
      orders.add(state.id);
      if ("closeReason" in state && state.closeReason !== null) closed += 1;
    }
    return { orders, closed };
  }

  /**
   * The orders, fills, trades and books after event `upTo`, by path. `forgotten`: paths that the engine removed until then.
   * `unsure`: those that it removed between this event and the next one, so a backup up to this event may have them or not.
   */
  marketAt(upTo: number) {
    const modules = new ClientModules();
    const forgotten = new Set<string>();
    const unsure = new Set<string>();
    let isSnapshot = true;
    for (const message of this.messages) {
      if ("statePath" in message) {
        if (isSnapshot) modules.apply(message);
        else if (message.state === null) unsure.add(message.statePath);
        continue;
      }
      if (message.kind === "snapshotEnd") isSnapshot = false;
      if (message.kind !== "event") continue;
      if (message.sequence > upTo) break;
      for (const path of unsure) {
        modules.delete(path);
        forgotten.add(path);
      }
      unsure.clear();
      modules.apply(message);
    }
    return { market: shownIn([...modules].map(([path, module]) => [path, { ...module }])), unsure, forgotten };
  }
}

/** The orders, fills, trades and books, by path. */
function shownIn(modules: [path: string, module: Record<string, unknown>][]): Map<string, unknown> {
  const shown = modules.map(([path, module]): [string, unknown] => {
    if (path.startsWith("/ENGINE/")) return [path, Object.fromEntries(BOOK.map((name) => [name, module[name]]))];
    return [path, /^\/(ORDER|FILL|TRADE)\//.test(path) ? module : null];
  });
  return new Map(shown.filter(([, module]) => module !== null));
}

async function marketOf(url: string): Promise<Map<string, unknown>> {
  const { modules } = await viewEngine(url, OPERATOR);
  return shownIn([...modules].flatMap(([type, byId]) => [...byId].map(([id, module]) => [`/${type}/${id}`, module])));
}

/** The executable, or its command in this process. */
const restoreMkt = size(runMktHere, runMkt);

function begin(directory: string): Promise<RunningEngineProcess> {
  return startEngineProcess({ args: ["--data", directory], env: { LOG_LEVEL: "warn" } });
}

function eventsOf(directory: string, upTo: number): unknown[] {
  const store = SqliteAuditStore.open(directory, { now: Date.now });
  const events = store.after(0, upTo);
  store.close();
  return events;
}

const sorted = (market: ReadonlyMap<string, unknown>) => [...market].toSorted(([a], [b]) => a < b ? -1 : 1);

describe("mkt backup and mkt restore", () => {
  test(`give a market that is a prefix of what was confirmed, ${ROUNDS} times under load`, async () => {
    const random = new SeededRandom(SEED);
    const directory = temporaryDirectory();
    const traders = TRADERS.map((userId) => new ConfirmedTrader(userId, CONTRACTS, random));
    await withSeedInFailures(async () => {
      for (let round = 0; round < ROUNDS; round++) await checkRound(round, directory, traders, random);
    });
    const confirmed = traders.reduce((sum, trader) => sum + trader.confirmed.size, 0);
    console.log(`${confirmed} orders confirmed`);
    expect(confirmed).toBeGreaterThan(ROUNDS);
  });
});

async function checkRound(round: number, directory: string, traders: readonly ConfirmedTrader[], random: SeededRandom) {
  const folder = temporaryDirectory();
  const [out, restored] = [join(folder, "backup"), join(folder, "data")];
  const engine = await begin(directory);
  const follower = new Follower();
  await follower.follow(engine);
  const { orders: ordersAtStart, closed } = follower.ordersAtStart();
  if (closed >= DEFAULT_RETENTION.closedOrders) { for (const trader of traders) trader.keepOnly(ordersAtStart); }
  const busy = traders.map(async (trader) => {
    const client = await new LoadClient(engine.webSocketUrl, trader.userId).welcomed();
    await keepBusy(client, OUTSTANDING, () => trader.next(), (id, response) => trader.settled(id, response));
  });
  const some = random.integer(50, size(100, 1500));
  await until(() => follower.events > some, "some events");

  const before = traders.map((trader) => [[...trader.confirmed.values()], [...trader.cancelled]] as const);
  const env = { ...engine.environmentFor(OPERATOR), LOG_LEVEL: "error" };
  const made = await runMkt(["backup", out], env);
  expect([made.exitCode, made.stderr]).toEqual([0, ""]);
  const [, upTo = 0, sequence = 0, auditPosition = 0] =
    /up to record (\d+), event (\d+), audit event (\d+)/.exec(made.stdout)?.map(Number) ?? [];
  if (process.platform !== "win32") expect(statSync(out).mode & 0o777).toBe(0o600);
  await until(() => follower.sequence > sequence, "later events");

  // The engine is killed while it serves another backup: either it was whole before, or there is none.
  const other = runMkt(["backup", join(folder, "other")], env);
  await Bun.sleep(random.integer(0, 400));
  await engine.crash();
  await Promise.all(busy);
  const { exitCode, stderr } = await other;
  expect(readdirSync(folder).toSorted()).toEqual(exitCode === 0 ? ["backup", "other"] : ["backup"]);
  if (exitCode !== 0) {
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^mkt: .*; \S+ was not written\n$/)]);
  }

  if (round % 2 === 0) {
    const killed = startMkt(["restore", out, "--data", restored]);
    await Bun.sleep(random.integer(50, 600));
    await killed.crash();
    if (existsSync(join(restored, "journal.sqlite")) && !existsSync(join(restored, "restore-unfinished"))) {
      console.log("the restore was finished when it was killed");
    } else expect(await restoreMkt(["restore", out, "--data", restored])).toMatchObject({ exitCode: 0 });
  } else expect(await restoreMkt(["restore", out, "--data", restored])).toMatchObject({ exitCode: 0 });

  // The whole state, as the calls of the killed engine make it, and its audit trail.
  expect(stateAt(restored, upTo)).toEqual(stateAt(directory, upTo));
  expect(eventsOf(restored, auditPosition + 1)).toEqual(eventsOf(directory, auditPosition));

  // What clients have seen and were confirmed.
  const again = await startTestEngine({ data: restored });
  const { market, unsure, forgotten } = follower.marketAt(sequence);
  const without = (all: ReadonlyMap<string, unknown>) => sorted(all).filter(([path]) => !unsure.has(path));
  expect(without(await marketOf(again.webSocketUrl))).toEqual(without(market));
  const { modules, sequence: now } = await viewEngine(again.webSocketUrl, OPERATOR);
  expect(now).toBeGreaterThan(follower.sequence);
  const orders = modules.get("ORDER");
  const isKept = (id: string) => [unsure, forgotten].every((paths) => !paths.has(`/ORDER/${id}`));
  for (const [submitted, cancelled] of before) {
    for (const id of submitted.filter(isKept)) expect([id, orders?.has(id)]).toEqual([id, true]);
    for (const id of cancelled.filter(isKept)) {
      expect(orders?.get(id)).toMatchObject({ id, closeReason: expect.any(String) });
    }
  }
  await again.stop();
}
