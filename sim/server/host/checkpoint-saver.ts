// Saves checkpoints: the server's part, then the engine's state. A checkpoint replaces the calls before it.

import type { Logger } from "../../../common/logger.ts";
import type { SqliteAuditStore } from "../../audit/sqlite-audit-store.ts";
import type { MarketEngine } from "../../engine/api/market-engine.ts";
import type { JournalWriter } from "../../journal/journal-writer.ts";
import type { CancelOnDisconnectOrders } from "./cancel-on-disconnect.ts";
import { JournalFailure } from "./engine-failure.ts";
import type { FailStop } from "./fail-stop.ts";

/** The server's part of a checkpoint, written before the engine's parts. */
export interface HostPart {
  readonly kind: "host";
  readonly watchedOrders: readonly string[];
  readonly secretDigest: string | null;
  /** Position of the last durable audit event. */
  readonly auditPosition: number;
}

export interface CheckpointSaverOptions {
  readonly journal: JournalWriter;
  readonly audit: SqliteAuditStore;
  readonly engine: MarketEngine;
  readonly orders: CancelOnDisconnectOrders<unknown>;
  readonly secretDigest: string | null;
  readonly failStop: FailStop;
  readonly log: Logger;
}

export class CheckpointSaver {
  constructor(private readonly options: CheckpointSaverOptions) {}

  saveIfDue(): void {
    const { journal } = this.options;
    if (journal.isCheckpointDue && !journal.hasUncommitted) this.#save();
  }

  /** Saves a last checkpoint, if anything changed since the last one, and closes the journal. */
  close(): void {
    const { journal } = this.options;
    if (journal.hasNewRecords) this.#save();
    journal.close();
  }

  #save(): void {
    const { journal, audit, failStop, log } = this.options;
    const started = performance.now();
    let isSaved = false;
    failStop.guard((cause) => new JournalFailure(cause), () => {
      // The audit trail is synced first: a lost audit event can only be made again from the calls that the checkpoint
      // drops.
      isSaved = journal.saveCheckpoint(this.#parts(), () => audit.sync());
    });
    if (isSaved) log.info("checkpoint of the state saved", { durationMs: Math.round(performance.now() - started) });
  }

  *#parts(): Generator<unknown, void, undefined> {
    const { audit, engine, orders, secretDigest } = this.options;
    const auditPosition = audit.lastPosition;
    yield { kind: "host", watchedOrders: orders.all(), secretDigest, auditPosition } satisfies HostPart;
    yield* engine.checkpoint();
  }
}
