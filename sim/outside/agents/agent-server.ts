// Where agents connect: a port of this machine's loopback address, or a Unix socket. A run begins once all of its agents have
// said `hello`. Whoever says something else is told what is wrong, and may try again; it does not end the run.

import { lstatSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { SYSTEM_TIMERS } from "../../../common/timers.ts";
import { AgentFailure, type Hello, hello, messageFaults } from "./agent-messages.ts";
import type { AgentChannel } from "./agent-session.ts";
import { SocketChannel } from "./socket-channel.ts";

/** A port of loopback, 0 for a free one, or the path of a Unix socket. */
export type AgentAddress = { readonly port: number } | { readonly path: string };

export interface ConnectedAgent {
  readonly hello: Hello;
  readonly channel: AgentChannel;
}

interface AgentServerOptions {
  readonly address: AgentAddress;
  /** Number of agents of the run. */
  readonly count: number;
  /** How long to wait for each message of an agent, and for all agents to connect. */
  readonly timeoutMs: number;
  /** Why an agent can't take part; null if it can. */
  readonly faultOf: (hello: Hello) => string | null;
}

export class AgentServer {
  readonly #server: Server;
  readonly #channels = new Set<SocketChannel>();
  #agents: ConnectedAgent[] = [];
  #isFull = false;
  /** What was wrong with the server itself, and not with an agent; null: nothing. */
  #lastFault: string | null = null;
  readonly #complete = Promise.withResolvers<void>();

  constructor(private readonly options: AgentServerOptions) {
    this.#server = createServer((socket) => void this.#welcome(socket));
  }

  /** Listens, and returns where. Throws an Error of one line. */
  async listen(): Promise<string> {
    const { address } = this.options;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const where = "path" in address ? address.path : `127.0.0.1:${address.port}`;
    // Also after that: the system may refuse connections, as it does if too many files are open.
    this.#server.on("error", (error) => {
      this.#lastFault = error.message;
      reject(new Error(`--agent: can't listen on ${where}: ${error.message}`));
    });
    if ("path" in address && await isAbandoned(address.path)) rmSync(address.path);
    if ("path" in address) this.#server.listen(address.path, resolve);
    else this.#server.listen(address.port, "127.0.0.1", resolve);
    await promise;
    const bound = this.#server.address();
    return bound !== null && typeof bound === "object" ? `127.0.0.1:${bound.port}` : where;
  }

  /**
   * All agents of the run, by name, so the run does not depend on who connects first. Throws AgentFailure if they don't come
   * in time.
   */
  async agents(): Promise<readonly ConnectedAgent[]> {
    const { count, timeoutMs } = this.options;
    const endWait = SYSTEM_TIMERS.after(timeoutMs, () => {
      const came = `${this.#agents.length} of ${count} agents connected within ${timeoutMs / 1000} s`;
      this.#complete.reject(new AgentFailure(this.#lastFault === null ? came : `${came}: ${this.#lastFault}`));
    });
    try {
      await this.#complete.promise;
    } finally {
      endWait();
    }
    return this.#agents.toSorted((one, other) => one.hello.name < other.hello.name ? -1 : 1);
  }

  /** Before the run begins: ends the wait for agents. */
  giveUp(reason: string): void {
    this.#complete.reject(new AgentFailure(reason));
  }

  /** Ends the connections that are still up; `reason`: what their agents are told. */
  async close(reason: string): Promise<void> {
    this.#server.close();
    await Promise.all(
      [...this.#channels].filter(({ isOpen }) => isOpen).map((channel) => {
        channel.send({ type: "error", code: "failed", message: reason });
        return channel.close();
      }),
    );
  }

  async #welcome(socket: Socket): Promise<void> {
    const channel: SocketChannel = new SocketChannel(socket, this.options.timeoutMs, () => this.#left(channel));
    this.#channels.add(channel);
    try {
      const parsed = hello.safeParse(await channel.receive());
      const fault = parsed.success ? this.#faultOf(parsed.data) : messageFaults(parsed.error);
      if (fault !== null || !parsed.success) {
        const code = parsed.success ? "not_possible" : "invalid_message";
        return channel.refuse({ type: "error", code, message: fault ?? "" });
      }
      this.#agents.push({ hello: parsed.data, channel });
      if (this.#agents.length < this.options.count) return;
      this.#isFull = true;
      this.#complete.resolve();
    } catch (error) {
      if (!(error instanceof AgentFailure)) throw error;
      channel.refuse({ type: "error", code: "invalid_message", message: error.message });
    }
  }

  #faultOf(hello: Hello): string | null {
    if (this.#isFull) return "all agents of the run have connected";
    if (this.#agents.some((agent) => agent.hello.name === hello.name)) return `there is another agent ${hello.name}`;
    return this.options.faultOf(hello);
  }

  /** An agent that leaves before the run begins may be replaced. */
  #left(channel: SocketChannel): void {
    this.#channels.delete(channel);
    if (!this.#isFull) this.#agents = this.#agents.filter((agent) => agent.channel !== channel);
  }
}

/** Whether the path is a socket on which nobody listens, as a process leaves it that was killed. */
function isAbandoned(path: string): Promise<boolean> {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() !== true) return Promise.resolve(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(path);
  socket.once("connect", () => resolve(false));
  socket.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code === "ECONNREFUSED"));
  return promise.finally(() => socket.destroy());
}
