// What an engine counts while it works, for its metrics (engine-metrics.ts). Counting adds to plain numbers: it takes some tens
// of nanoseconds for a request, and no memory. Labels have a fixed number of values: unknown actions are counted together.

import { Counts } from "../../../common/telemetry/counts.ts";
import { Durations } from "../../../common/telemetry/durations.ts";
import { ACTION_NAMES, REFUSAL_CODES } from "../../../protocol/index.ts";
import type { WrittenAnswer } from "../../api/market-engine.ts";

/** Seconds. A request takes microseconds, one that changes a whole market milliseconds. */
const REQUEST_BOUNDS = [5e-6, 1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 1e-3, 5e-3, 0.025, 0.1, 1] as const;
/** Seconds. A commit takes as long as the disk takes to sync. */
const COMMIT_BOUNDS = [1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 0.01, 0.025, 0.05, 0.1, 0.25, 1] as const;

/** Counted in place of an action that the protocol does not have. */
const UNKNOWN_ACTION = "(unknown)";

/** The code of a connection that the runtime has ended. It has none in the protocol, because its client gets no reason. */
export const CONNECTION_FAULT = "connection_fault";

export class EngineCounters {
  /** Requests by action, then by outcome: `ok`, or the code of the rejection. */
  readonly requests: ReadonlyMap<string, Counts> = new Map(
    [...ACTION_NAMES, UNKNOWN_ACTION].map((action) => [action, new Counts(["ok"])]),
  );
  /** Time that the engine takes for a request, without journal and network. */
  readonly requestSeconds = new Durations(REQUEST_BOUNDS);
  /** Time of a group commit. */
  readonly commitSeconds = new Durations(COMMIT_BOUNDS);
  /** Messages over WebSocket that were rejected unread, by code. */
  readonly refusedMessages = new Counts(["rate_limited", "invalid_payload"]);
  /** Connections that the engine has refused or ended, by code. */
  readonly endedConnections = new Counts([...REFUSAL_CODES, CONNECTION_FAULT]);
  /** HTTP requests by status. */
  readonly httpRequests = new Counts<number>([200]);
  readonly checkpoints = new Counts(["saved", "failed"]);
  /** How long the last checkpoint of this process took, in seconds; null before the first. */
  checkpointSeconds: number | null = null;
  readonly backups = new Counts(["taken", "failed"]);
  /** Real time at which the last whole backup of this process began, in milliseconds since the epoch; null before the first. */
  lastBackupAt: number | null = null;

  /** A request of which the engine has taken `durationMs`. */
  request(action: string, answer: WrittenAnswer | null, durationMs: number): void {
    const counts = this.requests.get(action) ?? this.requests.get(UNKNOWN_ACTION)!;
    counts.add(answer === null || answer.status === "ok" ? "ok" : answer.code ?? answer.status);
    this.requestSeconds.observe(durationMs / 1000);
  }

  /** A whole backup, which began at `time`. */
  backupTaken(time: number): void {
    this.backups.add("taken");
    this.lastBackupAt = time;
  }

  checkpointSaved(durationMs: number): void {
    this.checkpoints.add("saved");
    this.checkpointSeconds = durationMs / 1000;
  }
}
