import { afterAll, describe, expect, test } from "bun:test";
import { logger } from "../../../common/logger.ts";
import { otlpTelemetry } from "../../../common/telemetry/otlp/otlp-telemetry.ts";
import { readTelemetry } from "../../../common/telemetry/settings.ts";
import type { Telemetry } from "../../../common/telemetry/telemetry.ts";
import type { Tracer } from "../../../common/telemetry/tracer.ts";
import { OtlpReceiver } from "../../support/otlp-receiver.ts";

const receiver = new OtlpReceiver();
afterAll(() => receiver[Symbol.dispose]());

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const REMOTE = { traceId: TRACE, spanId: "00f067aa0ba902b7", state: "vendor=1" };

async function telemetryWith(variables: Record<string, string>): Promise<Telemetry> {
  const all = { OTEL_TRACES_SAMPLER: "parentbased_always_on" };
  const address = `${receiver.url}/v1/traces`;
  const read = readTelemetry({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address, ...all, ...variables }, "t");
  if (!("settings" in read) || read.settings === null) throw new Error(JSON.stringify(read));
  return await otlpTelemetry({ settings: read.settings, secrets: [], version: "1", log: logger("test") });
}

/** The names of the spans that arrive. */
async function sentBy(variables: Record<string, string>, work: (tracer: Tracer) => unknown): Promise<string[]> {
  receiver.spans.length = 0;
  const telemetry = await telemetryWith(variables);
  if (telemetry.tracer === null) throw new Error("there is no tracer");
  await work(telemetry.tracer);
  await telemetry.stop();
  return receiver.spans.map(({ name }) => name);
}

describe("OTEL_TRACES_SAMPLER", () => {
  /** A root, and a span and its child for a recorded and for an unrecorded parent. */
  const trees = (tracer: Tracer) => {
    tracer.start("root", { kind: "server", parent: null }).end();
    for (const isSampled of [true, false]) {
      const span = tracer.start(isSampled ? "recorded" : "unrecorded", {
        kind: "server",
        parent: { ...REMOTE, isSampled },
      });
      const child = tracer.start("child", { kind: "internal", parent: span.context });
      expect(child.context).toMatchObject({ traceId: TRACE, state: "vendor=1", isSampled: child.isRecording });
      child.end();
      span.end();
    }
  };

  test.each<[string, readonly string[]]>([
    ["always_on", ["root", "child", "recorded", "child", "unrecorded"]],
    ["always_off", []],
    ["parentbased_always_on", ["root", "child", "recorded"]],
    ["parentbased_always_off", ["child", "recorded"]],
    ["parentbased_traceidratio", ["root", "child", "recorded"]],
  ])("%s", async (sampler, expected) => {
    expect(await sentBy({ OTEL_TRACES_SAMPLER: sampler }, trees)).toEqual([...expected]);
  });

  test("traceidratio decides by the id of the trace, so both sides of a call decide alike", async () => {
    const sampler = { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.5" };
    const start = (tracer: Tracer, traceId: string) =>
      tracer.start(traceId, { kind: "server", parent: { ...REMOTE, traceId, isSampled: false } }).end();
    const ids = Array.from({ length: 60 }, (_, at) => new Bun.CryptoHasher("md5").update(`${at}`).digest("hex"));
    const [one, other] = [
      await sentBy(sampler, (tracer) => ids.forEach((id) => start(tracer, id))),
      await sentBy(sampler, (tracer) => ids.forEach((id) => start(tracer, id))),
    ];
    expect(one).toEqual(other);
    expect(one.length).toBeGreaterThan(5);
    expect(one.length).toBeLessThan(55);
  });
});

test("a span is active in what its work waits for, in no other work, and not after its end", async () => {
  await sentBy({}, async (tracer) => {
    const [one, other] = ["one", "other"].map((name) => tracer.start(name, { kind: "server", parent: null }));
    const seen = async () => {
      await Bun.sleep(1);
      return tracer.active()?.context.spanId;
    };
    const [inOne, inOther, outside] = await Promise.all([
      tracer.within(one!, seen),
      tracer.within(other!, seen),
      seen(),
    ]);
    expect([inOne, inOther, outside]).toEqual([one!.context.spanId, other!.context.spanId, undefined]);
    one!.end();
    expect(await tracer.within(one!, seen)).toBeUndefined();
    other!.end();
  });
});

test("a queue that is full drops spans, and keeps what it has", async () => {
  const limits = {
    OTEL_BSP_MAX_QUEUE_SIZE: "4",
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "4",
    OTEL_BSP_SCHEDULE_DELAY: "3600000",
  };
  const sent = await sentBy(limits, (tracer) => {
    for (let at = 0; at < 100; at++) tracer.start(String(at), { kind: "server", parent: null }).end();
  });
  expect(sent.slice(0, 4)).toEqual(["0", "1", "2", "3"]);
  expect(sent.length).toBeLessThan(20);
});

test("a certificate that can't be read is a fault of its file", async () => {
  const variables = { OTEL_EXPORTER_OTLP_CERTIFICATE: "/no/such/file.pem" };
  await expect(telemetryWith(variables)).rejects.toThrow("can't read /no/such/file.pem: no such file or folder");
});
