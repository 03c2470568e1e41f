// The connection to Redis over Bun's client.
//
// Bun's client sets no time limit for a command, hides why it can't connect, and gives up after some attempts. So each
// connection here is a client of its own, without Bun's reconnects and without its queue of commands for later. A command
// without an answer in time ends its connection: a late reply must not be taken for the reply to another command. The next
// attempt follows after a pause that grows from FIRST_PAUSE_MS to MAX_PAUSE_MS, for ever.
//
// Invariant: a connection takes commands only after Redis has answered PING and is known to be a single primary, of a version
// that has what the scripts need. Commands reach Redis in the order in which they were sent, except for a script that Redis
// does not know yet.

import { createHash } from "node:crypto";
import { RedisClient } from "bun";
import { Deadlines } from "../../common/deadlines.ts";
import type { Logger } from "../../common/logger.ts";
import { shownAddress } from "./redis-address.ts";
import { type RedisLink, RedisUnavailable, type Script } from "./redis-link.ts";
import { whyUnusable } from "./redis-probe.ts";
import { unusableServer } from "./redis-server-facts.ts";

const COMMAND_LIMIT_MS = 1000;
const CONNECT_LIMIT_MS = 1500;
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1000;
/** After a time limit: replies that have arrived meanwhile are read first, because this process may have been busy. */
const GRACE_MS = 20;

/** What Redis 7 adds to an error in a script. */
const SCRIPT_PLACE = /\.? script: [0-9a-f]{40}, on @user_script:\d+\.?$/;

/** Redis answers with these while it can't be used; it may be usable later, or be another server. */
const UNUSABLE = /^(LOADING|READONLY|MASTERDOWN|NOAUTH|WRONGPASS|UNKILLABLE|BUSY)\b/;

export interface LinkOptions {
  readonly url: string;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** How long Redis may take to answer a command, in milliseconds. */
  readonly commandLimitMs?: number;
}

export class BunRedisLink implements RedisLink {
  readonly #url: string;
  readonly #log: Logger;
  readonly #now: () => number;
  readonly #limitMs: number;
  readonly #deadlines: Deadlines;
  readonly #shown: string;
  readonly #digests = new Map<Script, string>();
  readonly #upListeners = new Set<() => void>();
  readonly #downListeners = new Set<() => void>();
  /** The connection that takes commands. */
  #client: RedisClient | null = null;
  #lastError: string | null = null;
  #since: number;
  #isClosed = false;
  #wake: () => void = () => {};
  readonly #attempted = Promise.withResolvers<void>();

  constructor({ url, log, now = Date.now, commandLimitMs = COMMAND_LIMIT_MS }: LinkOptions) {
    this.#url = url;
    this.#log = log;
    this.#now = now;
    this.#limitMs = commandLimitMs;
    this.#deadlines = new Deadlines(commandLimitMs);
    this.#shown = shownAddress(url);
    this.#since = now();
    void this.#stayConnected();
  }

  get isUp(): boolean {
    return this.#client !== null;
  }

  get lastError(): string | null {
    return this.#lastError;
  }

  get since(): number {
    return this.#since;
  }

  get shownAddress(): string {
    return this.#shown;
  }

  send(command: string, args: readonly string[]): Promise<unknown> {
    const client = this.#client;
    if (client === null) return Promise.reject(new RedisUnavailable(this.#unavailable()));
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    let isOpen = true;
    const wait = this.#deadlines.begin(() =>
      setTimeout(() => {
        if (!isOpen) return;
        const what = `Redis did not answer ${command} within ${this.#limitMs} ms`;
        reject(new RedisUnavailable(`${what}; it may still carry it out`));
        this.#drop(client, what);
      }, GRACE_MS)
    );
    const ended = () => {
      isOpen = false;
      this.#deadlines.end(wait);
    };
    client.send(command, [...args]).then(
      (reply: unknown) => {
        ended();
        resolve(reply);
      },
      (error: Error) => {
        ended();
        reject(this.#failure(client, command, error));
      },
    );
    return promise;
  }

  async run(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args];
    try {
      return await this.send("EVALSHA", [this.#digestOf(script), ...rest]);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith("NOSCRIPT")) throw error;
      return await this.send("EVAL", [script.lua, ...rest]);
    }
  }

  onUp(listener: () => void): () => void {
    this.#upListeners.add(listener);
    if (this.isUp) listener();
    return () => void this.#upListeners.delete(listener);
  }

  onDown(listener: () => void): () => void {
    this.#downListeners.add(listener);
    return () => void this.#downListeners.delete(listener);
  }

  /** Resolves when commands can be sent. Rejects with RedisUnavailable, and the reason, if that takes longer than `limitMs`. */
  async connected(limitMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = this.onUp(resolve);
    const timer = setTimeout(resolve, limitMs);
    await promise;
    clearTimeout(timer);
    stop();
    if (!this.isUp) throw new RedisUnavailable(this.#unavailable());
  }

  /** The same after the first attempt. */
  async attempted(): Promise<void> {
    await this.#attempted.promise;
    if (!this.isUp) throw new RedisUnavailable(this.#unavailable());
  }

  /** Ends the connection; commands without an answer fail. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
    const client = this.#client;
    if (client !== null) this.#drop(client, "this process has ended the connection");
  }

  async #stayConnected(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!this.#isClosed) {
      const wasUp = await this.#connection();
      if (this.#isClosed) return;
      pauseMs = wasUp ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, MAX_PAUSE_MS);
      await this.#pause(pauseMs);
    }
  }

  /** One connection, from its beginning to its end. False: it never took commands. */
  async #connection(): Promise<boolean> {
    const { promise: end, resolve: ended } = Promise.withResolvers<void>();
    let client: RedisClient | null = null;
    try {
      client = new RedisClient(this.#url, {
        autoReconnect: false,
        enableOfflineQueue: false,
        connectionTimeout: CONNECT_LIMIT_MS,
      });
      const opened = client;
      client.onclose = () => {
        this.#drop(opened, "the connection was closed");
        ended();
      };
      const hello: unknown = await client.connect();
      await Promise.race([client.send("PING", []), this.#limit("PING")]);
      const unusable = unusableServer(hello);
      if (unusable !== null) throw new Error(unusable);
    } catch (error) {
      client?.close();
      this.#refused(await this.#reason(error as Error));
      return false;
    }
    if (this.#isClosed) {
      client.close();
      return false;
    }
    this.#up(client);
    await end;
    return true;
  }

  /** Bun says nothing but that the connection was closed. */
  async #reason(error: Error): Promise<string> {
    if (codeOf(error) !== "ERR_REDIS_CONNECTION_CLOSED") return error.message;
    return await whyUnusable(this.#url, CONNECT_LIMIT_MS) ?? error.message;
  }

  #up(client: RedisClient): void {
    this.#client = client;
    this.#since = this.#now();
    this.#lastError = null;
    this.#log.info("connected to Redis {url}", { url: this.#shown });
    this.#attempted.resolve();
    for (const listener of this.#upListeners) listener();
  }

  #drop(client: RedisClient, why: string): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#since = this.#now();
    this.#lastError = why;
    client.close();
    if (!this.#isClosed) this.#log.warn("lost the connection to Redis {url}: {why}", { url: this.#shown, why });
    for (const listener of this.#downListeners) listener();
  }

  /** The same reason is logged once. */
  #refused(why: string): void {
    if (this.#isClosed || this.#lastError === why) return;
    this.#lastError = why;
    this.#attempted.resolve();
    this.#log.error("can't use Redis {url}: {why}; trying again", { url: this.#shown, why });
  }

  #failure(client: RedisClient, command: string, error: Error): Error {
    error.message = error.message.replace(SCRIPT_PLACE, "");
    if (UNUSABLE.test(error.message)) {
      this.#drop(client, error.message);
      return new RedisUnavailable(`Redis can't be used now: ${error.message}`);
    }
    const isLost = codeOf(error)?.startsWith("ERR_REDIS_CONNECTION") === true || this.#client !== client;
    if (!isLost) return error;
    this.#drop(client, "the connection was closed");
    return new RedisUnavailable(
      `The connection to Redis was lost before it answered ${command}; it may still carry it out`,
    );
  }

  #unavailable(): string {
    return `Redis is unavailable: ${this.#lastError ?? "not connected yet"}`;
  }

  #digestOf(script: Script): string {
    const known = this.#digests.get(script);
    if (known !== undefined) return known;
    const digest = createHash("sha1").update(script.lua).digest("hex");
    this.#digests.set(script, digest);
    return digest;
  }

  async #limit(command: string): Promise<never> {
    await new Promise((resolve) => setTimeout(resolve, this.#limitMs).unref());
    throw new Error(`Redis did not answer ${command} within ${this.#limitMs} ms`);
  }

  async #pause(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    setTimeout(resolve, milliseconds).unref();
    await promise;
  }
}

function codeOf(error: Error): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
