// Makes sure that mkt and its peers answer with the same data before anything is measured, and that the answers are full.

import { deepStrictEqual } from "node:assert";
import type { Cases, RunningServer } from "./fleet.ts";
import { bodyOf, type Message, messageIn, requestOf, USUAL } from "./messages.ts";
import { ORDER_EVENTS } from "./orders.ts";
import { isEcho } from "./servers.ts";

const LIMIT_MS = 20_000;
const PAUSE_MS = 20;

interface Answered {
  readonly structuredContent?: Record<string, unknown>;
  readonly content?: readonly { readonly text: string }[];
  readonly tools?: readonly { readonly name: string }[];
}

/** The first server is the one that the others must agree with. */
type Servers = readonly RunningServer[];

/** Servers get the last events of the market a moment after the orders are confirmed, so this may take a few attempts. */
export async function untilTheyAgree(cases: Cases, servers: Servers): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    try {
      for (const message of Object.values(cases)) await checkAgreement(message, servers);
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await Bun.sleep(PAUSE_MS);
    }
  }
}

async function checkAgreement(message: Message, servers: Servers): Promise<void> {
  const [first, ...others] = servers;
  if (first === undefined) return;
  const expected = dataIn(await bodyFrom(first, message));
  checkFull(message, expected);
  for (const server of others) {
    const body = await bodyFrom(server, message);
    if (isEcho(server.name)) deepStrictEqual(body, bodyOf(message, USUAL));
    else deepStrictEqual(dataIn(body), expected, `${server.name} answers with other data than ${first.name}`);
  }
}

async function bodyFrom({ process, connections: [connection] }: RunningServer, message: Message): Promise<string> {
  return (await connection.ask(requestOf(process.url, message, USUAL))).body;
}

/** The data of a tool call, or the names of the listed tools, whose schemas each server publishes in its own way. */
function dataIn(body: string): unknown {
  const { structuredContent, content, tools } = messageIn(body).result as Answered ?? {};
  if (tools !== undefined) return tools.map(({ name }) => name);
  deepStrictEqual(JSON.parse(content?.[0]?.text ?? "null"), structuredContent);
  return structuredContent;
}

/** Fields of a full answer, and how many items they have at least. */
const FULL: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  mkt_get_order: {},
  mkt_get_order_book: { bids: 5, asks: 5 },
  mkt_watch_orders: { events: 10 },
  mkt_list_orders: { orders: 10 },
};

function checkFull({ params }: Message, data: unknown): void {
  if (params === undefined) return;
  if (params.name === "mkt_watch_orders") checkEvents(data as { readonly totalOrderEvents: number });
  const full = FULL[params.name];
  if (full === undefined) throw new Error(`it is not declared what a full answer of ${params.name} is`);
  for (const [field, least] of Object.entries(full)) {
    const items = (data as Record<string, unknown[]>)[field];
    if ((items?.length ?? 0) < least) throw new Error(`${params.name} has fewer than ${least} ${field}`);
  }
}

/** The events of one trade come together, so a server that has all order events has all events. */
function checkEvents({ totalOrderEvents }: { readonly totalOrderEvents: number }): void {
  if (totalOrderEvents !== ORDER_EVENTS) {
    throw new Error(`${totalOrderEvents} of ${ORDER_EVENTS} order events are there`);
  }
}
