// Which setting decides which part of what sends traces and metrics. A swapped one would show only under load.

import { expect, jest, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as metricExporters from "@opentelemetry/exporter-metrics-otlp-proto";
import * as traceExporters from "@opentelemetry/exporter-trace-otlp-proto";
import * as metricSdk from "@opentelemetry/sdk-metrics";
import * as traceSdk from "@opentelemetry/sdk-trace";
import { logger } from "../../../common/logger.ts";
import { openTelemetry, telemetrySettings } from "../../../common/open-telemetry.ts";
import { otlpTelemetry } from "../../../common/telemetry/otlp/otlp-telemetry.ts";
import { readTelemetry, wantsTelemetry } from "../../../common/telemetry/settings.ts";
import type { TelemetryEnvironment } from "../../../common/telemetry/variable-reader.ts";
import { replaced } from "../../support/replaced.ts";
import { isSettled } from "../../support/still-clock.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const BASE: TelemetryEnvironment = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };

/** What the packages of OpenTelemetry are made with. */
function made(environment: TelemetryEnvironment, shutdown = () => Promise.resolve()) {
  const part = (module: object, name: string) =>
    replaced(
      module as never,
      name as never,
      function () {
        return { shutdown, getTracer: () => ({}) };
      } as never,
    ) as Record<string, never>[][];
  const parts = {
    tracer: part(traceSdk, "TracerProvider"),
    batch: part(traceSdk, "BatchSpanProcessor"),
    traces: part(traceExporters, "OTLPTraceExporter"),
    metrics: part(metricExporters, "OTLPMetricExporter"),
    reader: part(metricSdk, "PeriodicExportingMetricReader"),
    meter: part(metricSdk, "MeterProvider"),
  };
  const settings = telemetrySettings({ ...BASE, ...environment }, "mkt-test")!;
  const telemetry = otlpTelemetry({ settings, secrets: ["s"], version: "1", log: logger("test") });
  if (telemetry.sendsMetrics) telemetry.send(() => Promise.resolve([]));
  const { batch, traces, metrics, reader, tracer } = Object.fromEntries(
    Object.entries(parts).map(([name, calls]) => [name, calls.at(-1)?.[0] ?? null]),
  );
  return { batch, traces, metrics, reader, tracer, telemetry };
}

test("each setting reaches the part that it is for", () => {
  const prefix = "OTEL_EXPORTER_OTLP";
  const { batch, traces, metrics, reader, tracer, telemetry } = made({
    OTEL_BSP_SCHEDULE_DELAY: "11",
    OTEL_BSP_EXPORT_TIMEOUT: "12",
    OTEL_BSP_MAX_QUEUE_SIZE: "14",
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "13",
    OTEL_METRIC_EXPORT_INTERVAL: "15",
    OTEL_RESOURCE_ATTRIBUTES: "place=here",
    [`${prefix}_TRACES_TIMEOUT`]: "16",
    [`${prefix}_METRICS_TIMEOUT`]: "17",
    [`${prefix}_TRACES_COMPRESSION`]: "gzip",
    [`${prefix}_TRACES_HEADERS`]: "a=1",
    [`${prefix}_METRICS_HEADERS`]: "b=2",
  });
  expect<unknown>(batch).toMatchObject({
    scheduledDelayMillis: 11,
    exportTimeoutMillis: 12,
    maxExportBatchSize: 13,
    maxQueueSize: 14,
  });
  expect<unknown>(reader).toMatchObject({ exportIntervalMillis: 15 });
  const url = "http://collector:4318/v1";
  const agent = { httpAgentOptions: { keepAlive: true } };
  expect<unknown>(traces)
    .toEqual({ url: `${url}/traces`, headers: { a: "1" }, timeoutMillis: 16, compression: "gzip", ...agent });
  expect<unknown>(metrics)
    .toEqual({ url: `${url}/metrics`, headers: { b: "2" }, timeoutMillis: 17, compression: "none", ...agent });
  const { attributes } = tracer!["resource"] as unknown as { attributes: object };
  expect(attributes).toMatchObject({ "service.name": "mkt-test", "service.version": "1", place: "here" });
  expect(telemetry).toMatchObject({ sendsMetrics: true, secrets: ["s"] });
  expect(() => telemetry.send(() => Promise.resolve([]))).toThrow("sent already");
});

test("the end of a process waits until both signals were sent, and two seconds at most", async () => {
  jest.useFakeTimers();
  try {
    const shutdowns: PromiseWithResolvers<void>[] = [];
    const { telemetry } = made({}, () => {
      const shutdown = Promise.withResolvers<void>();
      shutdowns.push(shutdown);
      return shutdown.promise;
    });
    const ends = async (stopping: Promise<void>) => {
      expect(await isSettled(stopping)).toBe(false);
      shutdowns.shift()!.reject(new Error("away"));
      expect(await isSettled(stopping)).toBe(false);
    };
    const stopped = telemetry.stop();
    await ends(stopped);
    shutdowns.shift()!.resolve();
    expect(await isSettled(stopped)).toBe(true);
    const late = telemetry.stop();
    await ends(late);
    jest.advanceTimersByTime(1_999);
    expect(await isSettled(late)).toBe(false);
    jest.advanceTimersByTime(1);
    expect([await isSettled(late), jest.getTimerCount()]).toEqual([true, 0]);
  } finally {
    jest.useRealTimers();
  }
});

test("a signal that is turned off has no exporter", () => {
  const off = made({ OTEL_METRICS_EXPORTER: "none" });
  expect([off.metrics, off.reader, off.telemetry.sendsMetrics]).toEqual([null, null, false]);
  const without = made({ OTEL_TRACES_EXPORTER: "none" });
  expect([without.telemetry.tracer, without.telemetry.sendsMetrics]).toEqual([null, true]);
});

test("a certificate is for the receiver, and a client's certificate and key for this process", () => {
  const folder = temporaryDirectory();
  const file = (name: string) => {
    writeFileSync(join(folder, name), `the ${name}`);
    return join(folder, name);
  };
  const { traces } = made({
    OTEL_EXPORTER_OTLP_CERTIFICATE: file("ca"),
    OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: file("cert"),
    OTEL_EXPORTER_OTLP_CLIENT_KEY: file("key"),
  });
  expect<unknown>(traces!["httpAgentOptions"]).toEqual({
    keepAlive: true,
    ca: "the ca",
    cert: "the cert",
    key: "the key",
  });
  const none = join(folder, "none");
  expect(() => made({ OTEL_EXPORTER_OTLP_CERTIFICATE: none })).toThrow(`can't read ${none}: no such file or folder`);
});

test("the headers of both signals are secrets, but no short ones", async () => {
  const headers = {
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: "a=of-traces,c=1234567",
    OTEL_EXPORTER_OTLP_METRICS_HEADERS: "b=12345678",
  };
  const telemetry = await openTelemetry(telemetrySettings({ ...BASE, ...headers }, "t"), "1");
  expect(telemetry?.secrets).toEqual(["of-traces", "12345678"]);
  await telemetry?.stop();
  expect(await openTelemetry(telemetrySettings({}, "t"), "1")).toBeNull();
});

/** Each with a value that changes something. */
const VARIABLES = {
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/protobuf",
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: "http/protobuf",
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://t/x",
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://m/x",
  OTEL_EXPORTER_OTLP_HEADERS: "a=1",
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: "a=2",
  OTEL_EXPORTER_OTLP_METRICS_HEADERS: "a=3",
  OTEL_EXPORTER_OTLP_TIMEOUT: "4",
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: "5",
  OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: "6",
  OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
  OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: "gzip",
  OTEL_EXPORTER_OTLP_METRICS_COMPRESSION: "gzip",
  OTEL_EXPORTER_OTLP_CERTIFICATE: "/ca",
  OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE: "/ca",
  OTEL_EXPORTER_OTLP_METRICS_CERTIFICATE: "/ca",
  OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: "",
  OTEL_EXPORTER_OTLP_CLIENT_KEY: "",
  OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "cumulative",
  OTEL_TRACES_EXPORTER: "none",
  OTEL_METRICS_EXPORTER: "none",
  OTEL_BSP_MAX_QUEUE_SIZE: "7",
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "8",
  OTEL_BSP_SCHEDULE_DELAY: "9",
  OTEL_BSP_EXPORT_TIMEOUT: "10",
  OTEL_METRIC_EXPORT_INTERVAL: "11",
  OTEL_RESOURCE_ATTRIBUTES: "a=b",
  OTEL_SDK_DISABLED: "true",
  OTEL_SERVICE_NAME: "other",
  OTEL_TRACES_SAMPLER: "always_off",
  OTEL_TRACES_SAMPLER_ARG: "0.5",
} as const satisfies TelemetryEnvironment;

test("an empty or blank variable counts as not set, and spaces around a value are no part of it", () => {
  const usual = readTelemetry(BASE, "t");
  for (const [name, value] of Object.entries(VARIABLES)) {
    for (const empty of ["", "  "]) {
      expect([name, readTelemetry({ ...BASE, [name]: empty }, "t")]).toEqual([name, usual]);
    }
    expect([name, readTelemetry({ ...BASE, [name]: ` ${value} ` }, "t")])
      .toEqual([name, readTelemetry({ ...BASE, [name]: value }, "t")]);
  }
  for (const empty of ["", "  "]) {
    expect(wantsTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: empty })).toBe(false);
    expect(readTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: empty }, "t")).toEqual({ settings: null });
  }
});
