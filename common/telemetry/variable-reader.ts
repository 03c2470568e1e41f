// Reads environment variables, and collects what is wrong with them. An empty variable counts as not set.

import type { EnvironmentOf } from "../environment.ts";

type Signal = "TRACES" | "METRICS";
type OfExport =
  | "ENDPOINT"
  | "PROTOCOL"
  | "HEADERS"
  | "TIMEOUT"
  | "COMPRESSION"
  | "CERTIFICATE"
  | "CLIENT_CERTIFICATE"
  | "CLIENT_KEY";

export type TelemetryVariable =
  | `OTEL_EXPORTER_OTLP_${OfExport}`
  | `OTEL_EXPORTER_OTLP_${Signal}_${OfExport}`
  | "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE"
  | `OTEL_${Signal}_EXPORTER`
  | `OTEL_BSP_${"MAX_QUEUE_SIZE" | "MAX_EXPORT_BATCH_SIZE" | "SCHEDULE_DELAY" | "EXPORT_TIMEOUT"}`
  | "OTEL_METRIC_EXPORT_INTERVAL"
  | "OTEL_RESOURCE_ATTRIBUTES"
  | "OTEL_SDK_DISABLED"
  | "OTEL_SERVICE_NAME"
  | `OTEL_TRACES_SAMPLER${"" | "_ARG"}`;

export type TelemetryEnvironment = EnvironmentOf<TelemetryVariable>;

export interface VariableFault {
  readonly variable: TelemetryVariable;
  readonly message: string;
}

export class VariableReader {
  readonly found: VariableFault[] = [];

  constructor(private readonly environment: TelemetryEnvironment) {}

  fault(variable: TelemetryVariable, message: string): void {
    if (!this.found.some((fault) => fault.variable === variable)) this.found.push({ variable, message });
  }

  text(name: TelemetryVariable): string | undefined {
    return this.environment[name]?.trim() || undefined;
  }

  flag(name: TelemetryVariable): void {
    const given = this.text(name)?.toLowerCase();
    if (given !== undefined && given !== "true" && given !== "false") this.fault(name, "must be true or false");
  }

  number(name: TelemetryVariable, minimum: number, maximum: number): number | undefined {
    const given = this.text(name);
    if (given === undefined) return undefined;
    const number = /^(\d{1,15}\.?|\d{0,15}\.\d{1,15})$/.test(given) ? Number(given) : NaN;
    if (number >= minimum && number <= maximum) return number;
    this.fault(name, `must be a number from ${minimum} to ${maximum}`);
    return undefined;
  }

  integer(name: TelemetryVariable, minimum: number, maximum: number): number | undefined {
    const given = this.text(name);
    if (given === undefined) return undefined;
    const number = /^\d{1,15}$/.test(given) ? Number(given) : NaN;
    if (number >= minimum && number <= maximum) return number;
    this.fault(name, `must be a whole number from ${minimum} to ${maximum}`);
    return undefined;
  }

  /** The first of them that is set. */
  firstInteger(names: readonly TelemetryVariable[], minimum: number, maximum: number): number | undefined {
    return names.map((name) => this.integer(name, minimum, maximum)).find((number) => number !== undefined);
  }

  oneOf<const Name extends string>(names: readonly TelemetryVariable[], allowed: readonly Name[]): Name | undefined {
    const read = names.map((name) => {
      const given = this.text(name);
      const known = allowed.find((each) => each === given);
      if (given !== undefined && known === undefined) this.fault(name, `must be one of ${allowed.join(", ")}`);
      return known;
    });
    return read.find((each) => each !== undefined);
  }

  url(name: TelemetryVariable): string | undefined {
    const given = this.text(name);
    if (given === undefined) return undefined;
    const url = URL.parse(given);
    if (url === null || !["http:", "https:"].includes(url.protocol)) {
      this.fault(name, "must be a URL that begins with http:// or https://");
    } else if (url.username !== "" || url.password !== "") {
      this.fault(name, `must have no user and password; send them as a header (OTEL_EXPORTER_OTLP_HEADERS)`);
    } else if (url.search !== "" || url.hash !== "") {
      this.fault(name, "must have no query and no fragment");
    }
    return given;
  }

  /** A path of a file that can be read; null if none is set. */
  file(names: readonly [TelemetryVariable, TelemetryVariable]): string | null {
    return this.text(names[0]) ?? this.text(names[1]) ?? null;
  }

  pairs(name: TelemetryVariable): Readonly<Record<string, string>> {
    const read = keyValues(this.text(name) ?? "");
    if (read !== null) return read;
    this.fault(name, "must be name=value pairs, separated by commas, with special characters percent-encoded");
    return {};
  }

  /** The message has no value in it: it may be a secret. */
  headers(name: TelemetryVariable): Readonly<Record<string, string>> {
    const headers = this.pairs(name);
    for (const [header, value] of Object.entries(headers)) {
      if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(header) || !/^[\t\x20-\x7e]*$/.test(value)) {
        this.fault(name, "has a header whose name or value can't be sent: both must be printable ASCII");
      }
    }
    return headers;
  }
}

/** Percent-encoded, as in W3C Baggage. Null if the text has another form. A name that comes twice has its last value. */
function keyValues(text: string): Readonly<Record<string, string>> | null {
  const pairs = text.split(",").map((pair) => pair.trim()).filter((pair) => pair !== "").map(pairOf);
  return pairs.every((pair) => pair !== null) ? Object.fromEntries(pairs) : null;
}

/** A value may have further equals signs, as base64 does. */
function pairOf(pair: string): [string, string] | null {
  const at = pair.indexOf("=");
  if (at < 1) return null;
  const name = decoded(pair.slice(0, at).trim());
  const value = decoded(pair.slice(at + 1).trim());
  return name === null || name === "" || value === null ? null : [name, value];
}

/** Null if a percent sign begins no encoded character. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
