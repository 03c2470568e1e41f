// A whole engine process: the engine, its audit trail and its api, as `mkt engine` and `mkt demo` run it, with a
// journal in a directory or without one.

import type { AuditStore } from "../../common/audit/audit-store.ts";
import type { ServerAccess } from "../../common/http/server-access.ts";
import type { Logger } from "../../common/logger.ts";
import { AuditDelivery } from "../audit/audit-delivery.ts";
import { SqliteAuditStore } from "../audit/sqlite-audit-store.ts";
import { contractsAt } from "../definition/listed-contracts.ts";
import type { MarketDefinition } from "../definition/market-definition.ts";
import { Engine } from "../engine/engine.ts";
import type { JournalHeader } from "../journal/journal.ts";
import type { EngineLimits } from "./limits/engine-limits.ts";
import { openDataDirectory } from "./recovery/data-directory.ts";
import { type RecoveredEngine, recoverEngine } from "./recovery/recover-engine.ts";
import { type ServedEngine, serveEngine } from "./engine-server.ts";

export interface StartEngineOptions extends ServerAccess {
  /** Of a new market; one that is in `data` goes on with its own. */
  readonly definition: MarketDefinition;
  /** Directory of the journal; null or absent: nothing outlives the process. */
  readonly data?: string | null;
  /** Whether damaged data are copied aside, and what can be read is gone on with; absent: they stop the start. */
  readonly acceptDataLoss?: boolean;
  /** Whether a market in `data` with another definition than this is refused. */
  readonly mustMatch?: boolean;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The engine's STRESS_TEST_SECRET; null: `dev.reset` is not configured. */
  readonly secret: string | null;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** What clients may ask for at most; the defaults if absent. */
  readonly limits?: EngineLimits;
  /** A store that gets the audit trail too; null or absent: none. */
  readonly auditTarget?: AuditStore | null;
}

export interface RunningEngine extends ServedEngine {
  readonly engineId: string;
  readonly definition: MarketDefinition;
  /** Whether nothing has happened in the market yet. */
  readonly isNew: boolean;
}

/** How long an orderly stop goes on delivering the audit trail. */
const DELIVERY_GRACE_MS = 5000;

/** Throws an Error of one line where the port is taken, or the journal can't be had. */
export function startEngine(options: StartEngineOptions): RunningEngine {
  const { data = null, auditTarget = null, log } = options;
  const opened = data === null ? newEngine(options) : recoveredEngine(options, data);
  const { engineId, definition, isNew } = opened;
  try {
    const served = serveEngine({ ...options, ...opened });
    log.info("engine {engineId} serves {url} and {webSocketUrl}", {
      engineId,
      url: served.url,
      webSocketUrl: served.webSocketUrl,
      contracts: contractsAt(definition, options.now()).length,
      users: definition.users.length,
    });
    const delivery = auditTarget === null
      ? null
      : new AuditDelivery({ source: opened.audit, target: auditTarget, log });
    const stop = async () => {
      await served.stop();
      await delivery?.stop(DELIVERY_GRACE_MS);
      opened.audit.close();
    };
    return { ...served, stop, engineId, definition, isNew };
  } catch (error) {
    opened.journal?.close();
    opened.audit.close();
    throw error;
  }
}

function newEngine({ definition, secret, now }: StartEngineOptions) {
  const header = newJournalHeader(definition, now());
  const { engineId, epoch, startedAt } = header;
  const engine = new Engine(definition, { epoch, now: startedAt, engineId, secret });
  return { engine, engineId, definition, audit: SqliteAuditStore.inMemory({ now }), journal: null, isNew: true };
}

function recoveredEngine(options: StartEngineOptions, directory: string): RecoveredEngine {
  const { definition, secret, now, log } = options;
  const { store, audit, guard } = openDataDirectory(directory, {
    now,
    log,
    acceptDataLoss: options.acceptDataLoss ?? false,
  });
  try {
    return recoverEngine({
      store,
      audit,
      guard,
      header: () => newJournalHeader(definition, now()),
      accept: (stored) => {
        if (!options.mustMatch || sameDefinition(stored, definition)) return;
        throw new Error(
          `${directory} holds a market with another definition than the file; leave out --market to go on with it, or name another directory`,
        );
      },
      secret,
      now,
      log,
    });
  } catch (error) {
    guard.stop();
    store.close();
    audit.close();
    throw error;
  }
}

/** A new epoch starts at the clock in microseconds, so that event numbers grow from one history to the next. */
export function newJournalHeader(definition: MarketDefinition, startedAt: number): JournalHeader {
  const epoch = startedAt * 1000;
  return { engineId: `${definition.markets[0]?.id ?? "market"}-${epoch.toString(36)}`, epoch, startedAt, definition };
}

/** As JSON has them: what is left out and what is undefined are the same. */
function sameDefinition(stored: MarketDefinition, definition: MarketDefinition): boolean {
  return Bun.deepEquals(stored, JSON.parse(JSON.stringify(definition)));
}
