import { resourceFromAttributes } from "@opentelemetry/resources";
import { DataPointType, type Histogram as HistogramValue, type MetricData } from "@opentelemetry/sdk-metrics";
import { expect, test } from "bun:test";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import packageJson from "../../../package.json" with { type: "json" };
import { CollectedMetrics } from "../../../common/telemetry/collected-metrics.ts";
import { Durations } from "../../../common/telemetry/durations.ts";
import { metricsOfProcess } from "../../../common/telemetry/metrics-of-process.ts";
import { registryProducer } from "../../../common/telemetry/otlp/registry-producer.ts";
import type { MetricValues } from "../../../common/telemetry/telemetry.ts";

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

test("each series of a counter has its own start, and what falls in one is not the start of another", async () => {
  const metrics = new CollectedMetrics(new Registry());
  const values = { a: 5, b: 5 };
  metrics.counter(
    "orders_total",
    "Orders",
    () => Object.entries(values).map(([of, value]) => ({ labels: { of }, value })),
  );
  metrics.counter("other_total", "Others", () => [{ labels: { of: "a" }, value: 9 }]);
  const producer = registryProducer(() => metrics.registry.getMetricsAsJSON(), sender);
  const starts = async () => {
    const { resourceMetrics } = await producer.collect();
    const all = resourceMetrics.scopeMetrics[0]!.metrics;
    return all.flatMap(({ dataPoints }) => dataPoints.map(({ startTime }) => startTime));
  };
  const [first] = [await starts()];
  values.a = 1;
  const [a, b, other] = await starts();
  expect([a, b, other]).toEqual([expect.not.arrayContaining(first![0]!), first![1]!, first![2]!]);
});

test("metrics come in their order with their sender, without those that have no value or no type of OTLP", async () => {
  const source = () =>
    Promise.resolve([
      { name: "a_seconds_total", help: "A", type: "counter", values: [{ value: 1, labels: { x: undefined, y: 2 } }] },
      { name: "none", help: "N", type: "gauge", values: [] },
      { name: "odd", help: "O", type: "summary", values: [{ value: 1, labels: {} }] },
      {
        name: "b_bytes_total",
        help: "B",
        type: "counter",
        values: [{ value: NaN, labels: {} }, { value: 0, labels: {} }],
      },
    ]);
  const { resourceMetrics, errors } = await registryProducer(source, sender).collect();
  const [scope] = resourceMetrics.scopeMetrics;
  expect([resourceMetrics.resource, scope!.scope, errors]).toEqual([sender.resource, sender.scope, []]);
  expect(scope!.metrics.map(({ descriptor, dataPoints }) => [
    descriptor.name,
    descriptor.unit,
    dataPoints.map(({ attributes, value }) => [attributes, value]),
  ])).toEqual([
    ["a_seconds_total", "s", [[{ y: "2" }, 1]]],
    ["b_bytes_total", "By", [[{}, 0]]],
  ]);
});

test("a histogram has a sample below each bound, its sum and its count, for each of its labels", async () => {
  const metrics = new CollectedMetrics(new Registry());
  const waits = new Map(["x", "y"].map((q) => [q, new Durations([0.5, 1])]));
  for (const seconds of [0.25, 0.75, 2]) waits.get("x")!.observe(seconds);
  metrics.histogram("wait_seconds", "W", () => [...waits].map(([q, durations]) => ({ labels: { q }, durations })));
  metrics.gauge("gone", "G", () => null);
  metrics.gauge("later", "L", () => Promise.resolve(3));
  const lines = (await metrics.registry.metrics()).split("\n").filter((line) => !line.startsWith("#") && line !== "");
  expect(lines).toEqual([
    ...['le="0.5",q="x"} 1', 'le="1",q="x"} 2', 'le="+Inf",q="x"} 3'].map((end) => `wait_seconds_bucket{${end}`),
    'wait_seconds_sum{q="x"} 3',
    'wait_seconds_count{q="x"} 3',
    ...['le="0.5",q="y"} 0', 'le="1",q="y"} 0', 'le="+Inf",q="y"} 0'].map((end) => `wait_seconds_bucket{${end}`),
    'wait_seconds_sum{q="y"} 0',
    'wait_seconds_count{q="y"} 0',
    "later 3",
  ]);
});

test("every process tells its version, start, processor time, memory and open files", async () => {
  const metrics = metricsOfProcess("mkt_test_build_info");
  const values = Object.fromEntries(
    (await metrics.registry.getMetricsAsJSON() as unknown as MetricValues[]).map(({ name, type, values }) => [
      name,
      [type, values[0]?.value, values[0]?.labels],
    ]),
  );
  const near = (value: number) => expect.closeTo(value, 0);
  expect(values).toMatchObject({
    mkt_test_build_info: ["gauge", 1, { version: packageJson.version }],
    process_start_time_seconds: ["gauge", near(performance.timeOrigin / 1_000), {}],
  });
  expect(["cpu_seconds_total", "resident_memory_bytes"].map((name) => values[`process_${name}`]![0]))
    .toEqual(["counter", "gauge"]);
  const { user, system } = process.cpuUsage();
  expect(values["process_cpu_seconds_total"]![1]).toBeWithin(0, (user + system) / 1e6 + 1e-9);
  expect(values["process_resident_memory_bytes"]![1]).toBeGreaterThan(1e6);
  if (process.platform !== "linux") return;
  const [open, most] = ["process_open_fds", "process_max_fds"].map((name) => Number(values[name]![1]));
  expect([open! > 2, open! <= most!]).toEqual([true, true]);
});
