// The engine that a journal describes: a new one, or the one that was there before a restart.
//
// Newest checkpoint, then every call after it. The audit trail was durable up to the checkpoint, and gets from the calls what it
// lacks; the events for those that resume are those of the calls applied again, and what is older is a gap. Connections have not survived: whose
// they were and which orders they leave is for EngineHost to settle before it serves.

import type { Logger } from "../../../common/logger.ts";
import type { SqliteAuditStore } from "../../audit/sqlite-audit-store.ts";
import type { MarketDefinition } from "../../definition/market-definition.ts";
import { Engine } from "../../engine/engine.ts";
import type { CheckpointPart } from "../../engine/checkpoint/checkpoint.ts";
import type { Execution } from "../../engine/api/market-engine.ts";
import { applyCall, describeCall, type FailedCall, type JournalCall } from "../../journal/journal-call.ts";
import { JournalWriter } from "../../journal/journal-writer.ts";
import type { JournalHeader, JournalStore, LoadedJournal } from "../../journal/journal.ts";
import { secretDigest } from "../../journal/secret-digest.ts";
import type { StorageGate } from "../../journal/storage-gate.ts";
import type { HostPart } from "../host/host-part.ts";
import { EventHistory } from "../publication/event-history.ts";
import { reasonOf } from "../host/engine-failure.ts";
import { CancelOnDisconnectOrders, orderMadeBy } from "../host/cancel-on-disconnect.ts";

export interface RecoverOptions {
  readonly store: JournalStore;
  /** The one that goes with the journal. */
  readonly audit: SqliteAuditStore;
  /** What is done when there is no room for more; absent: nothing. */
  readonly gate?: StorageGate;
  /** For a new journal; one that is there has its own. */
  readonly header: () => JournalHeader;
  /** Throws where the stored definition is not the one wanted, before anything is read or written. */
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

/** What EngineHost needs to go on from there. */
export interface RecoveredEngine {
  readonly engine: Engine;
  readonly engineId: string;
  readonly definition: MarketDefinition;
  readonly audit: SqliteAuditStore;
  readonly history: EventHistory;
  readonly journal: JournalWriter;
  /** Open orders of connections that asked for cancelOnDisconnect, oldest first. */
  readonly leftOrders: readonly string[];
  /** Of the secret in force; null: none. */
  readonly secretDigest: string | null;
  /** Whether nothing has happened in it yet: also after a start that came to nothing. */
  readonly isNew: boolean;
}

/** Throws an Error of one line where the journal can't be read. */
export function recoverEngine(options: RecoverOptions): RecoveredEngine {
  const { store, audit, secret, now } = options;
  const loaded = store.load();
  if (loaded !== null) options.accept?.(loaded.header.definition);
  const header = loaded?.header ?? options.header();
  if (loaded === null) store.create(header);
  const history = new EventHistory(options.historySize);
  const watch = new CancelOnDisconnectOrders<null>();
  const replay = new Replay(header, audit, history, watch, options.log);
  // What stands there beyond is of another history, or of calls that were cut off as damaged.
  if (loaded === null) audit.truncate(0);
  else audit.truncate(replay.load(loaded));

  const journal = new JournalWriter(store, {
    lastNumber: loaded?.lastNumber ?? 0,
    checkpointNumber: loaded?.checkpoint?.upTo ?? 0,
    checkpointParts: replay.checkpointParts,
    checkpointRecords: options.checkpointRecords,
    gate: options.gate,
  });
  const digest = secret === null ? null : secretDigest(replay.engine.epoch, secret);
  if (digest !== replay.secretDigest) {
    journal.note({ kind: "secret", digest, now: now() });
    replay.engine.setSecret(digest);
  }
  return {
    engine: replay.engine,
    engineId: header.engineId,
    definition: header.definition,
    audit,
    history,
    journal,
    leftOrders: watch.release(null),
    secretDigest: digest,
    isNew: replay.engine.sequence === header.epoch,
  };
}

class Replay {
  engine: Engine;
  secretDigest: string | null = null;
  checkpointParts = 0;
  #auditPosition = 0;

  constructor(
    readonly header: JournalHeader,
    readonly audit: SqliteAuditStore,
    readonly history: EventHistory,
    readonly watch: CancelOnDisconnectOrders<null>,
    readonly log: Logger,
  ) {
    this.engine = new Engine(header.definition, engineOptions(header));
  }

  /** Gives the position of the newest audit event. Throws if the engine fails on a record. */
  load({ checkpoint, records, cut, lastNumber }: LoadedJournal): number {
    if (cut !== null) {
      this.log.warn("journal cut after record {after}: {reason}; nothing of it was confirmed", { ...cut });
    }
    const started = performance.now();
    if (checkpoint !== null) {
      this.engine = Engine.restore(
        this.header.definition,
        this.#engineParts(checkpoint.parts),
        engineOptions(this.header),
      );
      this.engine.setSecret(this.secretDigest);
    }
    for (const { number, text } of records) this.#apply(number, JSON.parse(text));
    this.log.info("journal read up to record {lastNumber}, from a checkpoint at {checkpointNumber}", {
      lastNumber,
      checkpointNumber: checkpoint?.upTo ?? null,
      durationMs: Math.round(performance.now() - started),
    });
    return this.#auditPosition;
  }

  *#engineParts(parts: Iterable<string>): Generator<CheckpointPart, void, undefined> {
    for (const text of parts) {
      this.checkpointParts += 1;
      const part: CheckpointPart | HostPart = JSON.parse(text);
      if (part.kind !== "host") yield part;
      else {
        this.secretDigest = part.secretDigest;
        this.#auditPosition = part.auditPosition;
        for (const orderId of part.watchedOrders) this.watch.watch(orderId, null);
      }
    }
  }

  #apply(number: number, call: JournalCall): void {
    if (call.kind === "secret") this.secretDigest = call.digest;
    if (call.kind === "newEpoch") this.history.clear();
    if (call.kind === "failed") this.#leaveOut(number, call.call, call.error);
    const execution = this.#applied(number, call);
    if (execution === null) return;
    const orderId = call.kind === "execute" && call.cancelOnDisconnect ? orderMadeBy(call, execution) : null;
    if (orderId !== null) this.watch.watch(orderId, null);
    this.audit.append(execution.audit);
    this.#auditPosition += execution.audit.length;
    this.history.append(execution.events);
    this.watch.apply(execution.states);
  }

  /** What the journal holds was carried out once, so the engine can't fail on it. If it does, nothing after it is right. */
  #applied(number: number, call: JournalCall): Execution | null {
    try {
      return applyCall(this.engine, call);
    } catch (error) {
      throw new Error(
        `journal: the engine fails on record ${number} (${call.kind}): ${
          reasonOf(error)
        }; start the version of mkt that ` +
          "wrote it, or name an empty directory for a new market",
        { cause: error },
      );
    }
  }

  #leaveOut(number: number, call: FailedCall, error: string): void {
    this.log.warn("left out record {number}, {call}: the engine failed on it: {error}", {
      number,
      call: describeCall(call),
      error,
    });
    // Cancelling them again would fail again.
    if (call.kind === "cancelDisconnected") this.watch.forget(call.orderIds);
  }
}

function engineOptions({ epoch, startedAt, engineId }: JournalHeader) {
  return { epoch, now: startedAt, engineId, secret: null };
}
