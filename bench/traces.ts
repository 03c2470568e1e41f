// What traces cost: a tool call that submits an order, through the dispatcher and over the WebSocket to an engine and back,
// and one that reads a book, from the snapshot. Without traces, with the default sampler, with traces of which none is
// recorded, and with all recorded and sent.
//
//   bun bench/traces.ts [ROUNDS]       60 rounds by default
//
// Each variant has an engine and an MCP server of its own, all in this process, with the receiver. They run in turn, CALLS
// calls in each round, and the processor time of the whole process is counted: so that of the receiver and of the exports
// between two rounds is part of the figure. The ratio to the calls without traces of the same run is the figure.

import { connectToOneEngine } from "../core/backend/same-engine.ts";
import { readConfiguration } from "../core/config/environment.ts";
import { createRuntime, type Runtime } from "../core/runtime.ts";
import { configureLogging, logger } from "../common/logger.ts";
import { openTelemetry, telemetrySettings } from "../common/open-telemetry.ts";
import type { Telemetry } from "../common/telemetry/telemetry.ts";
import { PACKS } from "../plugins/index.ts";
import { builtInMarket } from "../engine/definition/built-in-market.ts";
import { contractsAt } from "../engine/definition/listed-contracts.ts";
import { DEFAULT_ENGINE_LIMITS } from "../common/http/guards/engine-limits.ts";
import { type RunningEngine, startEngine } from "../engine/server/start-engine.ts";
import { aligned, duration, grouped, threeDigits } from "./table.ts";

const CALLS = 200;
const WARM_ROUNDS = 5;
const USER = "riverbend-trader-1";
const SCOPE = { signal: new AbortController().signal, caller: null };

/** Null: no receiver. An empty name: the default. */
const VARIANTS = [
  { name: "without traces", sampler: null },
  { name: "the default", sampler: "" },
  { name: "none recorded", sampler: "always_off" },
  { name: "all recorded", sampler: "always_on" },
] as const;

const TOOLS = [
  { tool: "mkt_create_test_order", input: { side: "BUY", price: 1000, quantity: 1 } },
  { tool: "mkt_get_order_book", input: {} },
] as const;
type Measured = (typeof TOOLS)[number];

interface Prepared {
  readonly engine: RunningEngine;
  readonly runtime: Runtime;
  readonly telemetry: readonly Telemetry[];
  readonly contractId: string;
}

async function prepared(sampler: string | null, receiver: string): Promise<Prepared> {
  const environment: Record<string, string> = sampler === null
    ? {}
    : { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: receiver, OTEL_TRACES_SAMPLER: sampler, OTEL_BSP_MAX_QUEUE_SIZE: "100000" };
  const open = (name: string) => openTelemetry(telemetrySettings(environment, name), "1.0.0");
  const [ofEngine, ofServer] = [await open("mkt-engine"), await open("mkt-server")];
  const engine = await startEngine({
    definition: builtInMarket(),
    hostname: "127.0.0.1",
    port: 0,
    token: null,
    secret: null,
    log: logger("engine"),
    now: Date.now,
    limits: {
      ...DEFAULT_ENGINE_LIMITS,
      requestsPerSecond: 1e6,
      bytesPerSecond: 1e9,
      openOrdersPerUser: 1e6,
      openOrdersPerBook: 1e6,
    },
    tracer: ofEngine?.tracer ?? null,
  });
  const address = `127.0.0.1:${engine.port}`;
  const read = readConfiguration({ MKT_HOST: address, MKT_BASE_URL: `http://${address}`, MKT_USER_ID: USER });
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  const program = { packs: PACKS, version: "1.0.0", instructions: "" };
  const runtime = await createRuntime(read.configuration, program, {}, "none", ofServer);
  await connectToOneEngine(runtime.services, USER);
  const contractId = contractsAt(builtInMarket(), engine.marketTime()).at(-1)?.id ?? "";
  return { engine, runtime, telemetry: [ofEngine, ofServer].filter((each) => each !== null), contractId };
}

/** Processor time of the calls, in nanoseconds each. */
async function round({ runtime, contractId }: Prepared, { tool, input }: Measured): Promise<number> {
  // What the variant before has left must not be collected in this one.
  Bun.gc(true);
  const given = { contractId, ...input };
  const before = process.cpuUsage();
  for (let call = 0; call < CALLS; call++) {
    const answer = await runtime.dispatcher.call(tool, given, SCOPE);
    if (answer?.kind !== "json" || answer.isError) throw new Error(`${tool} failed: ${JSON.stringify(answer)}`);
  }
  // Exports run on timers and at the end of a batch.
  await Bun.sleep(0);
  const { user, system } = process.cpuUsage(before);
  return (user + system) * 1000 / CALLS;
}

function median(figures: readonly number[]): number {
  return figures.toSorted((one, other) => one - other)[figures.length >> 1] ?? NaN;
}

const rounds = Number(process.argv[2] ?? 60);
configureLogging("error");
let bytes = 0;
using receiver = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: async (request) => {
    bytes += (await request.arrayBuffer()).byteLength;
    return new Response(null, { headers: { "Content-Type": "application/x-protobuf" } });
  },
});
const variants = [];
for (const { name, sampler } of VARIANTS) {
  const figures = new Map<Measured, number[]>(TOOLS.map((each) => [each, []]));
  variants.push({ name, figures, ...await prepared(sampler, receiver.url.href) });
}
for (let at = 0; at < WARM_ROUNDS + rounds; at++) {
  for (const each of TOOLS) {
    for (const variant of variants) {
      const figure = await round(variant, each);
      if (at >= WARM_ROUNDS) variant.figures.get(each)?.push(figure);
    }
  }
}
for (const { runtime, engine, telemetry } of variants) {
  await runtime.close();
  await engine.stop();
  for (const each of telemetry) await each.stop();
}
if (bytes === 0) throw new Error("the receiver got nothing");
console.log(`${grouped(CALLS * rounds)} calls each, median of ${rounds} rounds\n`);
for (const each of TOOLS) {
  const medians = variants.map(({ figures }) => median(figures.get(each) ?? []));
  const [base = NaN] = medians;
  console.log(aligned(
    [each.tool, "processor time of a call", "ratio"],
    variants.map(({ name }, at) => [name, duration(medians[at] ?? NaN), threeDigits((medians[at] ?? NaN) / base)]),
  ));
}
process.exit(0);
