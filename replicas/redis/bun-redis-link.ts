// The link to Redis: one connection after the other (redis-connection.ts). After a connection has ended, and after each attempt
// that fails, the next attempt follows after a pause that grows from FIRST_PAUSE_MS to MAX_PAUSE_MS, for ever.
//
// Invariant: commands reach Redis in the order in which they were sent, except for a script that Redis does not know yet.

import { createHash } from "node:crypto";
import type { Logger } from "../../common/logger.ts";
import { shownAddress } from "./redis-address.ts";
import { RedisConnection } from "./redis-connection.ts";
import { type RedisLink, RedisUnavailable, type Script } from "./redis-link.ts";

const COMMAND_LIMIT_MS = 1000;
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1000;

export interface LinkOptions {
  readonly url: string;
  readonly log: Logger;
  /** How long Redis may take to answer a command, in milliseconds. */
  readonly commandLimitMs?: number;
}

export class BunRedisLink implements RedisLink {
  /** Without user and password. */
  readonly shownAddress: string;
  readonly #options: Required<LinkOptions>;
  readonly #digests = new Map<Script, string>();
  readonly #upListeners = new Set<() => void>();
  readonly #attempted = Promise.withResolvers<void>();
  /** Null while there is none that takes commands. */
  #connection: RedisConnection | null = null;
  #lastError: string | null = null;
  #since = Date.now();
  #isClosed = false;
  /** Ends the pause before the next attempt. */
  #wake: () => void = () => {};

  constructor({ url, log, commandLimitMs = COMMAND_LIMIT_MS }: LinkOptions) {
    this.#options = { url, log, commandLimitMs };
    this.shownAddress = shownAddress(url);
    void this.#stayConnected();
  }

  get isUp(): boolean {
    return this.#connection !== null;
  }

  /** Why the last connection has ended, or could not be made; null while there is one. */
  get lastError(): string | null {
    return this.#lastError;
  }

  /** When `isUp` last changed: milliseconds since the epoch. */
  get since(): number {
    return this.#since;
  }

  send(command: string, args: readonly string[]): Promise<unknown> {
    return this.#connection?.send(command, args) ?? Promise.reject(this.#unavailable());
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

  /** Resolves when commands can be sent. Rejects with RedisUnavailable, and the reason, if that takes longer than `limitMs`. */
  async connected(limitMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = this.onUp(resolve);
    const timer = setTimeout(resolve, limitMs);
    await promise;
    clearTimeout(timer);
    stop();
    if (!this.isUp) throw this.#unavailable();
  }

  /** The same after the first attempt. */
  async attempted(): Promise<void> {
    await this.#attempted.promise;
    if (!this.isUp) throw this.#unavailable();
  }

  /** Ends the connection; commands without an answer fail. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
    this.#connection?.end("this process has ended the connection");
  }

  async #stayConnected(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !this.#isClosed;) {
      const { promise: end, resolve: ended } = Promise.withResolvers<void>();
      const { url, commandLimitMs } = this.#options;
      const options = {
        ...{ url, commandLimitMs },
        ended: (why: string) => {
          this.#down(why);
          ended();
        },
      };
      const connection = await RedisConnection.open(options).catch((error: Error) => this.#refused(error.message));
      pauseMs = connection === null ? Math.min(pauseMs * 2, MAX_PAUSE_MS) : FIRST_PAUSE_MS;
      if (connection !== null) {
        this.#up(connection);
        await end;
      }
      if (!this.#isClosed) await this.#pause(pauseMs);
    }
  }

  #up(connection: RedisConnection): void {
    if (this.#isClosed) return connection.end("this process has ended the connection");
    this.#connection = connection;
    this.#since = Date.now();
    this.#lastError = null;
    this.#options.log.info("connected to Redis {url}", { url: this.shownAddress });
    this.#attempted.resolve();
    for (const listener of this.#upListeners) listener();
  }

  #down(why: string): void {
    this.#connection = null;
    this.#since = Date.now();
    this.#lastError = why;
    if (this.#isClosed) return;
    this.#options.log.warn("lost the connection to Redis {url}: {why}", { url: this.shownAddress, why });
  }

  /** The same reason is logged once. */
  #refused(why: string): null {
    if (this.#isClosed || this.#lastError === why) return null;
    this.#lastError = why;
    this.#attempted.resolve();
    this.#options.log.error("can't use Redis {url}: {why}; trying again", { url: this.shownAddress, why });
    return null;
  }

  #unavailable(): RedisUnavailable {
    return new RedisUnavailable(`Redis is unavailable: ${this.#lastError ?? "not connected yet"}`);
  }

  #digestOf(script: Script): string {
    const digest = this.#digests.get(script) ?? createHash("sha1").update(script.lua).digest("hex");
    this.#digests.set(script, digest);
    return digest;
  }

  async #pause(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    setTimeout(resolve, milliseconds).unref();
    await promise;
  }
}
