// What a registry reads of each kind of metric, at the moment it asks.

import { expect, test } from "bun:test";
import { Registry } from "prom-client";
import { CollectedMetrics } from "../../../common/telemetry/collected-metrics.ts";
import { Counts } from "../../../common/telemetry/counts.ts";
import { Durations } from "../../../common/telemetry/durations.ts";

async function read(declare: (metrics: CollectedMetrics) => void): Promise<unknown> {
  const registry = new Registry();
  declare(new CollectedMetrics(registry));
  return (await registry.getMetricsAsJSON())[0];
}

test("a counter and a gauge are read when they are asked for; an unknown value has no sample", async () => {
  const samples = [{ labels: { a: "b" }, value: 2 }];
  const about = { help: "h", aggregator: "sum" };
  expect(await read((metrics) => metrics.counter("c_total", "h", () => 3, 1000))).toEqual(
    { name: "c_total", ...about, type: "counter", startedAt: 1000, values: [{ labels: {}, value: 3 }] },
  );
  expect(await read((metrics) => metrics.gauge("g", "h", () => Promise.resolve(samples)))).toEqual(
    { name: "g", ...about, type: "gauge", values: samples },
  );
  expect(await read((metrics) => metrics.gauge("g", "h", () => 0))).toMatchObject({ values: [{ value: 0 }] });
  expect(await read((metrics) => metrics.gauge("g", "h", () => null))).toMatchObject({ values: [] });
});

test("a histogram has cumulative buckets, whose bounds belong to them, with sum and count", async () => {
  const durations = new Durations([0.1, 1]);
  for (const seconds of [0.05, 0.1, 0.5, 1, 1.5]) durations.observe(seconds);
  expect(durations.counts).toEqual([2, 2, 1]);
  const labels = { tool: "t" };
  const bucket = (le: unknown, value: number) => ({ metricName: "d_bucket", labels: { le, ...labels }, value });
  expect(await read((metrics) => metrics.histogram("d", "h", () => [{ labels, durations }]))).toMatchObject({
    type: "histogram",
    values: [
      bucket(0.1, 2),
      bucket(1, 4),
      bucket("+Inf", 5),
      { metricName: "d_sum", labels, value: expect.closeTo(3.15, 9) },
      { metricName: "d_count", labels, value: 5 },
    ],
  });
});

test("known labels count from 0, others from their first one", () => {
  const counts = new Counts<string>(["ok"]);
  counts.add("failed");
  counts.add("failed");
  expect(counts.samples("outcome", { tool: "t" })).toEqual([
    { labels: { tool: "t", outcome: "ok" }, value: 0 },
    { labels: { tool: "t", outcome: "failed" }, value: 2 },
  ]);
  counts.add("ok");
  expect(counts.samples("o")[0]).toEqual({ labels: { o: "ok" }, value: 1 });
  const codes = new Counts<number>();
  codes.add(404);
  expect(codes.samples("code")).toEqual([{ labels: { code: "404" }, value: 1 }]);
});
