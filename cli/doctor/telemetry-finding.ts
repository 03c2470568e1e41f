// `mkt doctor` on traces and metrics by OTLP: their receivers, and whether the files for TLS can be used. Nothing is sent:
// whether the receiver takes them, the log of the running server says.

import { createSecureContext } from "node:tls";
import { UsageError } from "../../common/command-line.ts";
import { readPemFiles } from "../../common/telemetry/pem-files.ts";
import type { ExportSettings, TelemetrySettings } from "../../common/telemetry/settings.ts";
import { type Answer, type Finding, severest } from "./finding.ts";

/** `settings`: null if nothing is sent. */
export function examineTelemetry(settings: TelemetrySettings | null): Finding {
  const subject = "telemetry";
  if (settings === null) return { subject, state: "off", detail: "OTEL_EXPORTER_OTLP_ENDPOINT is not set" };
  const { traces, metrics } = settings;
  const answers = [
    traces && examineExport("traces", traces),
    metrics && examineExport("metrics", metrics),
  ].filter((answer) => answer !== null);
  return { subject, ...severest(answers) };
}

function examineExport(signal: string, settings: ExportSettings): Answer {
  try {
    createSecureContext(readPemFiles(settings));
    return { state: "ok", detail: `${signal} to ${settings.url}` };
  } catch (error) {
    if (error instanceof UsageError) return { state: "failed", detail: `${signal}: ${error.message}` };
    const { message } = error as Error;
    const detail = `${signal}: OTEL_EXPORTER_OTLP_*CERTIFICATE, *CLIENT_KEY: not a PEM file, or not a pair: ${message}`;
    return { state: "failed", detail };
  }
}
