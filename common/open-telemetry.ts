// Opens what sends traces and metrics by OTLP, if the environment asks for it. Its packages are loaded only then.

import { UsageError } from "./command-line.ts";
import { logger } from "./logger.ts";
import { readTelemetry, type TelemetrySettings } from "./telemetry/settings.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";
import type { TelemetryEnvironment } from "./telemetry/variable-reader.ts";

/** Null: nothing is sent. Throws a UsageError that names every wrong variable. */
export function telemetrySettings(environment: TelemetryEnvironment, serviceName: string): TelemetrySettings | null {
  const read = readTelemetry(environment, serviceName);
  if ("settings" in read) return read.settings;
  throw new UsageError(read.faults.map(({ variable, message }) => `${variable}: ${message}`).join("\n"));
}

/** A shorter value is no secret, and hiding it would hide parts of other words. */
const SHORTEST_SECRET = 8;

/** The values of headers that may be secrets. */
function secretsOf({ traces, metrics }: TelemetrySettings): readonly string[] {
  const headers = [traces?.headers, metrics?.headers];
  return [...new Set(headers.flatMap((each) => Object.values(each ?? {})))].filter(({ length }) =>
    length >= SHORTEST_SECRET
  );
}

/** Null without settings. Throws UsageError if a certificate can't be read. */
export async function openTelemetry(settings: TelemetrySettings | null, version: string): Promise<Telemetry | null> {
  if (settings === null) return null;
  const { otlpTelemetry } = await import("./telemetry/otlp/otlp-telemetry.ts");
  return otlpTelemetry({ settings, secrets: secretsOf(settings), version, log: logger("telemetry") });
}
