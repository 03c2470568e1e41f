// The engine that a journal describes: a new engine, or the one from before a restart.
//
// No connection survives a restart. EngineHost cancels the orders that connections left, and marks their users as
// disconnected, before it serves.

import { lengthText } from "../../../common/length-text.ts";
import type { Logger } from "../../../common/logger.ts";
import type { EngineAuditStore } from "../../audit/engine-audit-store.ts";
import type { MarketDefinition } from "../../definition/market-definition.ts";
import { describeCall } from "../../journal/journal-call.ts";
import type { JournalHeader, JournalStore, LoadedJournal, TornWrite } from "../../journal/journal.ts";
import { JournalWriter } from "../../journal/journal-writer.ts";
import { secretDigest } from "../../journal/secret-digest.ts";
import type { StorageGuard } from "../../journal/storage-guard.ts";
import type { MarketEngine } from "../../api/market-engine.ts";
import { EventHistory } from "../publication/event-history.ts";
import { JournalReplay, type ReplayListener } from "./journal-replay.ts";

interface RecoverOptions {
  readonly store: JournalStore;
  /** The audit trail beside the journal. */
  readonly audit: EngineAuditStore;
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
  /** Called now and then with the number of records applied, and of all. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly historySize?: number;
  /** Least number of records between two checkpoints. */
  readonly checkpointRecords?: number;
  /** Least number of them for each part of the last checkpoint. */
  readonly recordsPerPart?: number;
}

const RECORDS_BETWEEN_PROGRESS = 1_000;

/** Gives what EngineHost needs. Throws an Error of one line if the journal can't be read. */
export function recoverEngine(options: RecoverOptions) {
  const { store, audit, secret, now, log } = options;
  const loaded = store.load();
  if (loaded !== null) options.accept?.(loaded.header.definition);
  const header = loaded?.header ?? options.header();
  if (loaded === null) {
    store.create(header);
    log.info("made a new market {engineId}: there was none", { engineId: header.engineId });
  }
  const history = new EventHistory(options.historySize);
  const replay = new JournalReplay(header, listenerAtStart(audit, history, log));
  if (loaded !== null) load(replay, loaded, options);
  // Later audit events belong to an older journal, or to records that were cut off as damaged.
  audit.truncate(replay.engine.auditPosition);

  const journal = new JournalWriter(store, {
    lastNumber: loaded?.lastNumber ?? 0,
    checkpointNumber: loaded?.checkpoint?.upTo ?? 0,
    checkpointParts: replay.checkpointParts,
    checkpointRecords: options.checkpointRecords,
    recordsPerPart: options.recordsPerPart,
    guard: options.guard,
  });
  const { engine } = replay;
  if (loaded !== null) logAbsence(engine, options);
  const digest = secret === null ? null : secretDigest(header.engineId, secret);
  if (digest !== replay.secretDigest) {
    const realNow = Math.max(now(), engine.realNow);
    journal.append({ kind: "secret", digest, now: engine.clock.mode === "real" ? realNow : engine.now, realNow });
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
    /** Whether nothing has happened in the market yet. */
    isNew: engine.sequence === header.epoch,
  };
}

/** Throws if the engine fails on a record. */
function load(
  replay: JournalReplay,
  { checkpoint, records, tornWrite, lastNumber }: LoadedJournal,
  { log, onProgress }: RecoverOptions,
): void {
  logTornWrite(tornWrite, log);
  const started = performance.now();
  if (checkpoint !== null) replay.restore(checkpoint.parts);
  const first = checkpoint?.upTo ?? 0;
  for (const { number, text } of records) {
    replay.apply(number, text);
    if (number % RECORDS_BETWEEN_PROGRESS === 0) onProgress?.(number - first, lastNumber - first);
  }
  log.info("journal read up to record {lastNumber}, from a checkpoint at {checkpointNumber}", {
    lastNumber,
    checkpointNumber: checkpoint?.upTo ?? null,
    durationMs: Math.round(performance.now() - started),
  });
}

/** Nothing says when the engine ended: its last call is the last that is known of it. */
function logAbsence({ realNow, clock }: Pick<MarketEngine, "realNow" | "clock">, { now, log }: RecoverOptions): void {
  const awayMs = now() - realNow;
  if (awayMs <= 0) return;
  const market = clock.mode === "real" ? "market time follows the clock" : "market time has stood still";
  log.info(`the engine's last call was {length} ago, at {time}; ${market}`, {
    length: lengthText(awayMs),
    time: new Date(realNow).toISOString(),
  });
}

export function logTornWrite(tornWrite: TornWrite | null, log: Logger): void {
  if (tornWrite === null) return;
  log.warn("journal cut after record {after}: {reason}; nothing of it was confirmed", { ...tornWrite });
}

function listenerAtStart(audit: EngineAuditStore, history: EventHistory, log: Logger): ReplayListener {
  return {
    applied: (execution) => {
      audit.record(execution.audit);
      history.append(execution.messages);
    },
    epochBegan: () => history.clear(),
    leftOut: (number, call, error) =>
      log.warn("left out record {number}, {call}: the engine failed on it: {error}", {
        number,
        call: describeCall(call),
        error,
      }),
  };
}
