import { describe, expect, test } from "bun:test";
import { readTelemetry, wantsTelemetry } from "../../../common/telemetry/settings.ts";

const BASE = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };

function settingsOf(environment: Record<string, string>) {
  const read = readTelemetry(environment, "mkt-test");
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return read.settings;
}

function faultsOf(environment: Record<string, string>): readonly string[] {
  const read = readTelemetry(environment, "mkt-test");
  return "faults" in read ? read.faults.map(({ variable, message }) => `${variable}: ${message}`) : [];
}

describe("without an address", () => {
  test.each([
    ["no variable", {}],
    ["an empty one", { OTEL_EXPORTER_OTLP_ENDPOINT: "" }],
    ["further variables", { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc", OTEL_SERVICE_NAME: "x" }],
    ["the SDK disabled", { ...BASE, OTEL_SDK_DISABLED: "TRUE", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }],
    ["both exporters off", { ...BASE, OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" }],
  ])("nothing is sent: %s", (_name, environment) => {
    expect(settingsOf(environment)).toBeNull();
  });

  test("main.ts need not look further", () => {
    expect(wantsTelemetry({})).toBe(false);
    expect(wantsTelemetry({ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://x" })).toBe(true);
  });
});

test("an address for both signals gets the path of each, and one for one signal is used as it is, alone", () => {
  const both = settingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: "https://x/base/" });
  expect([both?.traces?.url, both?.metrics?.url]).toEqual(["https://x/base/v1/traces", "https://x/base/v1/metrics"]);
  const one = settingsOf({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://x/spans" });
  expect([one?.traces?.url, one?.metrics]).toEqual(["http://x/spans", null]);
});

test("defaults are those of OpenTelemetry, but for the sampler, which records one trace in a hundred", () => {
  expect(settingsOf(BASE)).toEqual({
    traces: {
      url: "http://collector:4318/v1/traces",
      headers: {},
      timeoutMs: 10_000,
      compression: "none",
      certificate: null,
      clientCertificate: null,
      clientKey: null,
    },
    metrics: expect.objectContaining({ url: "http://collector:4318/v1/metrics" }),
    sampler: { name: "parentbased_traceidratio", ratio: 0.01 },
    batch: { delayMs: 5000, timeoutMs: 30_000, maxQueued: 2048, maxBatch: 512 },
    metricIntervalMs: 60_000,
    resource: { "service.name": "mkt-test" },
  });
});

test.each([
  ["OTEL_BSP_SCHEDULE_DELAY", { delayMs: 99 }],
  ["OTEL_BSP_EXPORT_TIMEOUT", { timeoutMs: 99 }],
  ["OTEL_BSP_MAX_QUEUE_SIZE", { maxQueued: 99, maxBatch: 99 }],
  ["OTEL_BSP_MAX_EXPORT_BATCH_SIZE", { maxBatch: 99 }],
])("%s decides its own part of a batch, and nothing else", (variable, changes) => {
  const usual = settingsOf(BASE)!;
  expect(settingsOf({ ...BASE, [variable]: "99" })).toEqual({ ...usual, batch: { ...usual.batch, ...changes } });
});

test.each(["TRACES", "METRICS"])("each variable of %s, and of both, decides its own part of that signal", (signal) => {
  const name = signal.toLowerCase() as "traces" | "metrics";
  const values = [
    ["ENDPOINT", "http://x/y", "url"],
    ["TIMEOUT", "99", "timeoutMs"],
    ["COMPRESSION", "gzip", "compression"],
    ["CERTIFICATE", "/ca", "certificate"],
  ] as const;
  const shown = (text: string) => text === "99" ? 99 : text;
  const usual = settingsOf(BASE)!;
  for (const [of, text, field] of values) {
    const given = settingsOf({ ...BASE, [`OTEL_EXPORTER_OTLP_${signal}_${of}`]: text });
    expect(given).toEqual({ ...usual, [name]: { ...usual[name]!, [field]: shown(text) } });
    if (of === "ENDPOINT") continue;
    expect(settingsOf({ ...BASE, [`OTEL_EXPORTER_OTLP_${of}`]: text })?.[name])
      .toEqual({ ...usual[name]!, [field]: shown(text) });
  }
  const pair = { [`OTEL_EXPORTER_OTLP_${signal}_CLIENT_KEY`]: "/key", OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: "/cert" };
  const others = { OTEL_EXPORTER_OTLP_CLIENT_KEY: "/other" };
  expect(settingsOf({ ...BASE, ...pair, ...others })?.[name])
    .toEqual({ ...usual[name]!, clientKey: "/key", clientCertificate: "/cert" });
  const off = settingsOf({ ...BASE, [`OTEL_${signal}_EXPORTER`]: "none" });
  expect(off).toEqual({ ...usual, [name]: null });
});

test("a variable of one signal comes before that of both", () => {
  const { traces, metrics } = settingsOf({
    ...BASE,
    OTEL_EXPORTER_OTLP_HEADERS: "a=1,b=x%20y%2Cz==",
    OTEL_EXPORTER_OTLP_METRICS_HEADERS: "a=2",
    OTEL_EXPORTER_OTLP_TIMEOUT: "500",
    OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: "700",
    OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: "gzip",
    OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/protobuf",
    OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: "http/protobuf",
  }) ?? {};
  expect(traces).toMatchObject({ headers: { a: "1", b: "x y,z==" }, timeoutMs: 700, compression: "gzip" });
  expect(metrics).toMatchObject({ headers: { a: "2", b: "x y,z==" }, timeoutMs: 500, compression: "none" });
});

test("OTEL_SERVICE_NAME comes before OTEL_RESOURCE_ATTRIBUTES, and this before the default", () => {
  const attributes = { ...BASE, OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test,service.name=a" };
  expect(settingsOf(attributes)?.resource).toEqual({ "service.name": "a", "deployment.environment.name": "test" });
  expect(settingsOf({ ...attributes, OTEL_SERVICE_NAME: "b" })?.resource["service.name"]).toBe("b");
});

describe("a wrong value is a fault", () => {
  test.each<[string, string, string]>([
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318", "must be a URL that begins with http:// or https://"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "http://me:pw@collector", "must have no user and password"],
    ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://collector/?key=1", "must have no query and no fragment"],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", "mkt sends OTLP over HTTP only"],
    ["OTEL_EXPORTER_OTLP_METRICS_PROTOCOL", "http/json", "must be http/protobuf, or not set"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "secret-without-a-name", "must be name=value pairs"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a=%", "must be name=value pairs"],
    ["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "a=secret%0A", "has a header whose name or value can't be sent"],
    ["OTEL_EXPORTER_OTLP_TIMEOUT", "10s", "must be a whole number from 1 to 2147483647"],
    ["OTEL_EXPORTER_OTLP_COMPRESSION", "zstd", "must be one of none, gzip"],
    ["OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", "delta", "must be cumulative, or not set"],
    ["OTEL_EXPORTER_OTLP_CLIENT_KEY", "key.pem", "needs OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE as well"],
    ["OTEL_TRACES_EXPORTER", "jaeger", "must be one of otlp, none"],
    ["OTEL_TRACES_SAMPLER", "on", "must be one of always_on, always_off, traceidratio, parentbased_always_on"],
    ["OTEL_RESOURCE_ATTRIBUTES", "x", "must be name=value pairs"],
    ["OTEL_METRIC_EXPORT_INTERVAL", "0", "must be a whole number from 1 to 2147483647"],
    ["OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "4096", "must be at most OTEL_BSP_MAX_QUEUE_SIZE, 2048"],
    ["OTEL_SDK_DISABLED", "1", "must be true or false"],
  ])("%s=%s", (variable, value, message) => {
    const faults = faultsOf({ ...BASE, [variable]: value });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toStartWith(`${variable}: ${message}`);
    expect(faults[0]).not.toContain("secret");
  });

  test("also for the ratio of a sampler, and all are found at once", () => {
    const sampler = { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "2" };
    expect(faultsOf({ ...BASE, ...sampler, OTEL_EXPORTER_OTLP_TIMEOUT: "x" })).toHaveLength(2);
    expect(settingsOf({ ...BASE, ...sampler, OTEL_TRACES_SAMPLER_ARG: "0.25" })?.sampler.ratio).toBe(0.25);
    expect(settingsOf({ ...BASE, OTEL_TRACES_SAMPLER_ARG: "0.25" })?.sampler.ratio).toBe(0.25);
    expect(settingsOf({ ...BASE, OTEL_TRACES_SAMPLER: "traceidratio" })?.sampler.ratio).toBe(1);
    expect(settingsOf({ ...BASE, ...sampler, OTEL_TRACES_SAMPLER_ARG: ".5" })?.sampler.ratio).toBe(0.5);
    expect(faultsOf({ ...BASE, ...sampler, OTEL_TRACES_SAMPLER_ARG: "." })).toHaveLength(1);
  });
});
