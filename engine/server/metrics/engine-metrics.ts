// The engine's metrics for Prometheus. Every value is read from what the engine counts anyway, when the metrics are requested:
// this file and prom-client are loaded by the first request.
//
// Without a data directory there are no metrics of journal, checkpoints and disk. docs/telemetry.md has a table of all metrics,
// and a test compares the two.

import type { Registry } from "prom-client";
import type { CollectedMetrics, Sample } from "../../../common/telemetry/collected-metrics.ts";
import { metricsOfProcess } from "../../../common/telemetry/metrics-of-process.ts";
import type { MarketEngine } from "../../api/market-engine.ts";
import type { JournalWriter } from "../../journal/journal-writer.ts";
import type { EngineCounters } from "./engine-counters.ts";
import type { StorageFigures, StorageReader } from "./storage-figures.ts";

interface EngineMetricsOptions {
  readonly counters: EngineCounters;
  readonly host: {
    readonly clockJumpMs: number;
    readonly engine: Pick<MarketEngine, "epoch" | "figures" | "sequence">;
    readonly subscribers: { readonly count: number };
  };
  readonly sockets: { readonly count: number; readonly queuedCharacters: number };
  readonly unknown: { readonly count: number };
  /** Null: nothing outlives the process. */
  readonly journal:
    | Pick<JournalWriter, "checkpointInterval" | "lastNumber" | "recordsSinceCheckpoint" | "refusal">
    | null;
  readonly storage: StorageReader | null;
  /** Adds the metrics of what else is served. */
  readonly addOthers: (metrics: CollectedMetrics) => void;
}

export function engineRegistry(options: EngineMetricsOptions): Registry {
  const { journal, storage } = options;
  const metrics = metricsOfProcess("mkt_engine_build_info");
  addRequests(metrics, options);
  addMarket(metrics, options);
  addConnections(metrics, options);
  if (journal !== null) addJournal(metrics, journal, options);
  if (storage !== null) addStorage(metrics, storage);
  options.addOthers(metrics);
  return metrics.registry;
}

function addRequests(metrics: CollectedMetrics, { counters, unknown }: EngineMetricsOptions): void {
  metrics.counter(
    "mkt_engine_requests_total",
    "Requests by action and outcome: ok, or the code of the rejection",
    () => [...counters.requests].flatMap(([action, counts]) => counts.samples("outcome", { action })),
  );
  metrics.histogram(
    "mkt_engine_request_duration_seconds",
    "Time that the engine takes for a request: checks, matching, messages; without journal and network",
    () => [{ labels: {}, durations: counters.requestSeconds }],
  );
  metrics.counter(
    "mkt_engine_refused_messages_total",
    "WebSocket messages that were rejected unread: above a rate, or not in the protocol",
    () => counters.refusedMessages.samples("code"),
  );
  metrics.counter(
    "mkt_engine_unknown_messages_total",
    "WebSocket messages of an unknown kind, which were skipped",
    () => unknown.count,
  );
  metrics.counter(
    "mkt_engine_http_requests_total",
    "HTTP requests by status; 101 for a new WebSocket",
    () => counters.httpRequests.samples("status"),
  );
}

/** When the market began, in milliseconds since 1970; maybe in an earlier process. */
function beginOf({ engine: { epoch } }: EngineMetricsOptions["host"]): number {
  return epoch / 1000;
}

function addMarket(metrics: CollectedMetrics, { host }: EngineMetricsOptions): void {
  const { engine } = host;
  const began = beginOf(host);
  metrics.counter(
    "mkt_engine_trades_total",
    "Trades since the market began; goes on after a restart with a data directory",
    () => engine.figures.trades,
    began,
  );
  metrics.counter(
    "mkt_engine_orders_total",
    "Accepted orders since the market began; goes on after a restart with a data directory",
    () => engine.figures.acceptedOrders,
    began,
  );
  metrics.counter(
    "mkt_engine_events_total",
    "Events that the market has numbered since its epoch",
    () => engine.sequence - engine.epoch,
    began,
  );
  metrics.gauge("mkt_engine_event_number", "Sequence number of the newest event", () => engine.sequence);
  metrics.counter(
    "mkt_engine_audit_events_total",
    "Audit events since the market began; goes on after a restart with a data directory",
    () => engine.figures.auditEvents,
    began,
  );
  metrics.gauge(
    "mkt_engine_clock_jump_seconds",
    "By how much the machine's clock is ahead of engine time (negative: behind) while trading stops for a jump of it; otherwise 0",
    () => host.clockJumpMs / 1000,
  );
  metrics.gauge("mkt_engine_open_orders", "Open orders, held ones included", () => engine.figures.openOrders);
  metrics.gauge("mkt_engine_contracts", "Listed contracts", () => engine.figures.contracts);
}

function addConnections(metrics: CollectedMetrics, { counters, host, sockets }: EngineMetricsOptions): void {
  metrics.gauge("mkt_engine_connections", "WebSocket connections of users", () => host.subscribers.count);
  metrics.gauge(
    "mkt_engine_sockets",
    "Open WebSockets, also those of which the user is not known yet",
    () => sockets.count,
  );
  metrics.counter(
    "mkt_engine_ended_connections_total",
    "Connections that the engine has refused or ended, by code; too_slow: the consumer did not keep up; connection_fault: a frame was too large or malformed, or pings got no answer",
    () => counters.endedConnections.samples("code"),
  );
  metrics.gauge(
    "mkt_engine_send_queue_characters",
    "Characters that wait to be sent to slow consumers",
    () => sockets.queuedCharacters,
  );
}

type Journal = NonNullable<EngineMetricsOptions["journal"]>;

function addJournal(metrics: CollectedMetrics, journal: Journal, { counters, host }: EngineMetricsOptions): void {
  metrics.histogram(
    "mkt_engine_commit_duration_seconds",
    "Time of a commit of the journal, with all requests of one turn of the event loop",
    () => [{ labels: {}, durations: counters.commitSeconds }],
  );
  metrics.counter(
    "mkt_engine_journal_records_total",
    "Records of the journal since the market began; goes on after a restart",
    () => journal.lastNumber,
    beginOf(host),
  );
  metrics.gauge(
    "mkt_engine_journal_records_since_checkpoint",
    "Records that a restart after a kill has to apply",
    () => journal.recordsSinceCheckpoint,
  );
  metrics.gauge(
    "mkt_engine_checkpoint_interval_records",
    "After how many records a checkpoint is due",
    () => journal.checkpointInterval,
  );
  metrics.counter(
    "mkt_engine_checkpoints_total",
    "Checkpoints that were saved while the engine ran, and attempts that failed",
    () => counters.checkpoints.samples("outcome"),
  );
  metrics.gauge(
    "mkt_engine_last_checkpoint_duration_seconds",
    "How long the last checkpoint took, beside the engine; absent before the first one of this process",
    () => counters.checkpointSeconds,
  );
  metrics.counter(
    "mkt_engine_backups_total",
    "Backups that clients took, and backups that were not finished",
    () => counters.backups.samples("outcome"),
  );
  metrics.gauge(
    "mkt_engine_last_backup_timestamp_seconds",
    "When the last whole backup began, in seconds since the epoch; absent before the first one of this process",
    () => counters.lastBackupAt === null ? null : counters.lastBackupAt / 1000,
  );
  metrics.gauge(
    "mkt_engine_storage_full",
    "1 while changes are refused because the disk is full",
    () => journal.refusal?.code === "storage_full" ? 1 : 0,
  );
  metrics.gauge(
    "mkt_engine_storage_missing",
    "1 while changes are refused because the data files were deleted or moved",
    () => journal.refusal?.code === "storage_missing" ? 1 : 0,
  );
}

function addStorage(metrics: CollectedMetrics, storage: StorageReader): void {
  const gauge = (name: string, help: string, value: (figures: StorageFigures) => number | null | Iterable<Sample>) =>
    metrics.gauge(name, help, async () => {
      const figures = await storage();
      return figures === null ? null : value(figures);
    });
  gauge(
    "mkt_engine_data_size_bytes",
    "Size of the files in the data directory: journal, checkpoint, audit",
    ({ bytes }) => Object.entries(bytes).map(([kind, value]) => ({ labels: { kind }, value })),
  );
  gauge(
    "mkt_engine_last_checkpoint_size_bytes",
    "Size of the state in the last checkpoint, without the operationIds; absent before the first",
    ({ checkpoint }) => checkpoint && checkpoint.bytes,
  );
  gauge(
    "mkt_engine_last_checkpoint_timestamp_seconds",
    "When the last checkpoint was written, in seconds since the epoch; absent before the first",
    ({ checkpoint }) => checkpoint && checkpoint.writtenAtMs / 1000,
  );
  gauge("mkt_engine_disk_free_bytes", "Free space of the data directory's file system", ({ freeBytes }) => freeBytes);
}
