// `mkt doctor` on traces and metrics by OTLP: whether the files for TLS can be used, and whether the receivers take a request
// with the headers that are set. The request has no traces and no metrics in it, which is an empty body.

import { createSecureContext } from "node:tls";
import { UsageError } from "../../common/command-line.ts";
import { errorMessage } from "../../common/error-message.ts";
import { readPemFiles } from "../../common/telemetry/pem-files.ts";
import type { ExportSettings, TelemetrySettings } from "../../common/telemetry/settings.ts";
import { directRequest } from "./direct-request.ts";
import { type Answer, type Finding, severest } from "./finding.ts";

/** For an answer, unless OTEL_EXPORTER_OTLP_TIMEOUT is shorter. */
const LIMIT_MS = 5_000;

/** `settings`: null if nothing is sent. */
export async function examineTelemetry(settings: TelemetrySettings | null): Promise<Finding> {
  const subject = "telemetry";
  if (settings === null) return { subject, state: "off", detail: "OTEL_EXPORTER_OTLP_ENDPOINT is not set" };
  const { traces, metrics } = settings;
  const answers = await Promise.all([
    traces && examineExport("traces", traces),
    metrics && examineExport("metrics", metrics),
  ]);
  return { subject, ...severest(answers.filter((answer) => answer !== null)) };
}

async function examineExport(signal: string, settings: ExportSettings): Promise<Answer> {
  return filesFault(signal, settings) ?? await examineReceiver(`${signal} to ${settings.url}`, settings);
}

async function examineReceiver(subject: string, settings: ExportSettings): Promise<Answer> {
  const { url, headers, timeoutMs } = settings;
  try {
    const { status } = await directRequest(url, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/x-protobuf" },
      tls: readPemFiles(settings),
      timeoutMs: Math.min(timeoutMs, LIMIT_MS),
    });
    if (status >= 200 && status < 300) return { state: "ok", detail: subject };
    if (status === 400) return { state: "warning", detail: `${subject}: the receiver takes no empty request (400)` };
    const check = status === 401 || status === 403 ? "OTEL_EXPORTER_OTLP_*HEADERS" : "OTEL_EXPORTER_OTLP_*ENDPOINT";
    return { state: "failed", detail: `${subject}: the receiver answers ${status}: check ${check}` };
  } catch (error) {
    return { state: "failed", detail: `${subject}: ${errorMessage(error)}` };
  }
}

/** Null if the files can be used. */
function filesFault(signal: string, settings: ExportSettings): Answer | null {
  try {
    createSecureContext(readPemFiles(settings));
    return null;
  } catch (error) {
    if (error instanceof UsageError) return { state: "failed", detail: `${signal}: ${error.message}` };
    const { message } = error as Error;
    const detail = `${signal}: OTEL_EXPORTER_OTLP_*CERTIFICATE, *CLIENT_KEY: not a PEM file, or not a pair: ${message}`;
    return { state: "failed", detail };
  }
}
