// Every tool, resource, prompt and completion is asked for, and cancelled at each of its waits in turn: for an answer of the
// backend, the audit trail or the simulator, for the connection, for the response to a request, and for an event.

import { expect, test } from "bun:test";
import { ToolCatalogue } from "../../core/dispatch/catalogue.ts";
import { Dispatcher } from "../../core/dispatch/dispatcher.ts";
import { offersOf } from "../../core/dispatch/offers.ts";
import type { PackRequest } from "../../core/dispatch/pack-requests.ts";
import type { RequestOptions } from "../../core/backend/pubsub.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { marketDefinition } from "../../engine/definition/market-definition.ts";
import { PERMISSIONS } from "../../protocol/index.ts";
import { TOOL_EXAMPLES } from "../../scripts/tool-examples.ts";
import { MarketInProcess } from "../core/support/market-in-process.ts";
import { configurationFor, servicesWith } from "../core/support/services.ts";
import { isSettled } from "../support/still-clock.ts";
import { until } from "../support/until.ts";
import { BASE, MARKET, SECRET } from "./support/market.ts";
import { PACKS, TOOLS } from "./support/packs.ts";

const ORDER = { contractId: BASE, price: 4500, timeInForce: "gtc" } as const;
const IDS = Object.entries({
  "NORTH-DA-HOUR-2026-11-24-H18": BASE,
  "NORTH-DA-HOUR": "base",
  "RIVERBEND": "alpha",
  "HEARTLAND": "beta",
  "operator": "zoe",
  "ORD-17": "ORD-1",
  "FIL-3": "FIL-1",
});
const ARGUMENTS = { contractId: BASE, orderId: "ORD-1", entityId: "alpha", counterpartyId: "beta", userId: "olga" };

type Begin = (dispatcher: Dispatcher, signal: AbortSignal) => unknown;
type Call = readonly [name: string, begin: Begin];

function toolCall(name: string): Call {
  const example = JSON.stringify(TOOL_EXAMPLES[name] ?? {});
  const input: unknown = JSON.parse(IDS.reduce((text, [id, own]) => text.replaceAll(`"${id}"`, `"${own}"`), example));
  return [name, (dispatcher, signal) => dispatcher.begin(name, input, { signal })];
}

function packCall(request: PackRequest, handle: (context: ToolContext) => unknown): Call {
  const begin: Begin = (dispatcher, signal) => offersOf(PACKS, dispatcher).requests.run(request, { signal }, handle);
  return [`${request.kind} ${request.name}`, begin];
}

/** All but the end of the connection, which has no signal, and pages, which are files. */
const CALLS: Call[] = [
  ...TOOLS.filter(({ name }) => name !== "mkt_disconnect_pubsub").map(({ name }) => toolCall(name)),
  ...PACKS.flatMap(({ resources, prompts }) => [
    ...resources.filter(({ uri }) => uri.startsWith("mkt:")).map(({ name, read }) =>
      packCall({ kind: "resource", name }, (context) => read(ARGUMENTS, context))
    ),
    ...prompts.map(({ name, messages }) =>
      packCall({ kind: "prompt", name }, (context) => messages(ARGUMENTS, context))
    ),
    ...[
      ...resources.map(({ name, parameters = {} }) => [name, Object.entries(parameters)] as const),
      ...prompts.map(({ name, arguments: given = {} }) =>
        [name, Object.entries(given).map(([argument, { complete }]) => [argument, complete] as const)] as const
      ),
    ].flatMap(([name, completions]) =>
      completions.map(([argument, complete]) =>
        packCall({ kind: "completion", name: `${name} ${argument}` }, (context) => complete?.("", context, {}) ?? [])
      )
    ),
  ]),
];

/** The methods that a call waits for. */
const WAITED_FOR = new Set(
  "entities users positions orderBlocks health query orderEvents status spot start stop trigger connect request".split(
    " ",
  ),
);

/** What a call asks of others. The question with the number `last` is never answered: it only ends with its signal. */
class Questions {
  readonly asked: string[] = [];

  constructor(private readonly last: number) {}

  to<Service extends object>(service: Service): Service {
    return new Proxy(service, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        if (!WAITED_FOR.has(String(name))) return value.bind(target);
        return (...given: unknown[]): unknown => {
          this.asked.push(String(name));
          return this.asked.length < this.last ? Reflect.apply(value, target, given) : endedBy(signalIn(given));
        };
      },
    });
  }
}

const signalIn = (given: readonly unknown[]) =>
  given.map((each) => each instanceof AbortSignal ? each : (each as RequestOptions | undefined)?.signal)
    .find((each) => each instanceof AbortSignal);

const endedBy = (signal: AbortSignal | undefined) =>
  new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error)));

const DEFINITION = marketDefinition.parse({
  ...MARKET,
  users: [...MARKET.users, { id: "zoe", name: "Zoe", entityId: "alpha", permissions: PERMISSIONS }],
});
const [connected, disconnected] = [marketOf(), marketOf()];

function marketOf(): MarketInProcess {
  const market = new MarketInProcess(DEFINITION, SECRET);
  market.execute("alice", "order.submit", { ...ORDER, clientOrderId: "a-1", side: 0, quantity: 3 });
  market.execute("bob", "order.submit", { ...ORDER, clientOrderId: "b-1", side: 1, quantity: 2 });
  // Nobody has granted her credit, so the order crosses the book and rests.
  market.execute("greta", "order.submit", { ...ORDER, clientOrderId: "g-1", side: 1, quantity: 1 });
  return market;
}

/** Cancels the call at its question with the number `at`, or if it waits for an event. Null: it ends before. */
async function cancelledAt(at: number, market: MarketInProcess, begin: Begin): Promise<string | null> {
  const questions = new Questions(at);
  const { pubsub, backend, audit, simulator, ...read } = market.services;
  const services = servicesWith({
    ...read,
    ...{ pubsub: questions.to(pubsub), backend: questions.to(backend) },
    ...{ audit: questions.to(audit), simulator: questions.to(simulator) },
    configuration: configurationFor({ MKT_USER_ID: "zoe", STRESS_TEST_SECRET: SECRET }),
    now: () => market.marketTime(),
  });
  const dispatcher = new Dispatcher(new ToolCatalogue(TOOLS), services);
  const { running } = dispatcher;
  const client = new AbortController();
  let hasEnded = false;
  const call = Promise.resolve(begin(dispatcher, client.signal)).catch(() => {}).finally(() => void (hasEnded = true));
  await until(() => hasEnded || running.waits.count > 0 || questions.asked.length >= at, "the call to end or to wait");
  if (hasEnded || await isSettled(call)) return null;
  const what = running.waits.count > 0 ? "event" : questions.asked.at(-1) ?? "";
  client.abort(new Error("the client went away"));
  expect([what, await isSettled(call), running.count]).toEqual([what, true, 0]);
  return what;
}

const seen = new Set<string>();

test.each(CALLS)("%s ends if it is cancelled, whatever it waits for, and frees its place", async (_name, begin) => {
  await connected.connect("zoe");
  await disconnected.disconnect();
  for (const market of [connected, disconnected]) {
    for (let at = 1, what: string | null = ""; what !== null && what !== "event"; at += 1) {
      what = await cancelledAt(at, market, begin);
      if (what !== null) seen.add(what);
    }
  }
});

test("a call of each kind was cancelled", () =>
  expect([...seen].toSorted()).toEqual([...WAITED_FOR, "event"].toSorted()));
