// The metrics of a registry of prom-client, as OpenTelemetry exports them: counters as monotonic sums since the start of the
// process or of the market, or since they last fell, gauges, and histograms with the same buckets. So what arrives by OTLP is
// what /metrics shows.
//
// A sample whose value is not a number is left out: by OTLP, an unknown value is one that is not sent.

import { type HrTime, ValueType } from "@opentelemetry/api";
import { type InstrumentationScope, millisToHrTime } from "@opentelemetry/core";
import type { Resource } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  type CollectionResult,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from "@opentelemetry/sdk-metrics";
import type { MetricSource, MetricValues } from "../telemetry.ts";

interface Sender {
  readonly resource: Resource;
  readonly scope: InstrumentationScope;
}

type Sample = MetricValues["values"][number];

/** From the end of a metric's name to its unit, as OTLP writes it (UCUM). */
const UNITS: readonly (readonly [RegExp, string])[] = [[/_seconds(_total)?$/, "s"], [/_bytes(_total)?$/, "By"]];

export function registryProducer(source: MetricSource, { resource, scope }: Sender): MetricProducer {
  const starts = new CounterStarts();
  return {
    async collect(): Promise<CollectionResult> {
      const times = { startTime: millisToHrTime(performance.timeOrigin), endTime: millisToHrTime(Date.now()) };
      const metrics = (await source()).map((metric) => metricData(metric, times, starts)).filter((metric) =>
        metric !== null
      );
      return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] };
    },
  };
}

interface Times {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

/**
 * A counter may begin anew, as those of a simulation do. By OTLP, such a sum has a new start: the time of the export before.
 */
class CounterStarts {
  /** By series. */
  readonly #exported = new Map<string, Times & { readonly value: number }>();

  of(name: string, { attributes, value, ...times }: DataPoint<number>): HrTime {
    const series = `${name} ${JSON.stringify(attributes)}`;
    const before = this.#exported.get(series) ?? { ...times, value };
    const startTime = value < before.value ? before.endTime : before.startTime;
    this.#exported.set(series, { startTime, endTime: times.endTime, value });
    return startTime;
  }
}

/** Null if the metric has no values, or is of a type that OTLP does not have. */
function metricData(metric: MetricValues, times: Times, starts: CounterStarts): MetricData | null {
  const { name, help, type, values, startedAt } = metric;
  const unit = UNITS.find(([ending]) => ending.test(name))?.[1] ?? "";
  const base = {
    descriptor: { name, description: help, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  if (values.length === 0) return null;
  if (type === "histogram") {
    return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(metric, times) };
  }
  const dataPoints = values.filter(({ value }) => !Number.isNaN(value))
    .map(({ value, labels }) => ({ ...times, attributes: attributesOf(labels), value }));
  if (type === "counter") {
    const since = startedAt === undefined ? {} : { startTime: millisToHrTime(startedAt) };
    const sums = dataPoints.map((point) => ({ ...point, startTime: starts.of(name, { ...point, ...since }) }));
    return { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: sums };
  }
  return type === "gauge" ? { ...base, dataPointType: DataPointType.GAUGE, dataPoints } : null;
}

function histograms({ name, values }: MetricValues, times: Times): DataPoint<Histogram>[] {
  const bySeries = Map.groupBy(
    values,
    ({ labels: { le: _, ...labels } }) => JSON.stringify(Object.entries(labels).sort()),
  );
  return [...bySeries.values()].map((samples) => ({ ...times, ...histogram(name, samples) }));
}

function histogram(name: string, samples: readonly Sample[]) {
  const valueOf = (suffix: string) => samples.find(({ metricName }) => metricName === `${name}_${suffix}`)?.value ?? 0;
  const buckets = samples.filter(({ metricName }) => metricName === `${name}_bucket`)
    .map(({ labels, value }) => ({ bound: boundOf(labels["le"]), total: value }))
    .toSorted((one, other) => one.bound - other.bound);
  const { le: _, ...labels } = samples[0]?.labels ?? {};
  const value: Histogram = {
    buckets: {
      boundaries: buckets.map(({ bound }) => bound).filter(Number.isFinite),
      // Prometheus counts what is below each bound; OTLP what is between two.
      counts: buckets.map(({ total }, at) => total - (buckets[at - 1]?.total ?? 0)),
    },
    count: valueOf("count"),
    sum: valueOf("sum"),
  };
  return { attributes: attributesOf(labels), value };
}

function boundOf(le: string | number | undefined): number {
  return le === "+Inf" ? Infinity : Number(le);
}

function attributesOf(labels: Sample["labels"]): Record<string, string> {
  const given = Object.entries(labels).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}
