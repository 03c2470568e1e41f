// The measured server of bench/dashboard.ts: the dashboard's stream, over HTTP and through core's limits of streams, on a
// market in which events happen at a steady rate.

import { logger } from "../../common/logger.ts";
import { EventBuffer } from "../../core/market/event-buffer.ts";
import { Snapshot } from "../../core/market/snapshot.ts";
import { routeBody } from "../../core/server/routes/route-body.ts";
import { RouteStreams } from "../../core/server/routes/route-streams.ts";
import type { RouteContext, RouteRequest } from "../../core/routes/route.ts";
import { stream } from "../../plugins/dashboard/stream.ts";
import type { EventMessage, StateMessage } from "../../protocol/index.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import { pubsubThatIs, servicesWith } from "../../tests/core/support/services.ts";
import { cyclic, isoTime, makeContracts, makeEngines, makeOrders, stateMessage } from "../market-data.ts";
import { EPOCH, makeEvents } from "../market-events.ts";

/** Events a second. */
export interface Load {
  readonly rate: number;
}

/** Since the question before. */
export interface Measured {
  readonly url: string;
  readonly seconds: number;
  readonly processorMs: number;
  readonly residentBytes: number;
}

const BUFFERED = 10_000;
const FRAME_MS = 10;
const snapshot = new Snapshot();
const events = new EventBuffer(BUFFERED);
const services = servicesWith({ snapshot, events, pubsub: pubsubThatIs("connected", ["Market.View"]) });
const streams = new RouteStreams({
  mostForOne: () => 1_000,
  ending: new AbortController().signal,
  tokenChanges: () => 0,
  now: () => Date.now(),
  log: logger("bench"),
});

async function answer(request: Request): Promise<Response> {
  const stop = new AbortController();
  const route = { url: new URL(request.url), headers: request.headers } as RouteRequest;
  const given = stream(route, { ...services, signal: stop.signal } as unknown as RouteContext);
  const body = await routeBody(given);
  if (body.kind !== "parts") throw new Error("the stream has ended at once");
  const readable = streams.begin({
    name: "stream",
    client: "bench",
    body,
    isEvents: true,
    abort: () => stop.abort(),
    onEnd: () => {},
    gone: request.signal,
    isAllowed: () => true,
    endsAt: null,
  });
  return new Response(readable, { headers: given.headers });
}

const server = Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 0, fetch: answer });
const url = `http://127.0.0.1:${server.port}/dashboard/stream`;
let before = { at: performance.now(), processor: process.cpuUsage() };

process.on("message", (question: Load | "measure") => {
  if (question !== "measure") begin(question.rate);
  process.send?.(measure());
});
process.on("disconnect", () => process.exit(0));

function measure(): Measured {
  const { user, system } = process.cpuUsage(before.processor);
  const seconds = (performance.now() - before.at) / 1_000;
  before = { at: performance.now(), processor: process.cpuUsage() };
  return { url, seconds, processorMs: (user + system) / 1_000, residentBytes: process.memoryUsage.rss() };
}

/** Frames of events, each with the state that it makes, as the connection to an engine brings them. */
function begin(rate: number): void {
  const engines = makeEngines(makeOrders(1_000));
  const states: StateMessage[] = [
    ...makeContracts().map((contract) => stateMessage("CONTRACT", contract)),
    ...engines.map((engine) => stateMessage("ENGINE", engine)),
  ];
  snapshot.replaceAll(states, isoTime(0));
  events.begin(EPOCH, EPOCH);
  const made = makeEvents(20_000);
  const started = performance.now();
  let sent = 0;
  setInterval(() => {
    const due = (performance.now() - started) / 1_000 * rate;
    for (; sent < due; sent++) publish(cyclic(made, sent), sent);
  }, FRAME_MS);
}

function publish({ type, time, data }: EventMessage, index: number): void {
  const sequence = EPOCH + index + 1;
  let book: ModuleData<"ENGINE"> | null = null;
  if (type === "change.book") {
    const known = snapshot.get("ENGINE", data["engineId"] as string)!;
    book = { ...known, bestBid: 4_000 + index % 1_000, tradedQuantity: index, lastUpdate: time };
    snapshot.apply(stateMessage("ENGINE", book), time);
  }
  // A copy, because an engine sends each event once.
  events.push({ kind: "event", sequence, type, time, data: { ...data } }, book);
}
