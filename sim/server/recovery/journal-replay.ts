// Restores an engine from its journal: takes the newest checkpoint and applies every call after it again.
//
// The audit trail was durable up to the checkpoint. The calls produce the later audit events, and the events for
// connections that resume. Events from before the checkpoint are reported to these connections as a gap.

import type { Logger } from "../../../common/logger.ts";
import type { SqliteAuditStore } from "../../audit/sqlite-audit-store.ts";
import type { Execution } from "../../engine/api/market-engine.ts";
import type { CheckpointPart } from "../../engine/checkpoint/checkpoint.ts";
import { Engine } from "../../engine/engine.ts";
import { applyCall, describeCall, type FailedCall, type JournalCall } from "../../journal/journal-call.ts";
import type { JournalHeader, LoadedJournal } from "../../journal/journal.ts";
import { CancelOnDisconnectOrders } from "../host/cancel-on-disconnect.ts";
import type { HostPart } from "../host/checkpoint-saver.ts";
import { reasonOf } from "../host/engine-failure.ts";
import { EventHistory } from "../publication/event-history.ts";
import { randomHashKey } from "./id-hash-key.ts";

export class JournalReplay {
  readonly orders = new CancelOnDisconnectOrders<null>();
  readonly history: EventHistory;
  engine: Engine;
  secretDigest: string | null = null;
  checkpointParts = 0;
  /** Position of the newest audit event that the journal accounts for. */
  auditPosition = 0;

  constructor(
    readonly header: JournalHeader,
    readonly audit: SqliteAuditStore,
    historySize: number | undefined,
    readonly log: Logger,
  ) {
    this.engine = new Engine(header.definition, engineOptions(header));
    this.history = new EventHistory(historySize);
  }

  /** Throws if the engine fails on a record. */
  load({ checkpoint, records, tornWrite, lastNumber }: LoadedJournal): void {
    if (tornWrite !== null) {
      this.log.warn("journal cut after record {after}: {reason}; nothing of it was confirmed", { ...tornWrite });
    }
    const started = performance.now();
    if (checkpoint !== null) {
      const parts = this.#engineParts(checkpoint.parts);
      this.engine = Engine.restore(this.header.definition, parts, engineOptions(this.header));
      this.engine.setSecret(this.secretDigest);
    }
    for (const { number, text } of records) this.#replay(number, JSON.parse(text));
    this.log.info("journal read up to record {lastNumber}, from a checkpoint at {checkpointNumber}", {
      lastNumber,
      checkpointNumber: checkpoint?.upTo ?? null,
      durationMs: Math.round(performance.now() - started),
    });
  }

  *#engineParts(parts: Iterable<string>): Generator<CheckpointPart, void, undefined> {
    for (const text of parts) {
      this.checkpointParts += 1;
      const part: CheckpointPart | HostPart = JSON.parse(text);
      if (part.kind !== "host") yield part;
      else {
        this.secretDigest = part.secretDigest;
        this.auditPosition = part.auditPosition;
        for (const orderId of part.watchedOrders) this.orders.add(orderId, null);
      }
    }
  }

  #replay(number: number, call: JournalCall): void {
    if (call.kind === "secret") this.secretDigest = call.digest;
    if (call.kind === "newEpoch") this.history.clear();
    if (call.kind === "failed") this.#leaveOut(number, call.call, call.error);
    const execution = this.#apply(number, call);
    if (execution === null) return;
    if (call.kind === "execute" && call.cancelOnDisconnect) this.orders.addCreated(call, execution, null);
    this.audit.record(execution.audit);
    this.auditPosition += execution.audit.length;
    this.history.append(execution.messages);
    this.orders.remove(execution.closedOrders);
  }

  /** The engine executed this call before, so it must not fail now. If it does, the records after it can't be applied. */
  #apply(number: number, call: JournalCall): Execution | null {
    try {
      return applyCall(this.engine, call);
    } catch (error) {
      const failed = `journal: the engine fails on record ${number} (${call.kind}): ${reasonOf(error)}`;
      const advice = "start the version of mkt that wrote it, or name an empty directory for a new market";
      throw new Error(`${failed}; ${advice}`, { cause: error });
    }
  }

  #leaveOut(number: number, call: FailedCall, error: string): void {
    this.log.warn("left out record {number}, {call}: the engine failed on it: {error}", {
      number,
      call: describeCall(call),
      error,
    });
    // Cancelling these orders again would fail again.
    if (call.kind === "cancelDisconnected") this.orders.remove(call.orderIds);
  }
}

function engineOptions({ epoch, startedAt, engineId }: JournalHeader) {
  return { epoch, now: startedAt, engineId, secret: null, hashKey: randomHashKey() };
}
