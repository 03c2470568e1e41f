// Writes the tables of metrics in docs/telemetry.md from the metrics themselves. tests/documents checks that they are current.
//
//   bun scripts/metric-table.ts

import type { MetricObjectWithValues, MetricValue } from "prom-client";
import { aligned } from "../bench/table.ts";
import { EventBuffer } from "../core/market/event-buffer.ts";
import { Snapshot } from "../core/market/snapshot.ts";
import { Metrics } from "../core/server/metrics.ts";
import { simulatorMetricsOnDemand } from "../sim/live/simulator-metrics.ts";
import { addSimulatorMetrics, type WatchedSimulator } from "../sim/live/simulator-metrics.ts";
import { EngineCounters } from "../engine/server/metrics/engine-counters.ts";
import { engineRegistry } from "../engine/server/metrics/engine-metrics.ts";
import { withSection } from "./document-section.ts";

const DOCUMENT = new URL("../docs/telemetry.md", import.meta.url).pathname;

export type Family = MetricObjectWithValues<MetricValue<string>>;

/** Every metric of each kind of process, with samples of every set of labels. */
interface EveryMetric {
  readonly server: readonly Family[];
  /** With data directory and simulator. */
  readonly engine: readonly Family[];
  /** `mkt sim` */
  readonly simulator: readonly Family[];
}

export async function everyMetric(): Promise<EveryMetric> {
  const simulator = await simulatorMetricsOnDemand(SIMULATOR)();
  return {
    server: await familiesOf(serverMetrics().registry),
    engine: await familiesOf(engineRegistry(ENGINE)),
    simulator: await familiesOf(simulator),
  };
}

/** The document with new tables. */
export async function withMetricTables(document: string): Promise<string> {
  const { server, engine, simulator } = await everyMetric();
  const isOf = (prefix: string) => ({ name }: Family) => name.startsWith(prefix);
  const tables = {
    "server-metrics": server.filter(isOf("mkt_")),
    "engine-metrics": engine.filter(isOf("mkt_engine_")),
    "simulator-metrics": simulator.filter(isOf("mkt_")),
    "process-metrics": server.filter(isOf("process_")),
  };
  const header = ["metric", "type", "labels", "what"];
  return Object.entries(tables).reduce(
    (text, [section, families]) => withSection(text, section, aligned(header, families.map(rowOf))),
    document,
  );
}

/** The names of a metric's labels, without `le` of a histogram's buckets. */
export function labelsOf({ values }: Family): string[] {
  const names = values.flatMap(({ labels }) => Object.keys(labels)).filter((name) => name !== "le");
  return [...new Set(names)];
}

function rowOf(family: Family): string[] {
  const { name, type, help } = family;
  return [`\`${name}\``, String(type), labelsOf(family).map((label) => `\`${label}\``).join(", "), help];
}

async function familiesOf(registry: { getMetricsAsJSON(): Promise<unknown> }): Promise<readonly Family[]> {
  return await registry.getMetricsAsJSON() as readonly Family[];
}

function serverMetrics(): Metrics {
  const metrics = new Metrics();
  metrics.watch({
    pubsub: { status: "disconnected", incomplete: false, facts: () => ({ reconnects: 0, unreadableMessages: 0 }) },
    events: new EventBuffer(1),
    snapshot: new Snapshot(),
    frozen: () => null,
    replicas: {},
    redis: () => ({
      status: "connected",
      url: "",
      namespace: "",
      since: "",
      replicas: 1,
      logSequence: 0,
      lastError: null,
      lastDisconnect: null,
    }),
  }, () => 0);
  const record = { caller: null, userId: null, arguments: null, outcome: "ok", durationMs: 1 };
  metrics.record({ tool: "mkt_ping", ...record });
  metrics.recordRequest({ kind: "resource", name: "mkt://contracts", ...record });
  return metrics;
}

const NO_TOTALS = { personas: 0, connected: 0, workingOrders: 0, orders: 0, cancels: 0, rejected: 0, trades: 0 };
const SIMULATOR: WatchedSimulator = {
  status: () => ({ status: "stopped", failure: null, totals: { ...NO_TOTALS, volumeMw: 0 } }),
};

const ENGINE: Parameters<typeof engineRegistry>[0] = {
  counters: Object.assign(new EngineCounters(), { checkpointSeconds: 1 }),
  host: {
    clockJumpMs: 0,
    engine: {
      epoch: 0,
      sequence: 0,
      figures: { contracts: 0, openOrders: 0, acceptedOrders: 0, trades: 0, auditEvents: 0 },
    },
    subscribers: { count: 0 },
  },
  sockets: { count: 0, queuedCharacters: 0 },
  unknown: { count: 0 },
  journal: { checkpointInterval: 1, lastNumber: 0, recordsSinceCheckpoint: 0, refusal: null },
  storage: () =>
    Promise.resolve({
      bytes: { journal: 0, checkpoint: 0, audit: 0 },
      checkpoint: { bytes: 0, writtenAtMs: 0 },
      freeBytes: 0,
    }),
  addOthers: (metrics) => addSimulatorMetrics(metrics, SIMULATOR),
};

if (import.meta.main) await Bun.write(DOCUMENT, await withMetricTables(await Bun.file(DOCUMENT).text()));
