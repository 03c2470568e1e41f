// Starts the market and servers, each as a process of its own on loopback, fills the market, and makes sure that all servers
// give the same data. Then the market is quiet.

import { deepStrictEqual } from "node:assert";
import { untilTheyAgree } from "./agreement.ts";
import { Connection } from "./connection.ts";
import { CONNECTIONS, type Prepared } from "./load.ts";
import { callsOf, type Form, LIST_TOOLS, type Message, messageIn, requestOf, USUAL } from "./messages.ts";
import { fillMarket } from "./orders.ts";
import type { Side } from "./rounds.ts";
import { type ServerProcess, type Spawn, startServer } from "./server-process.ts";
import { echoesAnswer, environmentOf, MARKET, PROGRAMS, type ServerName, SERVERS } from "./servers.ts";

/** The measured requests by name. */
export type Cases = Readonly<Record<string, Message>>;

export interface RunningServer {
  readonly name: ServerName;
  readonly process: ServerProcess;
  readonly connections: readonly [Connection, ...Connection[]];
}

interface PreparedCase extends Prepared {
  /** Throws unless the server still gives the same answer as at first. */
  readonly check: () => Promise<void>;
}

export class Fleet {
  private constructor(
    readonly cases: Cases,
    private readonly servers: readonly RunningServer[],
    private readonly endProcesses: () => Promise<void>,
  ) {}

  /** `folder` gets mkt's call log. */
  static async start(spawn: Spawn, folder: string, names: readonly ServerName[] = SERVERS): Promise<Fleet> {
    const started: ServerProcess[] = [];
    const endAll = async () => void await Promise.all(started.map((process) => process.end()));
    const start = async (program: readonly string[], env: Record<string, string>) => {
      const process = await startServer(spawn, program, env);
      started.push(process);
      return process;
    };
    try {
      const { url } = await start(MARKET, {});
      const servers: RunningServer[] = [];
      for (const name of names) {
        const process = await start(PROGRAMS[name], environmentOf(name, url, folder));
        servers.push({ name, process, connections: await openConnections(process.url) });
      }
      const market = await fillMarket(url);
      const cases = { ...callsOf(market), "tools/list": LIST_TOOLS };
      await untilTheyAgree(cases, servers);
      return new Fleet(cases, servers, async () => {
        market.close();
        await endAll();
      });
    } catch (error) {
      await endAll();
      throw error;
    }
  }

  /** Ends all processes. */
  async end(): Promise<void> {
    for (const { connections } of this.servers) for (const connection of connections) connection.close();
    await this.endProcesses();
  }

  server(name: ServerName): RunningServer {
    const server = this.servers.find((each) => each.name === name);
    if (server === undefined) throw new Error(`${name} was not started`);
    return server;
  }

  /** A server with the requests of these cases. */
  async side(name: ServerName, cases: readonly string[], form = USUAL): Promise<Side> {
    const { process, connections } = this.server(name);
    const ready = async () => void await Promise.all(connections.map((connection) => connection.reopen()));
    await ready();
    const prepared: PreparedCase[] = [];
    for (const each of cases) prepared.push(await this.#prepared(this.server(name), each, form));
    return {
      connections,
      usage: process.usage,
      requests: prepared,
      check: async () => {
        await ready();
        for (const { check } of prepared) await check();
      },
    };
  }

  /** The JSON-RPC message that mkt answers with. */
  async #answerTo(message: Message): Promise<string> {
    const { process: { url }, connections: [connection] } = this.server("mkt");
    return JSON.stringify(messageIn((await connection.ask(requestOf(url, message, USUAL))).body));
  }

  async #prepared(
    { name, process: { url }, connections: [connection] }: RunningServer,
    caseName: string,
    form: Form,
  ): Promise<PreparedCase> {
    const message = this.cases[caseName];
    if (message === undefined) throw new Error(`there is no case ${caseName}`);
    const bytes = requestOf(url, message, form, echoesAnswer(name) ? await this.#answerTo(message) : undefined);
    const right = await connection.ask(bytes);
    if (right.status !== 200) throw new Error(`${name} answers ${caseName} with ${right.status}: ${right.body}`);
    const check = async () => deepStrictEqual(await connection.ask(bytes), right);
    return { bytes, answerBytes: right.bodyBytes, check };
  }
}

async function openConnections(url: string): Promise<RunningServer["connections"]> {
  const [first, ...others] = await Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(url)));
  if (first === undefined) throw new Error("no connections");
  return [first, ...others];
}
