// What a process sends by OTLP: traces, metrics, or both.

import type { Tracer } from "./tracer.ts";

/** A metric, as a registry of prom-client gives it (`getMetricsAsJSON`). */
export interface MetricValues {
  readonly name: string;
  readonly help: string;
  readonly type: unknown;
  /** When a counter was 0, in milliseconds since the epoch; absent: at the start of the process. */
  readonly startedAt?: number | undefined;
  readonly values: readonly {
    readonly value: number;
    readonly labels: Readonly<Record<string, string | number | undefined>>;
    /** The name with _bucket, _sum or _count, of the samples of a histogram. */
    readonly metricName?: string;
  }[];
}

/** Reads every metric of a process. */
export type MetricSource = () => Promise<readonly MetricValues[]>;

export interface Telemetry {
  /** Null: no traces are sent. */
  readonly tracer: Tracer | null;
  readonly sendsMetrics: boolean;
  /** What may be in no line of a log. */
  readonly secrets: readonly string[];
  /** Begins to send these metrics. May be called once. */
  send(metrics: MetricSource): void;
  /** Sends what is not sent yet, for at most two seconds. Never rejects. */
  stop(): Promise<void>;
}
