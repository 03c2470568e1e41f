import { describe, expect, test } from "bun:test";
import { NEUTRAL_ADVICE } from "../../core/advice.ts";
import { definePack } from "../../core/packs/pack.ts";
import { toolEntry } from "../../core/dispatch/catalogue.ts";
import { createRuntime } from "../../core/runtime.ts";
import type { StartTable } from "../../core/start/start-table.ts";
import type { JoinOptions, ReplicaModule } from "../../core/tools/replicas.ts";
import type { Telemetry } from "../../common/telemetry/telemetry.ts";
import { until } from "../support/until.ts";
import { PROGRAM } from "../plugins/support/packs.ts";
import { resultOf } from "./support/results.ts";
import { configurationFor } from "./support/services.ts";
import { toolNamed } from "./support/tools.ts";

const reading = definePack({
  name: "reading",
  description: "reads",
  tools: [toolNamed("read_board", { requires: { connection: "read" } })],
});
const connecting = definePack({
  name: "connecting",
  description: "connects",
  tools: [],
  advice: { connectFirst: "Call knock first." },
});

async function refusal(packs: typeof PROGRAM.packs, environment: Record<string, string> = {}) {
  await using runtime = await opened(packs, environment);
  const scope = { signal: new AbortController().signal };
  return JSON.stringify(await resultOf(runtime.dispatcher.call("read_board", {}, scope)));
}

async function opened(packs: typeof PROGRAM.packs, environment: Record<string, string>) {
  const runtime = await createRuntime(configurationFor(environment), { ...PROGRAM, packs });
  return { ...runtime, [Symbol.asyncDispose]: () => runtime.close() };
}

describe("the advice in core's errors", () => {
  test("is that of a built-in pack, offered or not, and neutral if no pack declares it", async () => {
    expect(await refusal([connecting, reading])).toContain("Call knock first.");
    expect(await refusal([connecting, reading], { MKT_PACKS: "reading" })).toContain("Call knock first.");
    expect(await refusal([reading])).toContain(NEUTRAL_ADVICE.connectFirst);
  });

  test("is declared in full by the packs of this program, and each sentence names a tool", () => {
    const declared = Object.assign({}, ...PROGRAM.packs.map(({ advice }) => advice));
    expect(Object.keys(declared).toSorted()).toEqual(Object.keys(NEUTRAL_ADVICE).toSorted());
    for (const advice of Object.values(declared)) expect(textOf(advice)).toMatch(/mkt_.*\.$/);
    for (const advice of Object.values(NEUTRAL_ADVICE)) expect(textOf(advice)).toMatch(/^[A-Z](?!.*mkt_).*\.$/);
  });
});

function textOf(advice: unknown): string {
  return typeof advice === "function" ? advice("Credit.View") : String(advice);
}

test.each([[{}, false], [{ MCP_HTTP_PORT: "0" }, true]])("with %o metrics are kept: %p", async (environment, kept) => {
  await using runtime = await opened([reading], environment as Record<string, string>);
  expect(runtime.metrics !== null).toBe(kept);
});

test("entries that the build has made are listed as they are; a tool without one gets its own", async () => {
  const [tool] = reading.tools;
  if (tool === undefined) throw new Error("no tool");
  const own = await createRuntime(configurationFor(), { ...PROGRAM, packs: [reading], table: null });
  const entry = { ...toolEntry(tool), head: '{"name":"read_board","title":"Built"', inReadOnly: true };
  const table = { ...EMPTY_TABLE, packs: [{ name: "reading", tools: [entry] }] };
  const built = await createRuntime(configurationFor(), { ...PROGRAM, packs: [reading], table });
  expect(built.dispatcher.catalogue.toolsJson).toContain('"Built"');
  const other = await createRuntime(configurationFor(), { ...PROGRAM, packs: [reading], table: EMPTY_TABLE });
  expect(other.dispatcher.catalogue.toolsJson).toBe(own.dispatcher.catalogue.toolsJson);
});

test("closing ends with the last traces and metrics: it waits until they are sent", async () => {
  const sent = Promise.withResolvers<void>();
  const steps: string[] = [];
  const telemetry: Telemetry = {
    tracer: null,
    sendsMetrics: true,
    secrets: [],
    send: () => void steps.push("metrics"),
    stop: () => (steps.push("stop"), sent.promise),
  };
  const configuration = configurationFor();
  const runtime = await createRuntime(configuration, { ...PROGRAM, packs: [reading] }, {}, "member", telemetry);
  const closed = runtime.close().then(() => void steps.push("closed"));
  await until(() => steps.includes("stop"), "the end of the telemetry");
  // Every promise that waits for nothing is settled before the next turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  expect(steps).toEqual(["metrics", "stop"]);
  sent.resolve();
  await closed;
  expect(steps).toEqual(["metrics", "stop", "closed"]);
});

test("closing leaves the replicas before the connection ends, and only then stops the telemetry", async () => {
  const steps: string[] = [];
  const slow = (step: string) => async () => {
    steps.push(`${step} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    steps.push(`${step} ends`);
  };
  const telemetry = { tracer: null, sendsMetrics: false, secrets: [], send: () => {}, stop: slow("telemetry") };
  const replicas = { close: slow("replicas"), facts: () => ({ status: "connected" }), frozen: () => null };
  const module = {
    addressSecrets: () => [],
    joinReplicas: ({ client }: JoinOptions) => {
      client.disconnect = slow("connection");
      return { pubsub: client, replicas };
    },
  } as unknown as ReplicaModule;
  const configuration = configurationFor({ MCP_HTTP_PORT: "0", MKT_REDIS_URL: "redis://localhost:1" });
  const program = { ...PROGRAM, packs: [reading], replicas: () => Promise.resolve(module) };
  const runtime = await createRuntime(configuration, program, {}, "member", telemetry);
  await runtime.close();
  expect(steps).toEqual(["replicas", "connection", "telemetry"].flatMap((each) => [`${each} begins`, `${each} ends`]));
});

const EMPTY_TABLE: StartTable = {
  initialize: { versions: [], otherwise: "", end: "" },
  discover: "",
  listEnd: { legacy: "", modern: "" },
  packs: [],
};
