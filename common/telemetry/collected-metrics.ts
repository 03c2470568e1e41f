// Metrics whose values are read when they are requested, from numbers that the program counts anyway. So a metric costs nothing
// between two requests.
//
// Names follow Prometheus' conventions: base units, `_total` for counters (tests/support/metrics-text.ts checks them). A
// reading of null means that the value is unknown: the metric then has no sample. A label must have few values, and never a
// text of a client.

import type { Metric, Registry } from "prom-client";
import type { Durations } from "./durations.ts";

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

interface LabelledDurations {
  readonly labels: Labels;
  readonly durations: Durations;
}

type Reading = number | null | Iterable<Sample>;

/** What a registry reads of a metric: a sample of a histogram has a name of its own. */
interface ReadSample {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName?: string;
}

export class CollectedMetrics {
  constructor(readonly registry: Registry) {}

  /**
   * A number that only grows while the process runs. `startedAt`: when it was 0, in milliseconds since the epoch, if that was
   * before this process.
   */
  counter(name: string, help: string, read: () => Reading | Promise<Reading>, startedAt?: number): void {
    this.#register({ name, help, type: "counter", startedAt, read: async () => samplesOf(await read()) });
  }

  gauge(name: string, help: string, read: () => Reading | Promise<Reading>): void {
    this.#register({ name, help, type: "gauge", read: async () => samplesOf(await read()) });
  }

  histogram(name: string, help: string, read: () => Iterable<LabelledDurations>): void {
    const samples = () => [...read()].flatMap((each) => samplesOfHistogram(name, each));
    this.#register({ name, help, type: "histogram", read: () => Promise.resolve(samples()) });
  }

  #register(
    { read, ...metric }: {
      readonly name: string;
      readonly help: string;
      readonly type: string;
      readonly startedAt?: number | undefined;
      readonly read: () => Promise<readonly ReadSample[]>;
    },
  ): void {
    const get = async () => ({ ...metric, aggregator: "sum", values: await read() });
    // The registry uses nothing but the name and `get`.
    this.registry.registerMetric({ name: metric.name, get } as unknown as Metric);
  }
}

function samplesOf(reading: Reading): readonly ReadSample[] {
  if (reading === null) return [];
  return typeof reading === "number" ? [{ labels: {}, value: reading }] : [...reading];
}

function samplesOfHistogram(name: string, { labels, durations }: LabelledDurations): ReadSample[] {
  const { bounds, counts, sum } = durations;
  let count = 0;
  const buckets = [...bounds, "+Inf"].map((le, at) => {
    count += counts[at]!;
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
