// A registry with what every process reports: the version of mkt, and the figures of the process.

import { Registry } from "prom-client";
import packageJson from "../../package.json" with { type: "json" };
import { CollectedMetrics } from "./collected-metrics.ts";
import { addProcessMetrics } from "./process-metrics.ts";

/** `buildInfo`: the name of the metric with the version. */
export function metricsOfProcess(buildInfo: string): CollectedMetrics {
  const metrics = new CollectedMetrics(new Registry());
  const build = [{ labels: { version: packageJson.version }, value: 1 }];
  metrics.gauge(buildInfo, "1, with the version of mkt", () => build);
  addProcessMetrics(metrics);
  return metrics;
}
