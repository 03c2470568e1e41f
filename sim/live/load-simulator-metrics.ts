// The metrics of a simulator with a port of its own, made when they are first asked for: until then prom-client is not loaded.

import type { Registry } from "prom-client";
import { addSimulatorMetrics, type WatchedSimulator } from "./simulator-metrics.ts";

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
