// Makes sure that mkt and its peers answer with the same data before anything is measured, and that the answers are full.

import { deepStrictEqual } from "node:assert";
import { isEcho, type RunningServers, type ServerName } from "./fleet.ts";
import { bodyOf, type Message, messageIn, requestOf, USUAL } from "./messages.ts";

const LIMIT_MS = 20_000;
const PAUSE_MS = 20;

interface Answered {
  readonly structuredContent?: Record<string, unknown>;
  readonly content?: readonly { readonly text: string }[];
  readonly tools?: readonly { readonly name: string }[];
}

type Ask = (server: ServerName, message: Message) => Promise<string>;

/** Servers get the last events of the market a moment after the orders are confirmed, so this may take a few attempts. */
export async function untilTheyAgree(fleet: RunningServers): Promise<void> {
  const ask: Ask = async (server, message) => {
    const connection = fleet.connections[server][0]!;
    return (await connection.ask(requestOf(fleet.processes[server].url, message, USUAL))).body;
  };
  const servers = Object.keys(fleet.processes) as ServerName[];
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    try {
      for (const message of Object.values(fleet.cases)) await checkAgreement(servers, message, ask);
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await Bun.sleep(PAUSE_MS);
    }
  }
}

async function checkAgreement(servers: readonly ServerName[], message: Message, ask: Ask): Promise<void> {
  const expected = dataIn(await ask("mkt", message));
  checkFull(message, expected);
  for (const server of servers) {
    const body = await ask(server, message);
    if (isEcho(server)) deepStrictEqual(body, bodyOf(message, USUAL));
    else deepStrictEqual(dataIn(body), expected, `${server} answers with other data than mkt`);
  }
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
  const full = FULL[params.name];
  if (full === undefined) throw new Error(`it is not declared what a full answer of ${params.name} is`);
  for (const [field, least] of Object.entries(full)) {
    const items = (data as Record<string, unknown[]>)[field];
    if ((items?.length ?? 0) < least) throw new Error(`${params.name} has fewer than ${least} ${field}`);
  }
}
