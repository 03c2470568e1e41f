// Keeps the connection of one replica in the desired state of its group: connected as one user, or not connected.
//
// A connect sets the desired state, a disconnect sets it to none, and every replica follows it until it is reached: errors are
// logged, and the next attempt comes after a pause. While Redis is away, a connect is this replica's alone (unshared), and the
// group is told when Redis is back, unless the desired state has changed meanwhile.
//
// Invariant: a connect succeeds only if no other user was desired, before and after it, as far as Redis could be asked.

import { Backoff } from "../protocol/client/backoff.ts";
import type { Logger } from "../common/logger.ts";
import { unlessAborted } from "../common/unless-aborted.ts";
import type { Advice } from "../core/advice.ts";
import { alreadyConnected, disconnectedMeanwhile } from "../core/backend/connection-errors.ts";
import type { Session } from "../core/backend/pubsub.ts";
import type { ReplicaConnection } from "../core/backend/replica-connection.ts";
import type { SharedEventLog } from "./event-log/shared-event-log.ts";
import { type DesiredUser, desiredUserOf, desiredUserText } from "./group/desired-user.ts";
import type { Group } from "./group/group.ts";
import type { RedisLink } from "./redis/redis-link.ts";

/** Between two attempts to reach the desired state. */
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;

export interface FollowerOptions {
  readonly client: ReplicaConnection;
  /** Connects `client`, and makes sure that its two addresses are one engine. */
  readonly connect: (userId: string, signal?: AbortSignal) => Promise<Session>;
  readonly link: Pick<RedisLink, "isUp">;
  readonly group: Group;
  readonly eventLog: SharedEventLog;
  readonly advice: Advice;
  readonly log: Logger;
}

/** A connection that the group does not know. */
interface Unshared {
  readonly userId: string;
  /** The version of the desired state when it was made; 0 if there was none. */
  readonly version: number;
  /** Made by MKT_AUTO_CONNECT, so any desired state takes precedence over it. */
  readonly isAutomatic: boolean;
}

/** A desired state that could not be reached. */
interface Failed {
  readonly version: number;
  /** When to try again: milliseconds, as of performance.now(). */
  readonly retryAt: number;
  readonly reason: string;
}

interface Attempt {
  readonly version: number;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

/**
 * State, beside the connection itself and the desired state (`group.desired`):
 *
 *   field             begins as   changes
 *   #unshared         null        set by a connect that the group was not told of; null once it was, and by a disconnect
 *   #followedVersion  0           the last version of the desired state that was reached; only grows
 *   #attempt          null        an attempt to reach it, while it is under way; a newer version aborts it
 *   #failed           null        set by an attempt that failed, until one succeeds
 *   #calls            none        calls of `connect` that are under way, and the version when the last of them began
 *   #automaticUser    null        MKT_AUTO_CONNECT: the user that is connected if there is no desired state
 */
export class Follower {
  readonly #backoff = new Backoff(FIRST_RETRY_MS, LONGEST_RETRY_MS);
  #unshared: Unshared | null = null;
  #followedVersion = 0;
  #attempt: Attempt | null = null;
  #failed: Failed | null = null;
  #calls = { count: 0, version: 0 };
  #automaticUser: string | null = null;
  #isClosed = false;

  constructor(private readonly options: FollowerOptions) {}

  /** For the other replicas; 0 before the first. */
  get followedVersion(): number {
    return this.#followedVersion;
  }

  /** Whether nothing has to be done to reach the desired state. */
  get isAsDesired(): boolean {
    const desired = this.#desired;
    const { userId, status } = this.options.client.facts();
    if (this.#unshared !== null || desired === undefined) return this.#unshared === null;
    if (this.#followedVersion < this.#version) return false;
    return desired === null ? userId === null : userId === desired && status !== "disconnected";
  }

  /** Whether this replica should be connected, as far as it knows. */
  get isWanted(): boolean {
    return (this.#unshared?.userId ?? this.#desired ?? null) !== null;
  }

  /** Why the newest desired state could not be reached: the next attempt may take long. Null if it did not fail. */
  get failure(): string | null {
    return this.#failed?.version === this.#version ? this.#failed.reason : null;
  }

  /** From now on connects as `userId` if there is no desired state. */
  connectByDefault(userId: string): void {
    this.#automaticUser = userId;
  }

  /** See PubSub. Throws ToolError `already_connected` if another user is desired. */
  async connect(userId: string, signal?: AbortSignal): Promise<Session> {
    const { group, advice, log } = this.options;
    const reading = group.read().catch((error: Error) =>
      log.warn("the desired state of the connection is unknown: {error}", { error: error.message })
    );
    await unlessAborted(reading, signal);
    const desired = desiredUserOf(group.desired.known);
    if (desired !== null && desired !== userId) throw alreadyConnected(desired, advice);
    const version = this.#version;
    this.#calls = { count: this.#calls.count + 1, version };
    try {
      const session = await this.#connectAs(userId, signal);
      await this.#share({ userId, version, isAutomatic: false });
      return session;
    } finally {
      this.#calls = { ...this.#calls, count: this.#calls.count - 1 };
    }
  }

  /** Sets the desired state to none. Gives its version. Rejects, without any change, if Redis does not confirm it. */
  async disconnect(): Promise<number> {
    const { group, client } = this.options;
    const { version } = await group.desired.change(desiredUserText(null));
    this.#unshared = null;
    this.#attempt?.controller.abort();
    await client.disconnect();
    this.#followedVersion = Math.max(this.#followedVersion, version);
    return version;
  }

  /**
   * Does what is missing to reach the desired state. Resolves when that is done, or has failed; does nothing during the pause
   * after a failure, and while a call connects. Never throws.
   */
  follow(): Promise<void> {
    const version = this.#version;
    if (this.#attempt?.version === version) return this.#attempt.done;
    this.#attempt?.controller.abort();
    // A call that connects sets the desired state itself. A later desired state takes precedence over the call.
    const isCallConnecting = this.#calls.count > 0 && version <= this.#calls.version;
    const isPausing = this.#failed?.version === version && performance.now() < this.#failed.retryAt;
    if (this.#isClosed || isCallConnecting || isPausing) return Promise.resolve();
    const controller = new AbortController();
    const done = this.#follow(version, controller.signal, this.#attempt?.done).finally(() => {
      if (this.#attempt?.controller === controller) this.#attempt = null;
    });
    this.#attempt = { version, controller, done };
    return done;
  }

  /** Follows no more, and ends this replica's connection only. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#attempt?.controller.abort();
    await this.options.client.disconnect();
  }

  /** Undefined if there is nothing to follow. */
  get #desired(): DesiredUser | undefined {
    const { known } = this.options.group.desired;
    return known === null ? this.#automaticUser ?? undefined : desiredUserOf(known);
  }

  get #version(): number {
    return this.options.group.desired.known?.version ?? 0;
  }

  async #follow(version: number, signal: AbortSignal, earlier: Promise<void> | undefined): Promise<void> {
    const { link, log } = this.options;
    try {
      await earlier;
      if (this.#unshared !== null && link.isUp) await this.#share(this.#unshared);
      if (signal.aborted || this.#unshared !== null) return;
      await this.#reach(signal);
      this.#followedVersion = Math.max(this.#followedVersion, version);
      this.#failed = null;
      this.#backoff.reset();
    } catch (error) {
      if (signal.aborted) return;
      const reason = (error as Error).message;
      this.#failed = { version, retryAt: performance.now() + this.#backoff.nextMs(), reason };
      log.warn("could not connect as the group of replicas is to be connected: {error}", { error: reason });
    }
  }

  async #reach(signal: AbortSignal): Promise<void> {
    const { log, client, group } = this.options;
    const desired = this.#desired;
    if (desired === undefined) return;
    const { userId, status } = client.facts();
    if (desired !== null && userId === desired && status !== "disconnected") return;
    if (userId !== null) {
      log.info("disconnects {userId}, because the group of replicas is to be connected as {desired}", {
        userId,
        desired: desired ?? "nobody",
      });
    }
    if (desired === null) return void await client.disconnect();
    if (userId !== null && userId !== desired) await client.disconnect();
    signal.throwIfAborted();
    const isAutomatic = group.desired.known === null;
    await this.#connectAs(desired, signal);
    if (isAutomatic) await this.#share({ userId: desired, version: 0, isAutomatic });
  }

  async #connectAs(userId: string, signal: AbortSignal | undefined): Promise<Session> {
    const { link, eventLog, client, connect } = this.options;
    if (link.isUp && client.facts().userId === null && client.allows(userId)) {
      await unlessAborted(eventLog.restore(userId), signal);
    }
    return await connect(userId, signal);
  }

  /** Tells the group of a connection. Throws ToolError, and ends the connection, if another state is desired by now. */
  async #share(unshared: Unshared): Promise<void> {
    const { group, log, advice, client } = this.options;
    const { userId, version, isAutomatic } = unshared;
    if (isAutomatic && group.desired.known !== null) {
      this.#unshared = null;
      return;
    }
    try {
      await group.desired.changeFrom(version, desiredUserText(userId));
    } catch (error) {
      if (this.#unshared === null) {
        log.warn("connected as {userId} on this replica alone: {error}", { userId, error: (error as Error).message });
      }
      this.#unshared = unshared;
      return;
    }
    const desired = desiredUserOf(group.desired.known);
    this.#unshared = null;
    this.#followedVersion = Math.max(this.#followedVersion, this.#version);
    if (desired === userId) return;
    await client.disconnect();
    throw desired === null ? disconnectedMeanwhile(advice) : alreadyConnected(desired, advice);
  }
}
