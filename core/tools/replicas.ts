// What the replicas of one server share on Redis (MKT_REDIS_URL). replicas/ implements it, and is only loaded if that
// variable is set: whoever builds the runtime hands it over (`Program.replicas`).
//
// Replicas with the same MKT_REDIS_NAMESPACE and MKT_USER_ID are one group. They share the event log, the desired state of
// the connection (which user they should be connected as, or none), pending elicitations and rate limits. The kill switch is
// shared by all groups of a namespace.

import type { RateCounter } from "../../common/http/rate-limit.ts";
import type { Logger } from "../../common/logger.ts";
import type { Advice } from "../advice.ts";
import type { PubSub, Session } from "../backend/pubsub.ts";
import type { ReplicaConnection } from "../backend/replica-connection.ts";
import type { ReplicaBuffer } from "../market/event-content.ts";
import type { Freeze } from "./freeze.ts";
import type { PendingStates } from "./pending-states.ts";

/** For the status of the connections, and for GET /health. */
export type RedisFacts = { readonly status: "not_configured" } | {
  /** `unavailable`: replicas read from their own buffers, and refuse what needs Redis. */
  readonly status: "connected" | "unavailable";
  /** Without user and password. */
  readonly url: string;
  readonly namespace: string;
  /** ISO time of the last change of the status. */
  readonly since: string;
  /** Replicas of this group that answered within the last seconds, this one included; null if unknown. */
  readonly replicas: number | null;
  /** The newest event of the shared log; null before the first connect, and if unknown. */
  readonly logSequence: number | null;
  readonly lastError: string | null;
};

/** What a call is, for `Replicas.begin`. */
export interface SharedCall {
  readonly annotations: { readonly readOnlyHint?: boolean | undefined };
  readonly allowedWhenFrozen?: boolean;
  /** The call reports on the connection, so it is up to date like one that needs it. */
  readonly reportsConnection?: boolean;
  /** Absent: the call needs no connection to the market. */
  readonly requires?: { readonly connection?: "session" | "read" | "write" };
}

export interface Replicas {
  facts(): RedisFacts;
  /** The shared kill switch, as of the last `begin` or the last poll; null if changes are allowed. */
  frozen(): Freeze | null;
  /**
   * Pulls the kill switch for all replicas of the namespace. Throws ToolError `backend_unavailable` if Redis does not confirm
   * it.
   */
  freeze(reason: string): Promise<void>;
  /**
   * Awaited before the checks of each call. Reads kill switch and desired state from Redis, connects or disconnects
   * accordingly, and for a call that reads the market waits until this replica has every event of the shared log, so that no
   * client reads an older market from this replica than from another one before. Throws ToolError `backend_unavailable` if
   * Redis can't be asked and the kill switch applies to the call. Throws the reason of `signal` if that aborts first.
   */
  begin(call: SharedCall, signal: AbortSignal): Promise<void>;
  /**
   * Awaited before the answer of a call that may have changed something: every event that it reports is in the shared log.
   * Also after a gap has ended the wait of a call: what the log has of it is in the buffer. Waits a limited time and never
   * throws, because the change is done.
   */
  changed(): Promise<void>;
  /** Request states that any replica may take, once. */
  readonly pendingStates: PendingStates;
  /** Counts over all replicas; over this one while Redis is unavailable. `name` separates limits. */
  rateCounter(name: string, perSecond: number): RateCounter;
  /**
   * Brings the connection to the group's desired state, or connects as `automaticUser` (MKT_AUTO_CONNECT; null: as nobody) if
   * none was ever set. Goes on until that is done, and resolves after a first attempt, or after a few seconds.
   */
  start(automaticUser: string | null): Promise<void>;
  /** Ends the connection of this replica to the market, and leaves the group. */
  close(): Promise<void>;
}

export interface JoinOptions {
  /** MKT_REDIS_URL. */
  readonly url: string;
  /** MKT_REDIS_NAMESPACE. */
  readonly namespace: string;
  /** MKT_USER_ID: names the group. */
  readonly userId: string;
  /**
   * `member`: follows the group's desired state. `visitor`: a command of the shell, with a connection of its own; only the kill
   * switch, pending elicitations and rate limits concern it.
   */
  readonly role: "member" | "visitor";
  readonly client: ReplicaConnection;
  /** Connects `client`, and makes sure that its two addresses are one engine. */
  readonly connect: (userId: string, signal?: AbortSignal) => Promise<Session>;
  readonly events: ReplicaBuffer;
  readonly advice: Advice;
  readonly log: Logger;
}

export interface Joined {
  /** That of a member connects and disconnects all replicas of the group. */
  readonly pubsub: PubSub;
  readonly replicas: Replicas;
}

/** What makes this process a replica. */
export interface ReplicaModule {
  /** Does not wait for Redis: while it is unavailable, the replica reads from its own buffer. */
  joinReplicas(options: JoinOptions): Joined;
  /** The parts of MKT_REDIS_URL that logs must not show. */
  addressSecrets(url: string): readonly string[];
}
