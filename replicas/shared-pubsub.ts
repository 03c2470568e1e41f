// The connection to the market of one replica, together with the wish of its group: which user all replicas should be
// connected as, or none.
//
// A connect sets the wish, a disconnect sets it to none, and every replica follows it (`follow`). A wish is followed until it
// is met: errors are logged, and the next attempt comes after a pause. While Redis is away, a connect is this replica's alone,
// and is made known when Redis is back, unless the wish has changed meanwhile.
//
// Invariant: a connect succeeds only if no other user was wished, before and after it, as far as Redis could be asked.

import { Backoff } from "../protocol/client/backoff.ts";
import type { Action, ActionRequest } from "../protocol/index.ts";
import type { Logger } from "../common/logger.ts";
import { unlessAborted } from "../common/unless-aborted.ts";
import type { Advice } from "../core/advice.ts";
import { alreadyConnected, disconnectedMeanwhile } from "../core/backend/connection-errors.ts";
import type { Followers, PubSub, RequestOptions, Session } from "../core/backend/pubsub.ts";
import type { PubSubClient } from "../core/backend/pubsub-client.ts";
import { ToolError } from "../core/error.ts";
import type { Group } from "./group/group.ts";
import type { RedisLink } from "./redis/redis-link.ts";
import type { SharedEventLog } from "./event-log/shared-event-log.ts";
import { type Wish, wishOf, wishText } from "./group/wish.ts";

/** Between two attempts to follow the wish. */
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;
/** How long a disconnect waits for the other replicas. */
const FOLLOWERS_LIMIT_MS = 2_000;
const FOLLOWERS_PAUSE_MS = 50;

interface SharedPubSubOptions {
  readonly client: PubSubClient;
  /** Connects `client`, and makes sure that its two addresses are one engine. */
  readonly connect: (userId: string, signal?: AbortSignal) => Promise<Session>;
  readonly link: Pick<RedisLink, "isUp">;
  readonly group: Group;
  readonly eventLog: SharedEventLog;
  readonly advice: Advice;
  readonly log: Logger;
}

/** A connection that the wish does not know. */
interface Alone {
  readonly userId: string;
  /** The version of the wish when it was made; 0 if there was none. */
  readonly version: number;
  /** Made by MKT_AUTO_CONNECT, so any wish takes precedence over it. */
  readonly isAutomatic: boolean;
}

/** A wish that could not be followed. */
interface Failed {
  readonly version: number;
  /** When to try again: milliseconds, as of performance.now(). */
  readonly retryAt: number;
  readonly reason: string;
}

const NOT_FAILED: Failed = { version: -1, retryAt: 0, reason: "" };

export class SharedPubSub implements PubSub {
  readonly checksEngine = true;
  readonly #options: SharedPubSubOptions;
  readonly #client: PubSubClient;
  readonly #backoff = new Backoff(FIRST_RETRY_MS, LONGEST_RETRY_MS);
  #failed: Failed = NOT_FAILED;
  /** MKT_AUTO_CONNECT: the user that is connected unless there is a wish. */
  #automaticUser: string | null = null;
  #alone: Alone | null = null;
  /** The version of the last wish that this replica has followed. */
  #followed = 0;
  /** Calls of `connect` that are under way, and the version of the wish when the last of them began. */
  #connecting = { calls: 0, version: 0 };
  #following: { readonly version: number; readonly attempt: AbortController; readonly done: Promise<void> } | null =
    null;
  #isClosed = false;

  constructor(options: SharedPubSubOptions) {
    this.#options = options;
    this.#client = options.client;
  }

  get status(): PubSub["status"] {
    return this.#client.status;
  }

  get session(): Session | null {
    return this.#client.session;
  }

  get incomplete(): boolean {
    return this.#client.incomplete;
  }

  get disconnects(): number {
    return this.#client.disconnects;
  }

  /** For the other replicas; 0 before the first. */
  get followedVersion(): number {
    return this.#followed;
  }

  marketTime(): number {
    return this.#client.marketTime();
  }

  facts(): ReturnType<PubSub["facts"]> {
    const facts = this.#client.facts();
    if (facts.status !== "disconnected" || facts.lastError !== null || !this.hasFailed) return facts;
    return { ...facts, lastError: `could not follow the wish of the group: ${this.#failed.reason}` };
  }

  request<Name extends Action>(action: Name, payload: ActionRequest<Name>, options?: RequestOptions) {
    return this.#client.request(action, payload, options);
  }

  /** See PubSub. Throws ToolError `already_connected` if the wish is another user. */
  async connect(userId: string, signal?: AbortSignal): Promise<Session> {
    await unlessAborted(this.#readWish(), signal);
    const { known } = this.#options.group.wish;
    const version = known?.version ?? 0;
    this.#checkWish(wishOf(known), userId);
    this.#connecting = { calls: this.#connecting.calls + 1, version };
    try {
      const session = await this.#connectAs(userId, signal);
      await this.#share({ userId, version, isAutomatic: false });
      return session;
    } finally {
      this.#connecting = { ...this.#connecting, calls: this.#connecting.calls - 1 };
    }
  }

  /** Disconnects all replicas. Throws ToolError `backend_unavailable` if Redis does not confirm it. */
  async disconnect(): Promise<Followers> {
    const { group, log } = this.#options;
    let version: number;
    try {
      ({ version } = await group.wish.change(wishText(null)));
    } catch (error) {
      log.warn("could not disconnect all replicas: {error}", { error: (error as Error).message });
      throw notDisconnected(error as Error);
    }
    this.#alone = null;
    this.#following?.attempt.abort();
    await this.#client.disconnect();
    this.#followed = Math.max(this.#followed, version);
    return await this.#followers(version);
  }

  /** Whether nothing has to be done to follow the wish. */
  get isInLine(): boolean {
    const wish = this.#wish;
    const { userId, status } = this.#client.facts();
    if (this.#alone !== null || wish === undefined) return this.#alone === null;
    if (this.#followed < this.#version) return false;
    return wish === null ? userId === null : userId === wish && status !== "disconnected";
  }

  /** Whether following the newest wish has failed: the next attempt may take long. */
  get hasFailed(): boolean {
    return this.#failed.version === this.#version;
  }

  /** From now on connects as `userId` if there is no wish. */
  connectUnlessWished(userId: string): void {
    this.#automaticUser = userId;
  }

  /**
   * Does what is missing to follow the wish. Resolves when that is done, or has failed; does nothing during the pause after a
   * failure, and while a call connects. Never throws.
   */
  follow(): Promise<void> {
    const version = this.#version;
    if (this.#following !== null && this.#following.version === version) return this.#following.done;
    this.#following?.attempt.abort();
    if (this.#isClosed || this.#isCallConnecting(version)) return Promise.resolve();
    if (this.#failed.version === version && performance.now() < this.#failed.retryAt) return Promise.resolve();
    const attempt = new AbortController();
    const done = this.#follow(version, attempt.signal, this.#following?.done).finally(() => {
      if (this.#following?.attempt === attempt) this.#following = null;
    });
    this.#following = { version, attempt, done };
    return done;
  }

  /** Follows no wish any more, and ends this replica's connection only. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#following?.attempt.abort();
    await this.#client.disconnect();
  }

  /** Undefined if there is nothing to follow. */
  get #wish(): Wish | undefined {
    const { known } = this.#options.group.wish;
    return known === null ? this.#automaticUser ?? undefined : wishOf(known);
  }

  get #version(): number {
    return this.#options.group.wish.known?.version ?? 0;
  }

  /** A call that connects sets the wish itself. A later wish takes precedence over the call. */
  #isCallConnecting(version: number): boolean {
    return this.#connecting.calls > 0 && version <= this.#connecting.version;
  }

  async #follow(version: number, signal: AbortSignal, earlier: Promise<void> | undefined): Promise<void> {
    const { link, log } = this.#options;
    try {
      await earlier;
      if (this.#alone !== null && link.isUp) await this.#share(this.#alone);
      if (signal.aborted || this.#alone !== null) return;
      await this.#obey(signal);
      this.#followed = Math.max(this.#followed, version);
      this.#failed = NOT_FAILED;
      this.#backoff.reset();
    } catch (error) {
      if (signal.aborted) return;
      this.#failed = { version, retryAt: performance.now() + this.#backoff.nextMs(), reason: (error as Error).message };
      log.warn("could not follow the wish of the group: {error}", { error: (error as Error).message });
    }
  }

  async #obey(signal: AbortSignal): Promise<void> {
    const { log } = this.#options;
    const wish = this.#wish;
    if (wish === undefined) return;
    const { userId, status } = this.#client.facts();
    if (wish !== null && userId === wish && status !== "disconnected") return;
    if (wish === null) {
      if (userId !== null) log.info("disconnects {userId}, as the group wishes", { userId });
      return await this.#client.disconnect();
    }
    if (userId !== null && userId !== wish) {
      log.info("disconnects {userId}, because the group wishes {wish}", { userId, wish });
      await this.#client.disconnect();
    }
    signal.throwIfAborted();
    const isAutomatic = this.#options.group.wish.known === null;
    await this.#connectAs(wish, signal);
    if (isAutomatic) await this.#share({ userId: wish, version: 0, isAutomatic });
  }

  async #connectAs(userId: string, signal: AbortSignal | undefined): Promise<Session> {
    const { link, eventLog, connect } = this.#options;
    if (link.isUp && this.#client.facts().userId === null && this.#client.allows(userId)) {
      await unlessAborted(eventLog.restore(userId), signal);
    }
    return await connect(userId, signal);
  }

  /** Makes a connection known to the group. Throws ToolError, and ends the connection, if the wish has become another. */
  async #share(alone: Alone): Promise<void> {
    const { group, log, advice } = this.#options;
    const { known } = group.wish;
    if (alone.isAutomatic && known !== null) {
      this.#alone = null;
      return;
    }
    try {
      await group.wish.changeFrom(alone.version, wishText(alone.userId));
    } catch (error) {
      if (this.#alone === null) {
        const facts = { userId: alone.userId, error: (error as Error).message };
        log.warn("connected as {userId} on this replica alone: {error}", facts);
      }
      this.#alone = alone;
      return;
    }
    const wish = wishOf(group.wish.known);
    this.#alone = null;
    this.#followed = Math.max(this.#followed, this.#version);
    if (wish === alone.userId) return;
    await this.#client.disconnect();
    throw wish === null ? disconnectedMeanwhile(advice) : alreadyConnected(wish, advice);
  }

  #checkWish(wish: Wish, userId: string): void {
    if (wish !== null && wish !== userId) throw alreadyConnected(wish, this.#options.advice);
  }

  async #readWish(): Promise<void> {
    const { group, log } = this.#options;
    try {
      await group.read();
    } catch (error) {
      log.warn("the wish of the group is unknown: {error}", { error: (error as Error).message });
    }
  }

  /** Waits until the other replicas have followed, for a limited time. */
  async #followers(version: number): Promise<Followers> {
    const { group, log } = this.#options;
    const deadline = performance.now() + FOLLOWERS_LIMIT_MS;
    let last: Followers = { others: 0, followed: 0 };
    try {
      for (;;) {
        last = await group.followers(version);
        if (last.followed >= last.others || performance.now() > deadline) return last;
        await new Promise((resolve) => setTimeout(resolve, FOLLOWERS_PAUSE_MS));
      }
    } catch (error) {
      log.warn("it is unknown which replicas have disconnected: {error}", { error: (error as Error).message });
      return last;
    }
  }
}

function notDisconnected(cause: Error): ToolError {
  return new ToolError(
    "backend_unavailable",
    `The replicas of this server could not be told to disconnect: ${cause.message}.`,
    "Call again once Redis can be reached. To end the connection of one replica, stop its process.",
    { cause },
  );
}
