// Sends traces and metrics with OpenTelemetry's packages, by OTLP over HTTP. Loaded only if a receiver is configured.
//
// Calls never wait for the receiver: spans and metrics are sent on timers, spans wait in a queue of at most
// OTEL_BSP_MAX_QUEUE_SIZE, and one that finds it full is dropped. Nothing here keeps the process from ending.

import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-proto";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Logger } from "../../logger.ts";
import { within } from "../../within.ts";
import { readPemFiles } from "../pem-files.ts";
import type { ExportSettings, TelemetrySettings } from "../settings.ts";
import type { MetricSource, Telemetry } from "../telemetry.ts";
import { reportExportFaults } from "./export-faults.ts";
import { OtlpTracer } from "./otlp-tracer.ts";
import { registryProducer } from "./registry-producer.ts";

interface OtlpOptions {
  readonly settings: TelemetrySettings;
  readonly secrets: readonly string[];
  /** Of this program. */
  readonly version: string;
  readonly log: Logger;
}

/** The name under which spans and metrics are sent. */
const SCOPE = "mkt";
/** How long the end of the process waits for the receiver. */
const STOP_MS = 2000;

/** Throws UsageError if a certificate can't be read. */
export function otlpTelemetry({ settings, secrets, version, log }: OtlpOptions): Telemetry {
  const faults = reportExportFaults(log);
  const instance = crypto.randomUUID();
  const own = { "service.version": version, "service.instance.id": instance, ...settings.resource };
  const resource = defaultResource().merge(resourceFromAttributes(own));
  const { traces, metrics, batch } = settings;
  const traceProvider = traces && new TracerProvider({
    resource,
    sampler: samplerOf(settings.sampler),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(exporterOptions(traces)),
        scheduledDelayMillis: batch.delayMs,
        exportTimeoutMillis: batch.timeoutMs,
        maxQueueSize: batch.maxQueued,
        maxExportBatchSize: batch.maxBatch,
      }),
    ],
  });
  const metricExporter = metrics && new OTLPMetricExporter(exporterOptions(metrics));
  let meterProvider: MeterProvider | null = null;
  const send = (source: MetricSource) => {
    if (metricExporter === null || meterProvider !== null) throw new Error("metrics are not sent, or are sent already");
    const reader = new PeriodicExportingMetricReader({
      exporter: metricExporter,
      exportIntervalMillis: settings.metricIntervalMs,
      metricProducers: [registryProducer(source, { resource, scope: { name: SCOPE, version } })],
    });
    meterProvider = new MeterProvider({ resource, readers: [reader] });
  };
  const stop = async () => {
    const ended = await within(STOP_MS, Promise.allSettled([traceProvider?.shutdown(), meterProvider?.shutdown()]));
    if (ended === undefined) faults.report(`the receiver did not take the last ones within ${STOP_MS} ms`);
  };
  const tracer = traceProvider &&
    new OtlpTracer(traceProvider.getTracer(SCOPE, version), ratioOfNewTraces(settings.sampler));
  return { tracer, sendsMetrics: metrics !== null, secrets, send, stop };
}

function exporterOptions(settings: ExportSettings) {
  const { url, headers, timeoutMs, compression } = settings;
  return {
    url,
    headers: { ...headers },
    timeoutMillis: timeoutMs,
    compression: compression as never,
    httpAgentOptions: { keepAlive: true, ...readPemFiles(settings) },
  };
}

/** Null: not only new traces are decided about. */
function ratioOfNewTraces({ name, ratio }: TelemetrySettings["sampler"]): number | null {
  if (name.endsWith("always_off")) return 0;
  return name.startsWith("parentbased_") ? ratio : null;
}

/** For the spans that the tracer has not decided about. */
function samplerOf({ name, ratio }: TelemetrySettings["sampler"]): Sampler {
  if (name === "always_off") return new AlwaysOffSampler();
  return name === "traceidratio" ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}
