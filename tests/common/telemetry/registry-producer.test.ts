import { resourceFromAttributes } from "@opentelemetry/resources";
import { DataPointType, type Histogram as HistogramValue, type MetricData } from "@opentelemetry/sdk-metrics";
import { expect, test } from "bun:test";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { CollectedMetrics } from "../../../common/telemetry/collected-metrics.ts";
import { registryProducer } from "../../../common/telemetry/otlp/registry-producer.ts";

const sender = { resource: resourceFromAttributes({}), scope: { name: "mkt" } };

async function exported(registry: Registry): Promise<MetricData[]> {
  const { resourceMetrics } = await registryProducer(() => registry.getMetricsAsJSON(), sender).collect();
  return resourceMetrics.scopeMetrics[0]?.metrics ?? [];
}

test("counters, gauges and histograms have the values of the text", async () => {
  const registry = new Registry();
  const registers = [registry];
  const counter = new Counter({ name: "calls_total", help: "Calls", labelNames: ["tool"], registers });
  counter.inc({ tool: "a" }, 3);
  counter.inc({ tool: "b" }, 0.5);
  new Gauge({ name: "size_bytes", help: "Size", registers }).set(-7);
  const wait = new Histogram({ name: "wait_seconds", help: "W", labelNames: ["q"], buckets: [0.5, 1, 10], registers });
  for (const seconds of [0.1, 0.5, 0.7, 100]) wait.observe({ q: "x" }, seconds);
  wait.observe({ q: "y" }, 2);

  const [calls, size, waits] = await exported(registry);
  expect(calls).toMatchObject({
    descriptor: { name: "calls_total", description: "Calls", unit: "" },
    dataPointType: DataPointType.SUM,
    isMonotonic: true,
    dataPoints: [{ attributes: { tool: "a" }, value: 3 }, { attributes: { tool: "b" }, value: 0.5 }],
  });
  expect(size).toMatchObject({
    descriptor: { unit: "By" },
    dataPointType: DataPointType.GAUGE,
    dataPoints: [{ value: -7 }],
  });
  const histograms = waits?.dataPoints.map(({ attributes, value }) => [attributes, value as HistogramValue]);
  expect(waits?.descriptor.unit).toBe("s");
  expect(histograms).toEqual([
    [{ q: "x" }, { buckets: { boundaries: [0.5, 1, 10], counts: [2, 1, 0, 1] }, count: 4, sum: 101.3 }],
    [{ q: "y" }, { buckets: { boundaries: [0.5, 1, 10], counts: [0, 0, 1, 0] }, count: 1, sum: 2 }],
  ]);
});

test("a value that is unknown is not sent, and points last from the start of the process to now", async () => {
  const registry = new Registry();
  new Gauge({ name: "unknown", help: "U", registers: [registry] }).set(NaN);
  new Counter({ name: "c_total", help: "C", registers: [registry] }).inc();
  const before = Date.now();
  const [unknown, metric] = await exported(registry);
  expect(unknown?.dataPoints).toEqual([]);
  const { startTime = [0, 0], endTime = [0, 0] } = metric?.dataPoints[0] ?? {};
  const msOf = ([seconds, nanoseconds]: readonly [number, number]) => seconds * 1000 + nanoseconds / 1e6;
  expect(msOf(startTime)).toBeCloseTo(performance.timeOrigin, 0);
  expect(msOf(endTime)).toBeGreaterThanOrEqual(before);
});

test("a counter that goes on after a restart counts from when it was 0", async () => {
  const metrics = new CollectedMetrics(new Registry());
  metrics.counter("trades_total", "Trades", () => 7, 1_700_000_000_500);
  metrics.counter("calls_total", "Calls", () => 7);
  const [trades, calls] = await exported(metrics.registry);
  expect(trades?.dataPoints[0]).toMatchObject({ startTime: [1_700_000_000, 500_000_000], value: 7 });
  expect(calls?.dataPoints[0]?.startTime).not.toEqual([1_700_000_000, 500_000_000]);
});

test("a counter that has fallen counts from the export before", async () => {
  const metrics = new CollectedMetrics(new Registry());
  let orders = 0;
  metrics.counter("orders_total", "Orders", () => orders);
  const producer = registryProducer(() => metrics.registry.getMetricsAsJSON(), sender);
  const points = [];
  for (orders of [5, 5, 7, 2, 3]) {
    const { resourceMetrics } = await producer.collect();
    points.push(resourceMetrics.scopeMetrics[0]?.metrics[0]?.dataPoints[0]);
  }
  const starts = points.map((point) => point?.startTime);
  expect(points.map((point) => point?.value)).toEqual([5, 5, 7, 2, 3]);
  expect(starts.slice(1, 3)).toEqual([starts[0], starts[0]]);
  expect(starts.slice(3)).toEqual([points[2]?.endTime, points[2]?.endTime]);
  expect(starts[3]).not.toEqual(starts[0]);
});
