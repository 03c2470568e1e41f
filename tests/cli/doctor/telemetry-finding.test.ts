import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { telemetrySettings } from "../../../common/open-telemetry.ts";
import { examineTelemetry } from "../../../cli/doctor/telemetry-finding.ts";
import { OtlpReceiver } from "../../support/otlp-receiver.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "https://127.0.0.1:1" };
const examined = (environment: Record<string, string>) => examineTelemetry(telemetrySettings(environment, "test"));

test("is off if nothing is sent, and otherwise asks the receivers with what is sent to them", async () => {
  expect(await examined({})).toMatchObject({ state: "off" });
  using receiver = new OtlpReceiver();
  const { url } = receiver;
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_HEADERS: "api-key=secret" };
  expect(await examined(environment)).toEqual({
    subject: "telemetry",
    state: "ok",
    detail: `traces to ${url}/v1/traces; metrics to ${url}/v1/metrics`,
  });
  expect(receiver.requests.map(({ headers }) => [headers.get("api-key"), headers.get("Content-Type")]))
    .toEqual([["secret", "application/x-protobuf"], ["secret", "application/x-protobuf"]]);
  expect(receiver.spans).toEqual([]);
});

test.each([
  [401, "failed", "the receiver answers 401: check OTEL_EXPORTER_OTLP_*HEADERS"],
  [404, "failed", "the receiver answers 404: check OTEL_EXPORTER_OTLP_*ENDPOINT"],
  [503, "failed", "the receiver answers 503: check OTEL_EXPORTER_OTLP_*ENDPOINT"],
  [400, "warning", "the receiver takes no empty request (400)"],
])("a receiver that answers %i is %s", async (status, state, detail) => {
  using receiver = new OtlpReceiver();
  receiver.answer = () => new Response(null, { status });
  const OTEL_EXPORTER_OTLP_TRACES_ENDPOINT = `${receiver.url}/in`;
  expect(await examined({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT }))
    .toEqual({ subject: "telemetry", state: state as never, detail: `traces to ${receiver.url}/in: ${detail}` });
});

test("fails for a receiver that is not there, or does not answer", async () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = "http://127.0.0.1:1";
  expect(await examined({ OTEL_EXPORTER_OTLP_ENDPOINT })).toMatchObject({
    state: "failed",
    detail: expect.stringMatching(/^traces to http:\/\/127\.0\.0\.1:1\/v1\/traces: .*; metrics to /),
  });
  using receiver = new OtlpReceiver();
  receiver.answer = () => new Promise<Response>(() => {});
  const silent = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_TIMEOUT: "50" };
  expect((await examined(silent)).detail).toEndWith("no answer within 50 ms");
});

test("fails for a certificate that is not there, as the start does", async () => {
  expect(await examined({ ...endpoint, OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE: "/nowhere.pem" })).toMatchObject({
    state: "failed",
    detail: expect.stringMatching(/^traces: .*can't read \/nowhere\.pem: no such file or folder;/),
  });
});

test("fails for a file that is no certificate or no key", async () => {
  const path = join(temporaryDirectory(), "no.pem");
  writeFileSync(path, "nothing");
  const pair = { OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: path, OTEL_EXPORTER_OTLP_CLIENT_KEY: path };
  for (const files of [{ OTEL_EXPORTER_OTLP_CERTIFICATE: path }, pair]) {
    expect(await examined({ ...endpoint, ...files })).toMatchObject({
      state: "failed",
      detail: expect.stringContaining("not a PEM file, or not a pair"),
    });
  }
});
