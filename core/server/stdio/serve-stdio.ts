// MCP over stdin and stdout. stdout carries protocol messages only.
//
// A client that was already answered (core/start/) hands over its stdin: the SDK's server first reads the requests that
// changed its state, and its answers to them are dropped; then it reads every line that was not answered.

import { EventEmitter } from "node:events";
import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage, McpServerFactory } from "@modelcontextprotocol/server";
import { serveStdio as serve, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Logger } from "../../../common/logger.ts";
import { EarlyClient, type LineTaker, type StdinReader } from "../../start/early-client.ts";
import type { EarlyOutput } from "../../start/early-output.ts";
import type { StartedClient } from "../../start/start-on-stdio.ts";
import { checkRevisions } from "./stdio-revisions.ts";
import { StdioSubscriptions, type StdioSubscriptionsOptions } from "./stdio-subscriptions.ts";

interface StdioServer {
  /** Resolves when the client closes stdin. */
  readonly ended: Promise<void>;
  /** Ends subscriptions and closes the connection. Waits UNREAD_MS for a client that doesn't read. */
  stop(): Promise<void>;
}

/** The client that was already answered. */
interface AnsweredClient extends Pick<StartedClient, "client" | "answers"> {
  readonly output: Pick<EarlyOutput, "handOver">;
}

export interface StdioOptions {
  readonly started?: AnsweredClient | undefined;
  /** Read if there is no such client. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  readonly stdout?: Writable;
}

/** A client that reads has read its last answers after this time. */
const UNREAD_MS = 2_000;
const ANSWERS_NOTHING: LineTaker = { take: () => "waits" };

export function serveStdio(
  factory: McpServerFactory,
  offers: StdioSubscriptionsOptions["offers"],
  log: Logger,
  { started, stdin, stdout = process.stdout }: StdioOptions = {},
): StdioServer {
  const client = started?.client ?? new EarlyClient(ANSWERS_NOTHING, stdin ?? Bun.stdin.stream());
  const input = new HandedOverStdin();
  const transport = new ReplayingTransport(input as unknown as Readable, stdout);
  const subscriptions = new StdioSubscriptions({ offers, stdout, log });
  const handle = serve(subscriptions.serving(factory), {
    transport,
    onerror: (error) => log.warn("stdio: {error}", { error: error.message }),
  });
  subscriptions.watch(transport);
  checkRevisions(transport);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  // Also after the transport has closed itself, because nobody reads stdout any more.
  input.once("end", resolve);
  void (started === undefined ? Promise.resolve() : replayed(started, transport)).then(() => client.handOver(input));
  return {
    ended,
    async stop() {
      const closed = answersWritten(stdout).then(() => handle.close());
      await Promise.race([closed, Bun.sleep(UNREAD_MS)]);
    },
  };
}

/** Brings the SDK's server into the state in which it would be if it had answered the client. */
async function replayed({ answers, output }: AnsweredClient, transport: ReplayingTransport): Promise<void> {
  output.handOver();
  for (const message of answers.replayed) await transport.replay(message as JSONRPCMessage);
}

class ReplayingTransport extends StdioServerTransport {
  #dropAnswer: (() => void) | null = null;

  /** Gives the server a message that was already answered. Resolves when it has answered, too; nothing is sent. */
  async replay(message: JSONRPCMessage): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#dropAnswer = resolve;
    this.onmessage?.(message);
    await promise;
    this.#dropAnswer = null;
  }

  override send(message: JSONRPCMessage): Promise<void> {
    if (this.#dropAnswer === null) return super.send(message);
    if ("result" in message || "error" in message) this.#dropAnswer();
    return Promise.resolve();
  }
}

/** What StdioServerTransport uses of a stream. */
class HandedOverStdin extends EventEmitter implements StdinReader {
  readonly readableEnded = false;
  readonly destroyed = false;

  data(chunk: Buffer): void {
    this.emit("data", chunk);
  }

  error(error: Error): void {
    this.emit("error", error);
  }

  end(): void {
    this.emit("end");
  }

  pause(): this {
    return this;
  }
}

/** Waits for the answer of a call that has just ended, which the server writes to stdout a few tasks later. */
async function answersWritten(stdout: Writable): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  await new Promise((resolve) => stdout.write("", resolve));
}
