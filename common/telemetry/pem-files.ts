// The certificates and the key with which one signal is sent.

import { readFileSync } from "node:fs";
import { UsageError } from "../command-line.ts";
import { fileErrorReason } from "../file-error.ts";
import type { ExportSettings } from "./settings.ts";

/** The contents of the files, under the names that TLS has for them. Throws UsageError if one can't be read. */
export function readPemFiles({ certificate, clientCertificate, clientKey }: ExportSettings) {
  return {
    ...(certificate !== null && { ca: contentOf(certificate) }),
    ...(clientCertificate !== null && { cert: contentOf(clientCertificate) }),
    ...(clientKey !== null && { key: contentOf(clientKey) }),
  };
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`OTEL_EXPORTER_OTLP_*CERTIFICATE, *CLIENT_KEY: can't read ${path}: ${fileErrorReason(error)}`);
  }
}
