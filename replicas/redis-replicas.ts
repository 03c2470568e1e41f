// A replica as calls see it: what replicas share, checked before each call and kept up to date between calls.
//
// Cost of a call: one round trip for all calls that have come since the last one. A call that only reads, and not from the
// market, asks nothing. While the connection to Redis is lost, nothing waits.

import type { RateCounter } from "../common/http/rate-limit.ts";
import type { Logger } from "../common/logger.ts";
import { unlessAborted } from "../common/unless-aborted.ts";
import { within } from "../common/within.ts";
import { ToolError } from "../core/error.ts";
import type { Freeze } from "../core/tools/freeze.ts";
import type { PendingStates } from "../core/tools/pending-states.ts";
import type { RedisFacts, Replicas, SharedCall } from "../core/tools/replicas.ts";
import type { BunRedisLink } from "./redis/bun-redis-link.ts";
import type { Follower } from "./follower.ts";
import { BEAT_MS, type Group } from "./group/group.ts";
import type { Keys } from "./redis/keys.ts";
import type { SharedEventLog } from "./event-log/shared-event-log.ts";
import { freezeOf, freezeText } from "./group/shared-kill-switch.ts";
import { SharedPendingStates } from "./group/shared-pending-states.ts";
import { sharedRateCounter } from "./group/shared-rate-counter.ts";

/** How long a call waits for events of the shared log. */
const CATCH_UP_MS = 1_000;
/** How long a call waits until this replica has reached a new desired state. */
const FOLLOW_LIMIT_MS = 5_000;
/** How long the start, and calls meanwhile, wait for the first reading of kill switch and desired state. */
const FIRST_READ_MS = 1_500;
/** How long the start waits for the first attempt to connect. */
const FIRST_ATTEMPT_MS = 2_000;
/** How long leaving the group may take. */
const LEAVE_MS = 500;

const REMEDY =
  "Reading works, and so do connecting, cancelling orders and halting. Call again in a few seconds; if that " +
  "fails, an operator should look at Redis (MKT_REDIS_URL).";

interface RedisReplicasOptions {
  readonly link: BunRedisLink;
  readonly keys: Keys;
  readonly namespace: string;
  readonly group: Group;
  /** Null for a process that is no member of the group: a command of the shell. */
  readonly membership: { readonly eventLog: SharedEventLog; readonly follower: Follower } | null;
  readonly log: Logger;
}

export class RedisReplicas implements Replicas {
  readonly pendingStates: PendingStates;
  readonly #options: RedisReplicasOptions;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #stopListening: () => void;
  /** Resolves after the first reading of the registers, or after FIRST_READ_MS. */
  readonly #started = Promise.withResolvers<void>();
  #isStarting = true;
  #isBeating = false;
  /** Why the last beat failed although the connection is there, for example a missing permission; null if it did not. */
  #fault: string | null = null;
  #faultSince = 0;
  #running: number | null = null;

  constructor(options: RedisReplicasOptions) {
    this.#options = options;
    const { link, keys, log } = options;
    this.pendingStates = new SharedPendingStates(link, keys, log);
    void within(FIRST_READ_MS, this.#started.promise).then(() => {
      this.#isStarting = false;
      this.#started.resolve();
    });
    this.#timer = setInterval(() => void this.#beat(), BEAT_MS);
    this.#timer.unref();
    this.#stopListening = link.onUp(() => void this.#beat());
  }

  facts(): RedisFacts {
    const { link, namespace, membership } = this.#options;
    const isUsable = link.isUp && this.#fault === null;
    const since = Math.max(link.since, this.#faultSince);
    return {
      status: isUsable ? "connected" : "unavailable",
      url: link.shownAddress,
      namespace,
      since: new Date(since).toISOString(),
      replicas: isUsable ? this.#running : null,
      logSequence: isUsable ? membership?.eventLog.sequence ?? null : null,
      lastError: link.lastError ?? this.#fault,
    };
  }

  frozen(): Freeze | null {
    return freezeOf(this.#options.group.killSwitch);
  }

  async freeze(reason: string): Promise<void> {
    const { group } = this.#options;
    try {
      await group.killSwitch.change(freezeText(reason, Date.now()));
    } catch (error) {
      throw new ToolError(
        "backend_unavailable",
        `NOT frozen for the replicas of this server: ${(error as Error).message}.`,
        "Try again, freeze each replica by its MKT_FREEZE_FILE, or halt the market.",
        { cause: error },
      );
    }
  }

  async begin(call: SharedCall, signal: AbortSignal): Promise<void> {
    const isReading = call.annotations.readOnlyHint === true;
    const usesMarket = call.requires?.connection !== undefined || call.reportsConnection === true;
    if (isReading && !usesMarket) return;
    signal.throwIfAborted();
    const canBeFrozen = !isReading && call.allowedWhenFrozen !== true;
    await unlessAborted(this.#begun(canBeFrozen, usesMarket), signal);
  }

  async changed(): Promise<void> {
    await this.#options.membership?.eventLog.catchUp(CATCH_UP_MS);
  }

  rateCounter(name: string, perSecond: number): RateCounter {
    const { link, keys } = this.#options;
    return sharedRateCounter(link, keys.rate(name), perSecond);
  }

  async start(automaticUser: string | null): Promise<void> {
    const { membership } = this.#options;
    if (membership === null) return;
    const { follower } = membership;
    await this.#started.promise;
    if (automaticUser !== null) follower.connectByDefault(automaticUser);
    if (!follower.isAsDesired) await within(FIRST_ATTEMPT_MS, follower.follow());
  }

  async close(): Promise<void> {
    const { link, group, membership } = this.#options;
    clearInterval(this.#timer);
    this.#stopListening();
    await membership?.follower.close();
    await membership?.eventLog.close();
    if (link.isUp && membership !== null) {
      await within(LEAVE_MS, group.leave().catch((error: Error) => this.#log("could not leave the group", error)));
    }
    link.close();
  }

  async #begun(canBeFrozen: boolean, usesMarket: boolean): Promise<void> {
    const { group, membership } = this.#options;
    // The connection to Redis may need a moment.
    if (this.#isStarting) await this.#started.promise;
    // Both are sent now, as one round trip.
    const caughtUp = usesMarket ? this.changed() : null;
    try {
      await group.read();
    } catch (error) {
      if (canBeFrozen) throw unknownFreeze(error as Error);
      return;
    }
    // A Redis that can be read but not written, for example without memory, can't take a freeze, nor what this call changes.
    if (canBeFrozen && this.#fault !== null) throw unusable(this.#fault);
    await caughtUp;
    if (membership === null || membership.follower.isAsDesired || membership.follower.failure !== null) return;
    await within(FOLLOW_LIMIT_MS, membership.follower.follow());
    if (usesMarket) await this.changed();
  }

  async #beat(): Promise<void> {
    const { link, membership } = this.#options;
    if (!this.#isBeating && link.isUp) {
      this.#isBeating = true;
      await this.#report();
      this.#isBeating = false;
    }
    // Also without Redis, and if it takes no writes: MKT_AUTO_CONNECT still connects, and lost attempts are repeated.
    if (membership?.follower.isAsDesired === false) void membership.follower.follow();
  }

  /** Says that this replica is running, and reads the registers. Never throws. */
  async #report(): Promise<void> {
    const { link, group, membership } = this.#options;
    try {
      const running = membership === null ? null : group.beat(membership.follower.followedVersion);
      await Promise.all([running, group.read()]);
      this.#running = await running;
      this.#setFault(null);
      this.#started.resolve();
    } catch (error) {
      // The connection reports its own end.
      if (link.isUp) this.#setFault(error as Error);
    }
  }

  #setFault(error: Error | null): void {
    const fault = error?.message ?? null;
    if (this.#fault === fault) return;
    if (error !== null) this.#log("Redis can't be used", error);
    if ((this.#fault === null) !== (fault === null)) this.#faultSince = Date.now();
    this.#fault = fault;
  }

  #log(what: string, error: Error): void {
    this.#options.log.warn("{what}: {error}", { what, error: error.message });
  }
}

function unknownFreeze(cause: Error): ToolError {
  return new ToolError(
    "backend_unavailable",
    `Redis can't be asked whether an operator has frozen the market; nothing was sent. ${cause.message}`,
    REMEDY,
    { cause },
  );
}

function unusable(fault: string): ToolError {
  return new ToolError(
    "backend_unavailable",
    `Redis can be read but not written, so nobody could freeze the market; nothing was sent. ${fault}`,
    REMEDY,
  );
}
