// An OpenEnv server with the small scenario, and clients of it that send one message at a time.

import { type OpenEnvServer, serveOpenEnv } from "../../../arena/openenv/serve-openenv.ts";
import type { Scenario } from "../../../arena/scenario/scenario.ts";
import { atEnd } from "../../support/at-end.ts";
import { PROGRAM } from "../../plugins/support/packs.ts";
import { SMALL } from "../small-scenario.ts";

type Options = Parameters<typeof serveOpenEnv>[0];

/** It ends with the test file. A thread takes a second of processor time. */
export async function openEnvServer(changes: Partial<Options> = {}): Promise<OpenEnvServer> {
  const server = await serveOpenEnv({
    scenarios: [SMALL],
    host: "127.0.0.1",
    port: 0,
    maxSessions: 4,
    mode: "simulation",
    rewards: "steps",
    version: PROGRAM.version,
    threads: 1,
    ...changes,
  });
  atEnd(() => server.stop());
  return server;
}

/** A scenario whose market has no such user, which shows only when it begins. */
export const BROKEN: Scenario = { ...SMALL, name: "broken", userId: "nobody" };

// deno-lint-ignore no-explicit-any
export type Json = any;

export class SocketClient {
  readonly closed: Promise<CloseEvent>;
  readonly #received: string[] = [];
  #more = Promise.withResolvers<void>();

  private constructor(private readonly socket: WebSocket) {
    this.closed = new Promise((resolve) => socket.addEventListener("close", resolve));
    socket.addEventListener("message", ({ data }) => {
      this.#received.push(String(data));
      this.#more.resolve();
    });
    socket.addEventListener("close", () => this.#more.resolve());
  }

  static async open(url: string, path = "/ws"): Promise<SocketClient> {
    const socket = new WebSocket(`${url.replace(/^http/, "ws")}${path}`);
    const client = new SocketClient(socket);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", reject);
    });
    return client;
  }

  /** The next message; undefined if the connection has ended. */
  async next(): Promise<Json> {
    while (this.#received.length === 0 && this.socket.readyState === WebSocket.OPEN) {
      await this.#more.promise;
      this.#more = Promise.withResolvers();
    }
    const text = this.#received.shift();
    return text === undefined ? undefined : JSON.parse(text);
  }

  send(message: unknown): void {
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  async ask(message: unknown): Promise<Json> {
    this.send(message);
    return await this.next();
  }

  async reset(data: object = { seed: 7 }): Promise<Json> {
    return await this.ask({ type: "reset", data });
  }

  async call(tool: string, input: object = {}): Promise<Json> {
    const action = { type: "call_tool", tool_name: tool, arguments: input };
    return await this.ask({ type: "step", data: action });
  }

  close(): void {
    this.socket.close();
  }
}

/** The body of the answer with its status. */
export async function post(url: string, body: unknown): Promise<Json> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(url, { method: "POST", body: text, headers: { "Content-Type": "application/json" } });
  return { status: response.status, ...(await response.json() as object) };
}

export async function get(url: string): Promise<Json> {
  const response = await fetch(url);
  return { status: response.status, ...(await response.json() as object) };
}
