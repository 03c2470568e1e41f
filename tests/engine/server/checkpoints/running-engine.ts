// An engine in this process as `mkt engine --data` runs it, whose turns the test counts: real journal, audit trail and
// checkpoint thread, but no network.

import { logger } from "../../../../common/logger.ts";
import type { Logger } from "../../../../common/logger.ts";
import { SYSTEM_TIMERS, type Timers } from "../../../../common/timers.ts";
import { builtInMarket } from "../../../../engine/definition/built-in-market.ts";
import { contractsAt } from "../../../../engine/definition/listed-contracts.ts";
import type { SqliteJournal } from "../../../../engine/journal/sqlite-journal.ts";
import type { BackupSource } from "../../../../engine/server/backups/running-backup.ts";
import { EngineHost } from "../../../../engine/server/host/engine-host.ts";
import { WorkerCheckpointMaker } from "../../../../engine/server/checkpoints/worker-checkpoint-maker.ts";
import { openDataDirectory } from "../../../../engine/server/recovery/data-directory.ts";
import { recoverEngine } from "../../../../engine/server/recovery/recover-engine.ts";
import { newJournalHeader } from "../../../../engine/server/start-engine.ts";
import { statesOf } from "../../../support/executions.ts";
import { BUYER } from "../harness.ts";

const definition = builtInMarket();
const CONTRACTS = contractsAt(definition, Date.now()).slice(-8).map(({ id }) => id);

export interface RunningHost {
  readonly host: EngineHost;
  readonly store: SqliteJournal;
  /** As `Backups` takes them. */
  readonly backupSource: BackupSource;
  /** Submits resting buy orders, committed together. Returns how many were accepted so far. */
  buy(count: number): number;
  orders(): string[];
  /** As a kill: nothing more is written. */
  abandon(): Promise<void>;
  stop(): Promise<void>;
}

/** `checkpointRecords`: records between two checkpoints. */
export async function run(
  directory: string,
  checkpointRecords: number,
  log: Logger = logger("test"),
  first = 0,
): Promise<RunningHost> {
  const now = Date.now;
  const { store, audit, guard } = await openDataDirectory(directory, { now, log, acceptDataLoss: false });
  const header = () => newJournalHeader(definition, now());
  const options = { store, audit, guard, header, secret: null, now, log, checkpointRecords, recordsPerPart: 0 };
  const recovered = recoverEngine(options);
  let isAbandoned = false;
  const timers: Timers = {
    after: (waitMs, task) => SYSTEM_TIMERS.after(waitMs, () => isAbandoned || task()),
  };
  const host = new EngineHost({ ...recovered, now, log, timers, checkpointMaker: new WorkerCheckpointMaker(store) });
  let sent = first;
  return {
    host,
    store,
    backupSource: { journal: store, audit },
    buy: (count) => {
      for (let at = 0; at < count; at++) {
        const contractId = CONTRACTS[++sent % CONTRACTS.length];
        const payload = { contractId, side: 0, price: 1000 + sent % 500 * 5, quantity: 5, timeInForce: "gtc" };
        const { response } = host.execute({ userId: BUYER, operationId: `b-${sent}`, action: "order.submit", payload });
        if (response?.status !== "ok") throw new Error(`order ${sent}: ${response?.message}`);
      }
      host.flush();
      return sent;
    },
    orders: () =>
      statesOf({ messages: [...host.snapshot()] }).map(({ statePath }) => statePath)
        .filter((path) => path.startsWith("/ORDER/")),
    abandon: async () => {
      // A killed engine's timers end with its process.
      isAbandoned = true;
      guard.stop();
      store.close();
      await audit.close();
    },
    stop: async () => {
      await host.stop();
      await audit.close();
    },
  };
}

export function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
