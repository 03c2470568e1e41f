// `mkt` in this process: the runtime with the built-in packs, served as `mkt` serves it, over streams in memory in place of
// stdin and stdout, or over HTTP on a free port. The clients are the official ones. What a test starts ends with it.
//
// For what mkt answers. Tests about the process itself (signals, the early start, packaging) use executable.ts.

import { PassThrough } from "node:stream";
import { type JSONRPCMessage, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { logger } from "../../common/logger.ts";
import { beginConnecting } from "../../core/backend/auto-connect.ts";
import { connectToOneEngine } from "../../core/backend/same-engine.ts";
import { readConfiguration } from "../../core/config/environment.ts";
import { createRuntime, type Runtime } from "../../core/runtime.ts";
import { serveHttp } from "../../core/server/http.ts";
import { mcpServerFactory } from "../../core/server/sdk/mcp-server.ts";
import { serveStdio } from "../../core/server/stdio/serve-stdio.ts";
import { PROGRAM } from "../plugins/support/packs.ts";
import { atEnd } from "./at-end.ts";
import type { StdioAnswer } from "./stdio-server.ts";
import { until } from "./until.ts";
import {
  connectV1,
  connectV2,
  type Era,
  type Generation,
  type PersonAtClient,
  type TestClient,
} from "./official-client.ts";

export interface ClientOptions {
  readonly generation?: Generation;
  /** Only clients of generation v2 know the modern era, which is theirs by default. */
  readonly era?: Era;
  readonly person?: PersonAtClient;
}

/** A client over streams with an mkt of its own in this process. */
export async function clientHere(env: Record<string, string>, options: ClientOptions = {}): Promise<TestClient> {
  return await clientOn(await lineTransport(env), options);
}

async function clientOn(
  transport: LineTransport | HttpV1 | HttpV2,
  { generation = "v2", era = "modern", person }: ClientOptions = {},
): Promise<TestClient> {
  return generation === "v2"
    ? await connectV2(transport as HttpV2, person, era)
    : await connectV1(transport as HttpV1, person);
}

export interface HttpServerHere {
  readonly url: string;
  readonly runtime: Runtime;
  client(options?: ClientOptions & { readonly token?: string }): Promise<TestClient>;
  stop(): Promise<void>;
}

/** An mkt over HTTP in this process. */
export async function httpServerHere(env: Record<string, string>): Promise<HttpServerHere> {
  const { runtime, endConnecting } = await runtimeHere({ MCP_HTTP_PORT: "0", ...env });
  const { configuration: { http }, dispatcher, offers, metrics, tokens } = runtime;
  if (http === null || metrics === null) throw new Error("no HTTP is configured");
  const factory = mcpServerFactory(dispatcher, offers);
  const server = serveHttp({ configuration: http, dispatcher, factory, offers, metrics, tokens });
  const stop = onlyOnce(async () => {
    endConnecting();
    await server.stop();
    await runtime.close();
  });
  atEnd(stop);
  return {
    url: server.url,
    runtime,
    stop,
    client({ token, ...options } = {}) {
      const requestInit = token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } };
      const Http = options.generation === "v1" ? HttpV1 : HttpV2;
      return clientOn(new Http(new URL("/mcp", server.url), { requestInit }), options);
    },
  };
}

/** A new mkt in this process, which serves the client at the other end of this transport. */
export async function lineTransport(env: Record<string, string>): Promise<LineTransport> {
  const { stdin, stdout, stop } = await streamsHere(env);
  return new LineTransport(stdin, stdout, stop);
}

/** The same, for tests that send what no official client would. */
export async function rawServerHere(env: Record<string, string>) {
  const { stdin, stdout, ended } = await streamsHere(env);
  const output = { stdout: "" };
  stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  const answerIn = (id: number): StdioAnswer | undefined =>
    output.stdout.split("\n").slice(0, -1).map((line) => JSON.parse(line)).find((each) => each.id === id);
  return {
    output,
    /** Sends messages, each a text or an object. */
    send(...messages: readonly (string | object)[]): void {
      for (const message of messages) {
        stdin.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
      }
    },
    /** The answer to the request with this id. */
    answer: (id: number): Promise<StdioAnswer> => until(() => answerIn(id)!, `an answer to request ${id}`),
    /** Closes stdin, and waits for the end. */
    async end(): Promise<void> {
      stdin.end();
      await ended;
    },
  };
}

async function streamsHere(env: Record<string, string>) {
  const { runtime, endConnecting } = await runtimeHere(env);
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const factory = mcpServerFactory(runtime.dispatcher, runtime.offers);
  const server = serveStdio(factory, runtime.offers, logger("stdio"), { stdin, stdout });
  const stop = onlyOnce(async () => {
    endConnecting();
    await server.stop();
    stdin.end();
    await runtime.close();
  });
  atEnd(stop);
  return { stdin, stdout, stop, ended: server.ended.then(stop) };
}

async function runtimeHere(env: Record<string, string>) {
  const read = readConfiguration(env);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  const { configuration } = read;
  const runtime = await createRuntime(configuration, PROGRAM, env);
  const { services } = runtime;
  const { userId, autoConnect } = configuration.backend;
  const connecting = new AbortController();
  if (services.replicas !== null) {
    await services.replicas.start(autoConnect ? userId : null);
  } else if (autoConnect) {
    const connect = (signal: AbortSignal) => connectToOneEngine(services, userId, signal);
    await beginConnecting({ pubsub: services.pubsub, connect, signal: connecting.signal, log: logger("serve") });
  }
  return { runtime, endConnecting: () => connecting.abort() };
}

function onlyOnce(stop: () => Promise<void>): () => Promise<void> {
  let stopped: Promise<void> | null = null;
  return () => (stopped ??= stop());
}

/** A client's end of two streams that carry a message a line. Fits the clients of both generations. */
export class LineTransport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  #rest = "";

  /** `stopServer` ends the server, as a signal ends a process. */
  constructor(
    private readonly input: PassThrough,
    private readonly output: PassThrough,
    readonly stopServer: () => Promise<void>,
  ) {}

  start(): Promise<void> {
    this.output.setEncoding("utf8").on("data", (text: string) => this.#take(text));
    return Promise.resolve();
  }

  /** In a task of its own, as from a pipe: otherwise a client that only calls and waits would keep sockets from being read. */
  async send(message: object): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (!this.input.writableEnded) this.input.write(`${JSON.stringify(message)}\n`);
  }

  /** The server notices the end of its input, and ends. */
  close(): Promise<void> {
    this.input.end();
    this.output.removeAllListeners("data");
    this.onclose?.();
    return Promise.resolve();
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.onmessage?.(JSON.parse(line));
  }
}
