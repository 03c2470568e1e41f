// The engine that a journal describes: a new engine, or the one from before a restart.
//
// No connection survives a restart. EngineHost cancels the orders that connections left, and marks their users as
// disconnected, before it serves.

import type { Logger } from "../../../common/logger.ts";
import type { SqliteAuditStore } from "../../audit/sqlite-audit-store.ts";
import type { MarketDefinition } from "../../definition/market-definition.ts";
import type { Engine } from "../../engine/engine.ts";
import type { JournalHeader, JournalStore } from "../../journal/journal.ts";
import { JournalWriter } from "../../journal/journal-writer.ts";
import { secretDigest } from "../../journal/secret-digest.ts";
import type { StorageGuard } from "../../journal/storage-guard.ts";
import type { EventHistory } from "../publication/event-history.ts";
import { JournalReplay } from "./journal-replay.ts";

export interface RecoverOptions {
  readonly store: JournalStore;
  /** The audit trail beside the journal. */
  readonly audit: SqliteAuditStore;
  /** Says whether the disk has space for more; absent: it always has. */
  readonly guard?: StorageGuard;
  /** Header of a new journal. An existing journal keeps its own. */
  readonly header: () => JournalHeader;
  /** Throws if the stored definition is not the wanted one. Called before anything is read or written. */
  readonly accept?: (stored: MarketDefinition) => void;
  /** STRESS_TEST_SECRET; null: dev.reset is not configured. */
  readonly secret: string | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Logger;
  readonly historySize?: number;
  /** Least number of records between two checkpoints. */
  readonly checkpointRecords?: number;
}

/** What EngineHost needs. */
export interface RecoveredEngine {
  readonly engine: Engine;
  readonly engineId: string;
  readonly definition: MarketDefinition;
  readonly audit: SqliteAuditStore;
  readonly history: EventHistory;
  readonly journal: JournalWriter;
  /** Open orders of connections that asked for cancelOnDisconnect, oldest first. */
  readonly leftOrders: readonly string[];
  /** Digest of the secret in force; null: none. */
  readonly secretDigest: string | null;
  /** Whether nothing has happened in the market yet. */
  readonly isNew: boolean;
}

/** Throws an Error of one line if the journal can't be read. */
export function recoverEngine(options: RecoverOptions): RecoveredEngine {
  const { store, audit, secret, now, log } = options;
  const loaded = store.load();
  if (loaded !== null) options.accept?.(loaded.header.definition);
  const header = loaded?.header ?? options.header();
  if (loaded === null) store.create(header);
  const replay = new JournalReplay(header, audit, options.historySize, log);
  if (loaded !== null) replay.load(loaded);
  // Later audit events belong to an older journal, or to records that were cut off as damaged.
  audit.truncate(replay.auditPosition);

  const journal = new JournalWriter(store, {
    lastNumber: loaded?.lastNumber ?? 0,
    checkpointNumber: loaded?.checkpoint?.upTo ?? 0,
    checkpointParts: replay.checkpointParts,
    checkpointRecords: options.checkpointRecords,
    guard: options.guard,
  });
  const { engine, history } = replay;
  const digest = secret === null ? null : secretDigest(engine.epoch, secret);
  if (digest !== replay.secretDigest) {
    journal.append({ kind: "secret", digest, now: now() });
    engine.setSecret(digest);
  }
  return {
    engine,
    engineId: header.engineId,
    definition: header.definition,
    audit,
    history,
    journal,
    leftOrders: replay.orders.takeOrdersOf(null),
    secretDigest: digest,
    isNew: engine.sequence === header.epoch,
  };
}
