// OpenTelemetry's standard variables, as far as mkt follows them (docs/configuration.md). Nothing is read unless an address to
// send to is set. Loads no library, because a client on stdio is answered before anything else is loaded.
//
// A fault names the variable and what would be right, and never the value of a header, which may be a secret.

import { type TelemetryEnvironment, type VariableFault, VariableReader } from "./variable-reader.ts";

/** Where and how one signal is sent. */
export interface ExportSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly compression: "gzip" | "none";
  /** Paths of PEM files; null: none. */
  readonly certificate: string | null;
  readonly clientCertificate: string | null;
  readonly clientKey: string | null;
}

/** Every trace recorded costs a server half of its speed, and an engine more (docs/telemetry.md). */
const DEFAULT_RATIO = 0.01;

const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

export interface TelemetrySettings {
  /** Null: no traces are sent. */
  readonly traces: ExportSettings | null;
  /** Null: no metrics are sent. */
  readonly metrics: ExportSettings | null;
  readonly sampler: { readonly name: (typeof SAMPLERS)[number]; readonly ratio: number };
  /** Ended spans wait for the next export. */
  readonly batch: {
    readonly delayMs: number;
    readonly timeoutMs: number;
    readonly maxQueued: number;
    readonly maxBatch: number;
  };
  readonly metricIntervalMs: number;
  /** service.name, and what the operator adds. */
  readonly resource: Readonly<Record<string, string>>;
}

type Signal = "TRACES" | "METRICS";

const PREFIX = "OTEL_EXPORTER_OTLP";
const LONGEST_MS = 2 ** 31 - 1;

/** Whether an address is set to which traces or metrics are sent, and the SDK is not disabled. */
export function wantsTelemetry(environment: TelemetryEnvironment): boolean {
  const reader = new VariableReader(environment);
  if (reader.text("OTEL_SDK_DISABLED")?.toLowerCase() === "true") return false;
  const names = [`${PREFIX}_ENDPOINT`, `${PREFIX}_TRACES_ENDPOINT`, `${PREFIX}_METRICS_ENDPOINT`] as const;
  return names.some((name) => reader.text(name) !== undefined);
}

/** Null settings: nothing is sent. `serviceName`: what this process is, unless a variable says otherwise. */
export function readTelemetry(
  environment: TelemetryEnvironment,
  serviceName: string,
): { readonly settings: TelemetrySettings | null } | { readonly faults: readonly VariableFault[] } {
  if (!wantsTelemetry(environment)) {
    const faults = new VariableReader(environment);
    faults.flag("OTEL_SDK_DISABLED");
    return faults.found.length > 0 ? { faults: faults.found } : { settings: null };
  }
  const reader = new VariableReader(environment);
  reader.flag("OTEL_SDK_DISABLED");
  const settings = settingsFrom(reader, serviceName);
  if (reader.found.length > 0) return { faults: reader.found };
  return { settings: settings.traces === null && settings.metrics === null ? null : settings };
}

function settingsFrom(reader: VariableReader, serviceName: string): TelemetrySettings {
  const own = reader.text("OTEL_SERVICE_NAME");
  return {
    traces: exportSettings(reader, "TRACES"),
    metrics: exportSettings(reader, "METRICS"),
    sampler: samplerSettings(reader),
    batch: batchSettings(reader),
    metricIntervalMs: reader.integer("OTEL_METRIC_EXPORT_INTERVAL", 1, LONGEST_MS) ?? 60_000,
    resource: {
      "service.name": serviceName,
      ...reader.pairs("OTEL_RESOURCE_ATTRIBUTES"),
      ...(own !== undefined && { "service.name": own }),
    },
  };
}

/** Null if this signal has no address, or is turned off. */
function exportSettings(reader: VariableReader, signal: Signal): ExportSettings | null {
  const exporter = reader.oneOf([`OTEL_${signal}_EXPORTER`], ["otlp", "none"]);
  const url = reader.url(`${PREFIX}_${signal}_ENDPOINT`) ?? withPath(reader.url(`${PREFIX}_ENDPOINT`), signal);
  if (exporter === "none" || url === undefined) return null;
  checkProtocol(reader, signal);
  if (signal === "METRICS") checkTemporality(reader);
  const both = <const Name extends string>(name: Name) => [`${PREFIX}_${signal}_${name}`, `${PREFIX}_${name}`] as const;
  const [, clientKeyName] = both("CLIENT_KEY");
  const clientCertificate = reader.file(both("CLIENT_CERTIFICATE"));
  const clientKey = reader.file(both("CLIENT_KEY"));
  if ((clientKey === null) !== (clientCertificate === null)) {
    reader.fault(clientKeyName, `needs ${PREFIX}_CLIENT_CERTIFICATE as well, and the other way round`);
  }
  return {
    url,
    headers: { ...reader.headers(`${PREFIX}_HEADERS`), ...reader.headers(`${PREFIX}_${signal}_HEADERS`) },
    timeoutMs: reader.firstInteger(both("TIMEOUT"), 1, LONGEST_MS) ?? 10_000,
    compression: reader.oneOf(both("COMPRESSION"), ["none", "gzip"]) ?? "none",
    certificate: reader.file(both("CERTIFICATE")),
    clientCertificate,
    clientKey,
  };
}

function withPath(base: string | undefined, signal: Signal): string | undefined {
  if (base === undefined) return undefined;
  return `${base.endsWith("/") ? base : `${base}/`}v1/${signal.toLowerCase()}`;
}

/** That of both signals has no effect if this signal has its own. */
function checkProtocol(reader: VariableReader, signal: Signal): void {
  const names = [`${PREFIX}_${signal}_PROTOCOL`, `${PREFIX}_PROTOCOL`] as const;
  const name = names.find((each) => reader.text(each) !== undefined);
  const protocol = name && reader.text(name);
  if (name === undefined || protocol === "http/protobuf") return;
  const why = protocol === "grpc"
    ? "mkt sends OTLP over HTTP only: name the receiver's HTTP port (usually 4318) and leave this out, or set http/protobuf"
    : "must be http/protobuf, or not set";
  reader.fault(name, why);
}

function checkTemporality(reader: VariableReader): void {
  const name = `${PREFIX}_METRICS_TEMPORALITY_PREFERENCE` as const;
  const given = reader.text(name)?.toLowerCase();
  if (given === undefined || given === "cumulative") return;
  reader.fault(
    name,
    "must be cumulative, or not set: the metrics are those of /metrics, which are totals since the start",
  );
}

function samplerSettings(reader: VariableReader): TelemetrySettings["sampler"] {
  const given = reader.oneOf(["OTEL_TRACES_SAMPLER"], SAMPLERS);
  const name = given ?? "parentbased_traceidratio";
  if (!name.endsWith("traceidratio")) return { name, ratio: 1 };
  return { name, ratio: reader.number("OTEL_TRACES_SAMPLER_ARG", 0, 1) ?? (given === undefined ? DEFAULT_RATIO : 1) };
}

function batchSettings(reader: VariableReader): TelemetrySettings["batch"] {
  const maxQueued = reader.integer("OTEL_BSP_MAX_QUEUE_SIZE", 1, 1_000_000) ?? 2048;
  const maxBatch = reader.integer("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 1, 1_000_000) ?? Math.min(512, maxQueued);
  if (maxBatch > maxQueued) {
    reader.fault("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", `must be at most OTEL_BSP_MAX_QUEUE_SIZE, ${maxQueued}`);
  }
  return {
    delayMs: reader.integer("OTEL_BSP_SCHEDULE_DELAY", 1, LONGEST_MS) ?? 5000,
    timeoutMs: reader.integer("OTEL_BSP_EXPORT_TIMEOUT", 1, LONGEST_MS) ?? 30_000,
    maxQueued,
    maxBatch,
  };
}
