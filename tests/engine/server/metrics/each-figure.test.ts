// Each metric of an engine shows its own figure, in its own unit: all figures are different here.

import { expect, test } from "bun:test";
import { EngineCounters } from "../../../../engine/server/metrics/engine-counters.ts";
import { engineRegistry } from "../../../../engine/server/metrics/engine-metrics.ts";
import { parseMetrics } from "../../../support/metrics-text.ts";

const ANSWER = { operationId: "o", status: "rejected", code: "halted" } as const;

/** Name and labels of each metric of the engine alone, with its value. */
async function shown(refusal: string | null = null, hasData = true) {
  const counters = new EngineCounters();
  counters.request("order.submit", null, 2_000);
  counters.request("order.cancel", ANSWER, 3_000);
  counters.commitSeconds.observe(7);
  counters.refusedMessages.add("rate_limited");
  counters.endedConnections.add("too_slow");
  counters.httpRequests.add(404);
  counters.checkpointSaved(11_000);
  counters.backups.add("failed");
  counters.backupTaken(13_000);
  const figures = { trades: 17, acceptedOrders: 19, auditEvents: 23, openOrders: 29, contracts: 31 };
  const engine = { epoch: 1_000, sequence: 1_037, figures };
  const bytes = { journal: 41, checkpoint: 43, audit: 47 };
  const stored = { bytes, checkpoint: { bytes: 53, writtenAtMs: 59_000 }, freeBytes: 61 };
  const registry = engineRegistry({
    counters,
    host: { clockJumpMs: -67_000, engine, subscribers: { count: 71 } } as never,
    sockets: { count: 73, queuedCharacters: 79 },
    unknown: { count: 83 },
    journal: !hasData ? null : {
      ...{ checkpointInterval: 89, lastNumber: 97, recordsSinceCheckpoint: 101 },
      refusal: refusal === null ? null : { code: refusal } as never,
    },
    storage: hasData ? () => Promise.resolve(stored) : null,
    addOthers: () => {},
  });
  const families = parseMetrics(await registry.metrics());
  return Object.fromEntries(
    [...families.values()].flatMap(({ samples }) => samples)
      .filter(({ name, value }) => name.startsWith("mkt_engine_") && !name.endsWith("_bucket") && value !== 0)
      .filter(({ name }) => name !== "mkt_engine_build_info")
      .map((
        { name, labels, value },
      ) => [[name.slice("mkt_engine_".length), ...Object.values(labels)].join(" "), value]),
  );
}

const WITHOUT_DATA = {
  "requests_total order.submit ok": 1,
  "requests_total order.cancel halted": 1,
  "request_duration_seconds_count": 2,
  "request_duration_seconds_sum": 5,
  "refused_messages_total rate_limited": 1,
  "unknown_messages_total": 83,
  "http_requests_total 404": 1,
  "trades_total": 17,
  "orders_total": 19,
  "events_total": 37,
  "event_number": 1_037,
  "audit_events_total": 23,
  "clock_jump_seconds": -67,
  "open_orders": 29,
  "contracts": 31,
  "connections": 71,
  "sockets": 73,
  "ended_connections_total too_slow": 1,
  "send_queue_characters": 79,
};

const OF_DATA = {
  "commit_duration_seconds_count": 1,
  "commit_duration_seconds_sum": 7,
  "journal_records_total": 97,
  "journal_records_since_checkpoint": 101,
  "checkpoint_interval_records": 89,
  "checkpoints_total saved": 1,
  "last_checkpoint_duration_seconds": 11,
  "backups_total taken": 1,
  "backups_total failed": 1,
  "last_backup_timestamp_seconds": 13,
  "data_size_bytes journal": 41,
  "data_size_bytes checkpoint": 43,
  "data_size_bytes audit": 47,
  "last_checkpoint_size_bytes": 53,
  "last_checkpoint_timestamp_seconds": 59,
  "disk_free_bytes": 61,
};

test("each metric shows its own figure, and those of a data directory are there only with one", async () => {
  expect(await shown(null, false)).toEqual(WITHOUT_DATA);
  expect(await shown()).toEqual({ ...WITHOUT_DATA, ...OF_DATA });
});

test("a full disk and missing files are two metrics", async () => {
  expect(await shown("storage_full")).toEqual({ ...WITHOUT_DATA, ...OF_DATA, storage_full: 1 });
  expect(await shown("storage_missing")).toEqual({ ...WITHOUT_DATA, ...OF_DATA, storage_missing: 1 });
});
