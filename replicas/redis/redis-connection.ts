// One connection to Redis over Bun's client, from its beginning to its end. bun-redis-link.ts makes the next one.
//
// Bun's client sets no time limit for a command, and hides why it can't connect. So this one is used without Bun's reconnects
// and without its queue of commands for later, and a command without an answer in time ends the connection: a late reply must
// not be taken for the reply to another command.
//
// Invariant: a connection takes commands only after Redis has answered PING and is known to be a single primary, of a version
// that has what the scripts need.

import { RedisClient } from "bun";
import { connectionFault } from "../../protocol/client/connection-fault.ts";
import { Deadlines } from "../../common/deadlines.ts";
import { RedisUnavailable } from "./redis-link.ts";
import { whyUnusable } from "./redis-probe.ts";
import { unusableServer } from "./redis-server-facts.ts";

const CONNECT_LIMIT_MS = 1500;
/** After a time limit: replies that have arrived meanwhile are read first, because this process may have been busy. */
const GRACE_MS = 20;

/** What Redis 7 adds to an error in a script. */
const SCRIPT_PLACE = /\.? script: [0-9a-f]{40}, on @user_script:\d+\.?$/;

/** Redis answers with these while it can't be used; it may be usable later, or be another server. */
const UNUSABLE = /^(LOADING|READONLY|MASTERDOWN|NOAUTH|WRONGPASS|UNKILLABLE|BUSY)\b/;

interface ConnectionOptions {
  readonly url: string;
  /** How long Redis may take to answer a command, in milliseconds. */
  readonly commandLimitMs: number;
  /** Called once, when the connection takes no more commands, with the reason. */
  readonly ended: (why: string) => void;
}

export class RedisConnection {
  readonly #client: RedisClient;
  readonly #options: ConnectionOptions;
  readonly #deadlines: Deadlines;
  #isOpen = true;

  private constructor(client: RedisClient, options: ConnectionOptions) {
    this.#client = client;
    this.#options = options;
    this.#deadlines = new Deadlines(options.commandLimitMs);
    client.onclose = () => this.end("the connection was closed");
  }

  /** Rejects with the reason if Redis can't be used. */
  static async open(options: ConnectionOptions): Promise<RedisConnection> {
    const { url, commandLimitMs } = options;
    let client: RedisClient | null = null;
    try {
      client = new RedisClient(url, {
        autoReconnect: false,
        enableOfflineQueue: false,
        connectionTimeout: CONNECT_LIMIT_MS,
      });
      const hello: unknown = await client.connect();
      await Promise.race([client.send("PING", []), limit("PING", commandLimitMs)]);
      const unusable = unusableServer(hello);
      if (unusable !== null) throw new Error(unusable);
      if (!client.connected) throw new Error("the connection was closed");
      return new RedisConnection(client, options);
    } catch (error) {
      client?.close();
      if (codeOf(error as Error) !== "ERR_REDIS_CONNECTION_CLOSED") throw error;
      // Bun says nothing but that the connection was closed.
      throw new Error(await whyUnusable(url, CONNECT_LIMIT_MS) ?? connectionFault(error), { cause: error });
    }
  }

  /** See RedisLink. */
  send(command: string, args: readonly string[]): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    let isWaiting = true;
    const wait = this.#deadlines.begin(() =>
      setTimeout(() => {
        if (!isWaiting) return;
        const what = noAnswer(command, this.#options.commandLimitMs);
        reject(new RedisUnavailable(`${what}; it may still carry it out`));
        this.end(what);
      }, GRACE_MS)
    );
    const answered = () => {
      isWaiting = false;
      this.#deadlines.end(wait);
    };
    this.#client.send(command, [...args]).then(
      (reply: unknown) => {
        answered();
        resolve(reply);
      },
      (error: Error) => {
        answered();
        reject(this.#failure(command, error));
      },
    );
    return promise;
  }

  /** Commands without an answer fail. */
  end(why: string): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#client.close();
    this.#options.ended(why);
  }

  #failure(command: string, error: Error): Error {
    error.message = error.message.replace(SCRIPT_PLACE, "");
    if (UNUSABLE.test(error.message)) {
      this.end(error.message);
      return new RedisUnavailable(`Redis can't be used now: ${error.message}`);
    }
    if (this.#isOpen && codeOf(error)?.startsWith("ERR_REDIS_CONNECTION") !== true) return error;
    this.end("the connection was closed");
    return new RedisUnavailable(
      `The connection to Redis was lost before it answered ${command}; it may still carry it out`,
    );
  }
}

async function limit(command: string, limitMs: number): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, limitMs).unref());
  throw new Error(noAnswer(command, limitMs));
}

function noAnswer(command: string, limitMs: number): string {
  return `Redis did not answer ${command} within ${limitMs} ms`;
}

function codeOf(error: Error): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
