import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { telemetrySettings } from "../../../common/open-telemetry.ts";
import { examineTelemetry } from "../../../cli/doctor/telemetry-finding.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector:4318" };
const examined = (environment: Record<string, string>) => examineTelemetry(telemetrySettings(environment, "test"));

test("is off if nothing is sent, and otherwise names the receivers", () => {
  expect(examined({})).toMatchObject({ state: "off" });
  expect(examined(endpoint)).toEqual({
    subject: "telemetry",
    state: "ok",
    detail: "traces to https://collector:4318/v1/traces; metrics to https://collector:4318/v1/metrics",
  });
});

test("fails for a certificate that is not there, as the start does", () => {
  expect(examined({ ...endpoint, OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE: "/nowhere.pem" })).toMatchObject({
    state: "failed",
    detail: expect.stringMatching(/^traces: .*can't read \/nowhere\.pem: no such file or folder$/),
  });
});

test("fails for a file that is no certificate or no key", () => {
  const path = join(temporaryDirectory(), "no.pem");
  writeFileSync(path, "nothing");
  const pair = { OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: path, OTEL_EXPORTER_OTLP_CLIENT_KEY: path };
  for (const files of [{ OTEL_EXPORTER_OTLP_CERTIFICATE: path }, pair]) {
    expect(examined({ ...endpoint, ...files })).toMatchObject({
      state: "failed",
      detail: expect.stringContaining("not a PEM file, or not a pair"),
    });
  }
});
