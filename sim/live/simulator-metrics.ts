// The metrics of a simulator. They are part of its engine's GET /metrics, or of its own (`mkt sim`). Counters begin at 0 with
// each simulation. A scrape reads the status of the simulation once: its cost is that of GET /api/sim/status.

import type { Registry } from "prom-client";
import type { CollectedMetrics } from "../../common/telemetry/collected-metrics.ts";
import type { SimulationStatus } from "../../protocol/index.ts";

/** What the metrics read of a simulator's status. */
export interface WatchedSimulator {
  status(): Pick<SimulationStatus, "status" | "failure" | "totals">;
}

export function addSimulatorMetrics(metrics: CollectedMetrics, simulator: WatchedSimulator): void {
  const status = readOnce(() => simulator.status());
  const total = (name: keyof SimulationStatus["totals"]) => () => Number(status().totals[name]);
  metrics.gauge("mkt_simulation_running", "1 while a simulation runs", () => status().status === "running" ? 1 : 0);
  metrics.gauge(
    "mkt_simulation_failed",
    "1 if the last simulation has failed, or if it is unknown whether orders of it remain",
    () => status().failure === null ? 0 : 1,
  );
  metrics.gauge("mkt_simulation_personas", "Personas of the simulation", total("personas"));
  metrics.gauge("mkt_simulation_connected_personas", "Personas that are connected to the engine", total("connected"));
  metrics.counter("mkt_simulation_orders_total", "Orders of personas that the engine accepted", total("orders"));
  metrics.counter(
    "mkt_simulation_rejected_requests_total",
    "Orders, changes and cancels of personas that the engine rejected",
    total("rejected"),
  );
  metrics.counter("mkt_simulation_trades_total", "Trades of at least one persona", total("trades"));
}

/** Reads a value once in each turn: a scrape reads all metrics in one. */
function readOnce<Value>(read: () => Value): () => Value {
  let known: { readonly value: Value } | null = null;
  return () => {
    if (known === null) {
      known = { value: read() };
      queueMicrotask(() => known = null);
    }
    return known.value;
  };
}

/**
 * The metrics of a simulator with a port of its own, made when they are first asked for: until then prom-client is not loaded.
 */
export function simulatorMetricsOnDemand(simulator: WatchedSimulator): () => Promise<Registry> {
  let made: Promise<Registry> | null = null;
  const make = async () => {
    const { metricsOfProcess } = await import("../../common/telemetry/metrics-of-process.ts");
    const metrics = metricsOfProcess("mkt_simulator_build_info");
    addSimulatorMetrics(metrics, simulator);
    return metrics.registry;
  };
  return () => made ??= make();
}
