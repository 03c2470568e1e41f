// The backups of an engine: one at a time, each of everything that was committed when it began. Calls go on meanwhile.
//
// No read transaction is open during a backup, so the journal's log does not grow. Instead nothing that the backup reads is
// deleted before it ends (EngineHost.backupPoint).

import packageJson from "../../../package.json";
import type { Logger } from "../../../common/logger.ts";
import { SYSTEM_TIMERS } from "../../../common/timers.ts";
import { BACKUP_FORMAT, type BackupDescription } from "../../backup/backup-format.ts";
import { FORMAT_VERSION } from "../../journal/journal-tables.ts";
import type { EngineCounters } from "../metrics/engine-counters.ts";
import type { EngineHost } from "../host/engine-host.ts";
import { type BackupEnd, type BackupLimits, type BackupSource, RunningBackup } from "./running-backup.ts";

export interface BackupsOptions extends Partial<BackupLimits> {
  readonly host: EngineHost;
  /** Null: the engine keeps its market in memory only. */
  readonly source: BackupSource | null;
  readonly engineId: string;
  readonly log: Logger;
  readonly counters: Pick<EngineCounters, "backups" | "backupTaken">;
}

type BeginningBackup =
  | { readonly kind: "begun"; readonly stream: ReadableStream<Uint8Array<ArrayBuffer>> }
  | { readonly kind: "busy" }
  | { readonly kind: "in_memory" };

const STALL_MS = 60_000;
const LIMIT_MS = 1_800_000;

export class Backups {
  #running: RunningBackup | null = null;
  #isStopped = false;

  constructor(private readonly options: BackupsOptions) {}

  /** Throws the engine's failure. `userId`: who asked for it, for the log. */
  begin(userId: string): BeginningBackup {
    const { host, source, log, counters, stallMs = STALL_MS, limitMs = LIMIT_MS, timers = SYSTEM_TIMERS } =
      this.options;
    if (source === null) return { kind: "in_memory" };
    if (this.#running !== null || this.#isStopped) return { kind: "busy" };
    const point = host.backupPoint();
    const { origin } = source.journal;
    if (point === null || origin === null) throw new Error("a journal that can be backed up has not begun");
    const { upTo, auditPosition, epoch, sequence } = point;
    const description: BackupDescription = {
      kind: "mkt backup",
      format: BACKUP_FORMAT,
      mkt: packageJson.version,
      journalFormat: FORMAT_VERSION,
      engineId: this.options.engineId,
      epoch,
      upTo,
      sequence,
      marketTime: new Date(point.marketTime).toISOString(),
      time: new Date(point.time).toISOString(),
      checkpoint: origin.inUse?.upTo ?? null,
      auditPosition,
      auditDelivered: source.audit.delivered,
    };
    const began = performance.now();
    const onEnd = ({ failure, bytes }: BackupEnd) => {
      this.#running = null;
      point.release();
      const facts = { userId, upTo, bytes, durationMs: Math.round(performance.now() - began) };
      if (failure === null) {
        counters.backupTaken(point.time);
        log.info("sent a backup up to record {upTo} to user {userId}", facts);
      } else {
        counters.backups.add("failed");
        log.warn("a backup for user {userId} was not finished: {failure}", { ...facts, failure });
      }
    };
    try {
      this.#running = new RunningBackup({ source, origin, description, onEnd, stallMs, limitMs, timers });
    } catch (error) {
      point.release();
      throw error;
    }
    return { kind: "begun", stream: this.#running.stream };
  }

  /** Ends the backup that is under way, and begins no other. */
  stop(): void {
    this.#isStopped = true;
    this.#running?.fail("the engine is shutting down");
  }
}
