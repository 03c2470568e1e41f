// A registry with what every process reports: the version of mkt, and what Prometheus' client libraries report of a process,
// under their usual names. prom-client's own list asks the runtime for figures that only Node.js has.
//
// Limit: open files are counted on Linux only; elsewhere their metrics have no sample.

import { readdir, readFile } from "node:fs/promises";
import { Registry } from "prom-client";
import packageJson from "../../package.json" with { type: "json" };
import { CollectedMetrics } from "./collected-metrics.ts";

const IS_LINUX = process.platform === "linux";
/** Seconds since the epoch. */
const STARTED = performance.timeOrigin / 1000;

/** `buildInfo`: the name of the metric with the version. */
export function metricsOfProcess(buildInfo: string): CollectedMetrics {
  const metrics = new CollectedMetrics(new Registry());
  const build = [{ labels: { version: packageJson.version }, value: 1 }];
  metrics.gauge(buildInfo, "1, with the version of mkt", () => build);
  metrics.gauge("process_start_time_seconds", "Start of the process, in seconds since the epoch", () => STARTED);
  metrics.counter("process_cpu_seconds_total", "Processor time of the process, in user and in system mode", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  metrics.gauge("process_resident_memory_bytes", "Resident memory of the process", () => process.memoryUsage.rss());
  metrics.gauge("process_open_fds", "Open files and sockets", openFiles);
  metrics.gauge("process_max_fds", "How many files and sockets may be open at once", greatestOpenFiles);
  return metrics;
}

async function openFiles(): Promise<number | null> {
  return IS_LINUX ? (await readdir("/proc/self/fd")).length : null;
}

async function greatestOpenFiles(): Promise<number | null> {
  if (!IS_LINUX) return null;
  const limit = /^Max open files\s+(\d+)/m.exec(await readFile("/proc/self/limits", "utf8"))?.[1];
  return limit === undefined ? null : Number(limit);
}
