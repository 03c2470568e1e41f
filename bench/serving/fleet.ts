// Starts the market, mkt and its peers, each as a process of its own on loopback, fills the market, and makes sure that all of
// them give the same data. Then the market is quiet.
//
// mkt is main.ts itself, as `bun main.ts` starts it: over HTTP with a token, a call log, metrics, and connected to the market.

import { deepStrictEqual } from "node:assert";
import { join } from "node:path";
import { untilTheyAgree } from "./agreement.ts";
import { Connection } from "./connection.ts";
import { CONNECTIONS, type Prepared } from "./load.ts";
import { callsOf, type Form, LIST_TOOLS, type Message, requestOf, TOKEN, USUAL } from "./messages.ts";
import { fillMarket } from "./orders.ts";
import type { Side } from "./rounds.ts";
import { type ServerProcess, type Spawn, startServer } from "./server-process.ts";

const MAIN = join(import.meta.dir, "../../main.ts");
const peer = (name: string) => join(import.meta.dir, `peers/${name}.ts`);

const PROGRAMS = {
  mkt: [MAIN],
  SDK: [peer("sdk")],
  "SDK, schemas kept": [peer("sdk"), "kept"],
  tmcp: [peer("tmcp")],
  "hono echo": [peer("echo"), "text"],
  "hono echo, JSON": [peer("echo"), "json"],
} as const satisfies Record<string, readonly string[]>;

export type ServerName = keyof typeof PROGRAMS;
export const SERVERS = Object.keys(PROGRAMS) as ServerName[];

/** The servers that a case is measured on. Kept schemas only matter for a list of tools. */
export function serversOf(name: string): readonly ServerName[] {
  return name === "tools/list" ? SERVERS : SERVERS.filter((server) => server !== "SDK, schemas kept");
}

export function isEcho(server: ServerName): boolean {
  return server.startsWith("hono echo");
}

/** The measured requests by name. */
export type Cases = Readonly<Record<string, Message>>;

export interface RunningServers {
  readonly cases: Cases;
  readonly processes: Readonly<Record<ServerName, ServerProcess>>;
  readonly connections: Readonly<Record<ServerName, readonly Connection[]>>;
}

export interface Fleet extends RunningServers {
  /** A server with the requests of these cases. */
  readonly side: (server: ServerName, cases: readonly string[], form?: Form) => Promise<Side>;
  readonly end: () => Promise<void>;
}

/** `folder` gets the call log. */
export async function startFleet(
  spawn: Spawn,
  folder: string,
  names: readonly ServerName[] = SERVERS,
): Promise<Fleet> {
  const started: ServerProcess[] = [];
  const start = async (program: readonly string[], env: Record<string, string> = {}) => {
    const server = await startServer(spawn, program, env);
    started.push(server);
    return server;
  };
  const endAll = async () => void await Promise.all(started.map((server) => server.end()));
  try {
    const market = await start([join(import.meta.dir, "market.ts")]);
    const env = environmentOf(market.url);
    const processes = {} as Record<ServerName, ServerProcess>;
    for (const name of names) {
      processes[name] = await start(PROGRAMS[name], name === "mkt" ? { ...env, ...serving(folder) } : env);
    }
    const cases: Cases = { ...callsOf(await fillMarket(market.url)), "tools/list": LIST_TOOLS };
    const connections = {} as Record<ServerName, Connection[]>;
    for (const name of names) connections[name] = await openConnections(processes[name].url);
    const running: RunningServers = { cases, processes, connections };
    await untilTheyAgree(running);
    return {
      ...running,
      side: (server, named, form = USUAL) => sideOf(running, server, named, form),
      async end() {
        for (const connection of Object.values(connections).flat()) connection.close();
        await endAll();
      },
    };
  } catch (error) {
    await endAll();
    throw error;
  }
}

/** mkt's environment without a transport; peers build the context of their tools from it. */
function environmentOf(market: string): Record<string, string> {
  return {
    MKT_HOST: new URL(market).host,
    MKT_BASE_URL: market,
    MKT_USER_ID: "meridian-trader-1",
    MKT_AUDIT_STORE: "backend",
    MCP_BEARER_TOKEN: TOKEN,
  };
}

function serving(folder: string): Record<string, string> {
  return { MCP_HTTP_PORT: "0", MKT_AUTO_CONNECT: "1", MKT_CALL_LOG: join(folder, "calls.jsonl") };
}

function openConnections(url: string): Promise<Connection[]> {
  return Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(url)));
}

async function sideOf(
  { cases, processes, connections }: RunningServers,
  server: ServerName,
  named: readonly string[],
  form: Form,
): Promise<Side> {
  const { url, usage } = processes[server];
  const all = connections[server];
  const [connection] = all;
  if (connection === undefined) throw new Error(`${server} has no connection`);
  const reopenAll = () => Promise.all(all.map((each) => each.reopen()));
  await reopenAll();
  const requests: Prepared[] = [];
  const checks: (() => Promise<void>)[] = [];
  for (const name of named) {
    const bytes = requestOf(url, cases[name]!, form);
    const right = await connection.ask(bytes);
    if (right.status !== 200) throw new Error(`${server} answers ${name} with ${right.status}: ${right.body}`);
    requests.push({ bytes, answerBytes: right.bodyBytes });
    checks.push(async () => deepStrictEqual(await connection.ask(bytes), right));
  }
  return {
    connections: all,
    usage,
    requests,
    check: async () => {
      await reopenAll();
      for (const check of checks) await check();
    },
  };
}
