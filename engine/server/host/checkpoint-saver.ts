// Saves checkpoints, which replace the calls before them. While the engine runs, a checkpoint is made beside it
// (CheckpointMaker), and this thread only hands over records, switches to the finished checkpoint and deletes what it
// replaces, each in small steps. At a stop nothing else waits, so the state of the engine itself is written.
//
// If a checkpoint can't be made, the engine goes on without it and says so. The calls stay in the journal, and the next
// attempt comes after as many calls as lie between two checkpoints.

import type { Logger } from "../../../common/logger.ts";
import type { EngineAuditStore } from "../../audit/engine-audit-store.ts";
import type { MarketEngine } from "../../api/market-engine.ts";
import type { ReadableJournal } from "../../journal/journal-scan.ts";
import type { JournalWriter } from "../../journal/journal-writer.ts";
import type { NewCheckpoint, WrittenCheckpoint } from "../../journal/journal.ts";
import { isStorageFull } from "../../journal/storage-guard.ts";
import type { EngineCounters } from "../metrics/engine-counters.ts";
import type { CancelOnDisconnectOrders } from "./cancel-on-disconnect.ts";
import { JournalFailure, reasonOf } from "./engine-failure.ts";
import type { FailStop } from "./fail-stop.ts";

/** The server's part of a checkpoint, written before the engine's parts. */
export interface HostPart {
  readonly kind: "host";
  readonly watchedOrders: readonly string[];
  readonly secretDigest: string | null;
  /** Position of the last durable audit event. */
  readonly auditPosition: number;
}

/** The checkpoint of an engine and its host. */
export function checkpointOf(
  engine: Pick<MarketEngine, "checkpoint" | "rememberedOperations" | "realNow">,
  host: Omit<HostPart, "kind">,
): Omit<NewCheckpoint, "upTo"> {
  const hostPart: HostPart = { kind: "host", ...host };
  return {
    state: textsOf([hostPart], engine.checkpoint()),
    operations: (since) => textsOf(engine.rememberedOperations(since)),
    time: engine.realNow,
  };
}

function* textsOf(...parts: readonly Iterable<unknown>[]): Generator<string, void, undefined> {
  for (const some of parts) for (const part of some) yield JSON.stringify(part);
}

/** Audit position of the checkpoint that a journal begins with; 0 without a checkpoint. */
export function auditPositionOf(journal: ReadableJournal | null): number {
  return journal === null || journal.firstPart === null ? 0 : (JSON.parse(journal.firstPart) as HostPart).auditPosition;
}

/** Makes checkpoints from the last one and the records after it, so the engine need not stop for them. */
export interface CheckpointMaker {
  /** Writes the checkpoint that replaces the records up to `upTo`, the last one of a commit. Rejects if that fails. */
  make(upTo: number): Promise<WrittenCheckpoint>;
  /** Gives up what is being made. */
  cancel(): void;
}

interface CheckpointSaverOptions {
  readonly journal: JournalWriter;
  /** Null: checkpoints are saved at a stop only. */
  readonly maker: CheckpointMaker | null;
  readonly audit: EngineAuditStore;
  readonly engine: MarketEngine;
  readonly orders: CancelOnDisconnectOrders<unknown>;
  readonly secretDigest: string | null;
  readonly failStop: FailStop;
  readonly counters: EngineCounters;
  readonly log: Logger;
  /** Calls `task` at the end of this turn of the event loop. */
  readonly defer: (task: () => void) => void;
}

/** Keeps what it names in the journal. */
export interface KeptJournal {
  /** Number of the last committed record. */
  readonly upTo: number;
  release(): void;
}

export class CheckpointSaver {
  /** Whether a checkpoint is being made, or what it replaces is being deleted. */
  #isBusy = false;
  #isClosed = false;
  /** Resolves when nothing needs what a later checkpoint replaces. */
  #released: Promise<void> = Promise.resolve();

  /** Goes on to delete what the last checkpoint replaces, if the process before did not finish that. */
  constructor(private readonly options: CheckpointSaverOptions) {
    void this.#alone(() => this.#deleteReplaced());
  }

  /**
   * Deletes neither the checkpoint that is in use now nor the records after it until `release` is called, even if a later
   * checkpoint replaces them. Meanwhile no further checkpoint is begun after that one. One caller at a time.
   */
  keep(): KeptJournal {
    const released = Promise.withResolvers<void>();
    this.#released = released.promise;
    return { upTo: this.options.journal.lastNumber, release: released.resolve };
  }

  saveIfDue(): void {
    const { journal, maker } = this.options;
    if (maker === null || this.#isBusy || this.#hasEnded) return;
    if (!journal.isCheckpointDue || journal.hasUncommitted) return;
    void this.#alone(() => this.#save(maker, journal.lastNumber));
  }

  /** Makes no checkpoint any more, and deletes nothing. */
  abandon(): void {
    this.#isClosed = true;
    this.options.maker?.cancel();
  }

  /** Saves a last checkpoint, if anything changed since the last one, and closes the journal. */
  async close(): Promise<void> {
    const { journal, audit, engine, orders, secretDigest, failStop } = this.options;
    this.abandon();
    try {
      if (journal.hasNewRecords && journal.refusal === null) {
        await this.#syncAudit();
        const host = { watchedOrders: orders.all(), secretDigest, auditPosition: audit.lastPosition };
        const checkpoint = checkpointOf(engine, host);
        failStop.guard((cause) => new JournalFailure(cause), () => journal.saveCheckpoint(checkpoint));
        await journal.removeReplacedFile();
      }
    } finally {
      journal.close();
    }
  }

  /** One at a time: files that are not in use are deleted, and a checkpoint that is being made is not in use yet. */
  async #alone(work: () => Promise<void>): Promise<void> {
    this.#isBusy = true;
    try {
      await work();
    } catch (error) {
      if (!this.#hasEnded) this.#giveUp(error);
    } finally {
      this.#isBusy = false;
    }
  }

  async #save(maker: CheckpointMaker, upTo: number): Promise<void> {
    const { journal, audit, failStop, counters, log } = this.options;
    const started = performance.now();
    const written = await maker.make(upTo);
    // The audit trail is synced first: a lost audit event can only be made again from the calls that the checkpoint drops.
    await audit.sync();
    if (this.#hasEnded) return;
    // The new file may be gone too, and without it the journal could not go on.
    if (journal.refusal?.code === "storage_missing") throw new Error(journal.refusal.message);
    failStop.guard((cause) => new JournalFailure(cause), () => journal.useCheckpoint(written));
    const durationMs = performance.now() - started;
    counters.checkpointSaved(durationMs);
    log.info("checkpoint of the state saved", { durationMs: Math.round(durationMs) });
    await this.#deleteReplaced();
  }

  /** Deletes one step in each turn of the event loop. */
  async #deleteReplaced(): Promise<void> {
    const { journal, failStop, defer } = this.options;
    await this.#released;
    for (let isMoreLeft = true; isMoreLeft;) {
      await new Promise<void>((resolve) => defer(resolve));
      if (this.#hasEnded) return;
      failStop.guard((cause) => new JournalFailure(cause), () => isMoreLeft = journal.deleteReplaced());
    }
    await journal.removeReplacedFile();
  }

  get #hasEnded(): boolean {
    return this.#isClosed || this.options.failStop.hasFailed;
  }

  #giveUp(error: unknown): void {
    const { journal, counters, log } = this.options;
    counters.checkpoints.add("failed");
    journal.postponeCheckpoint();
    if (isStorageFull(error)) journal.refuseChanges();
    log.error("could not save a checkpoint, so the journal keeps the calls since the last one: {reason}", {
      reason: reasonOf(error),
    });
  }

  /** Returns once every audit event is durable. Calls may come meanwhile. */
  async #syncAudit(): Promise<void> {
    const { audit } = this.options;
    for (let synced = -1; synced !== audit.lastPosition;) {
      synced = audit.lastPosition;
      await audit.sync();
    }
  }
}
