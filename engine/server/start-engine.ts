// Starts a whole engine for `mkt engine` and `mkt demo`: makes or recovers the engine and its audit trail, serves it
// (engine-server.ts), and delivers the audit trail to another store if there is one.

import { UsageError } from "../../common/command-line.ts";
import { inOrder } from "../../common/in-order.ts";
import { showProgress } from "../../common/progress-bar.ts";
import type { AuditStore } from "../../common/audit/audit-store.ts";
import type { ServerAccess } from "../../common/http/server-access.ts";
import { AuditDelivery } from "../audit/audit-delivery.ts";
import { ThreadedAuditStore } from "../audit/threaded-audit-store.ts";
import { contractsAt } from "../definition/listed-contracts.ts";
import type { MarketDefinition } from "../definition/market-definition.ts";
import type { SimulatorHost } from "../embedded/simulator-host.ts";
import { Engine } from "../engine.ts";
import type { JournalHeader } from "../journal/journal.ts";
import { WorkerCheckpointMaker } from "./checkpoints/worker-checkpoint-maker.ts";
import { openDataDirectory } from "./recovery/data-directory.ts";
import { MarketIdentity } from "./recovery/market-identity.ts";
import { randomHashKey } from "./recovery/journal-replay.ts";
import { recoverEngine } from "./recovery/recover-engine.ts";
import { AS_IT_WAS, changeOfClock, clockOfNewMarket, type StartClock } from "./start-clock.ts";
import { type ServedEngine, serveEngine, type ServeEngineOptions } from "./engine-server.ts";
import { storageReader } from "./metrics/storage-figures.ts";

export interface StartEngineOptions extends
  ServerAccess,
  Pick<
    ServeEngineOptions,
    "hostname" | "port" | "orAnyPort" | "limits" | "log" | "now" | "steadyNow" | "updateIntervalMs" | "tracer"
  > {
  /** Definition of a new market. A market in `data` keeps its own. */
  readonly definition: MarketDefinition;
  /** Data directory; null or absent: nothing outlives the process. */
  readonly data?: string | null;
  /** Whether to copy damaged data aside and continue with what is readable. By default damage stops the start. */
  readonly acceptDataLoss?: boolean;
  /** File that tells which market `data` must have (market-identity.ts); null or absent: any, or none. */
  readonly identity?: string | null;
  /** Whether to refuse a market in `data` that has another definition. */
  readonly mustMatch?: boolean;
  /** The largest step of the clock that a market in `data` follows while it runs (engine-clock.ts); absent: any. */
  readonly maxClockJumpMs?: number;
  /** The clock of the market; absent: real time, or as it was. */
  readonly clock?: StartClock;
  /** STRESS_TEST_SECRET; null: `dev.reset` is not configured. */
  readonly secret: string | null;
  /** Another store that gets the audit trail; null or absent: none. */
  readonly auditTarget?: AuditStore | null;
}

export interface RunningEngine extends ServedEngine, SimulatorHost {
  readonly engineId: string;
}

/** How long a stop waits for the delivery of the audit trail. */
const DELIVERY_GRACE_MS = 5000;

/**
 * Rejects with an Error of one line if the port is taken or the data directory can't be used: UsageError if it holds another
 * market than the options ask for.
 */
export async function startEngine(options: StartEngineOptions): Promise<RunningEngine> {
  const { data = null, auditTarget = null, log } = options;
  let marketTime = options.now;
  const inMarketTime = () => marketTime();
  const opened =
    await (data === null ? newEngine(options, inMarketTime) : recoveredEngine(options, data, inMarketTime));
  const { engineId, definition, isNew } = opened;
  try {
    const maxClockJumpMs = data === null ? undefined : options.maxClockJumpMs;
    const served = serveEngine({ ...options, ...opened, maxClockJumpMs });
    marketTime = served.marketTime;
    log.info("engine {engineId} serves {url} and {webSocketUrl}", {
      engineId,
      url: served.url,
      webSocketUrl: served.webSocketUrl,
      contracts: contractsAt(definition, served.marketTime()).length,
      users: definition.users.length,
    });
    const delivery = auditTarget && new AuditDelivery({ source: opened.audit, target: auditTarget, log });
    const stop = () =>
      inOrder(
        () => served.stop(),
        () => delivery?.stop(DELIVERY_GRACE_MS),
        () => opened.audit.close(),
      );
    return { ...served, stop, engineId, definition, isNew };
  } catch (error) {
    return await failed(error, () => opened.journal?.close(), () => opened.audit.close());
  }
}

async function newEngine(options: StartEngineOptions, marketTime: () => number) {
  const { definition, secret, now, clock: asked } = options;
  const header = newJournalHeader(definition, now(), asked);
  const { engineId, epoch, startedAt, clock } = header;
  const hashKey = randomHashKey();
  const engine = new Engine(definition, { epoch, now: startedAt, clock, engineId, secret, hashKey });
  return {
    engine,
    engineId,
    definition,
    audit: await ThreadedAuditStore.open({ directory: null, now: marketTime }),
    journal: null,
    newClock: null,
    isNew: true,
  };
}

async function recoveredEngine(options: StartEngineOptions, directory: string, marketTime: () => number) {
  const { definition, secret, now, log, clock = AS_IT_WAS, acceptDataLoss = false } = options;
  const identity = options.identity ? new MarketIdentity(options.identity, directory) : null;
  const opened = await openDataDirectory(directory, { now, marketTime, log, acceptDataLoss, identity });
  const accept = (stored: MarketDefinition) => {
    if (!options.mustMatch || sameDefinition(stored, definition)) return;
    const advice = "leave out --market to continue with it, or name another directory";
    throw new UsageError(`${directory} holds a market with another definition than the file; ${advice}`);
  };
  try {
    const header = () => newJournalHeader(definition, now(), clock);
    const progress = await showProgress(null, "records of the journal");
    const recovered = recoverEngine({ ...opened, header, accept, secret, now, log, onProgress: progress.update });
    progress.stop();
    identity?.remember(recovered.engineId);
    const newClock = changeOfClock(clock, recovered.engine, directory);
    const { store, audit } = opened;
    const storage = storageReader(directory, () => store.origin?.inUse?.state.file ?? null);
    const backupSource = { journal: store, audit };
    return { ...recovered, newClock, storage, backupSource, checkpointMaker: new WorkerCheckpointMaker(store) };
  } catch (error) {
    return await failed(error, () => opened.guard.stop(), () => opened.store.close(), () => opened.audit.close());
  }
}

/** Ends what was opened, and rejects with the error. */
async function failed(error: unknown, ...ends: readonly (() => unknown)[]): Promise<never> {
  await inOrder(() => Promise.reject(error), ...ends);
  throw error;
}

/** The epoch is the clock in microseconds, so event numbers grow from one market history to the next. */
export function newJournalHeader(definition: MarketDefinition, realNow: number, clock = AS_IT_WAS): JournalHeader {
  const epoch = realNow * 1000;
  const engineId = `${definition.markets[0]?.id ?? "market"}-${epoch.toString(36)}`;
  return { engineId, epoch, ...clockOfNewMarket(clock, realNow), definition };
}

/** Compares as JSON, so an undefined field equals a missing one. */
function sameDefinition(stored: MarketDefinition, definition: MarketDefinition): boolean {
  return Bun.deepEquals(stored, JSON.parse(JSON.stringify(definition)));
}
