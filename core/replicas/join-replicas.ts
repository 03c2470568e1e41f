// Makes this process one of the replicas that share a Redis server. Loaded only if MKT_REDIS_URL is set.

import type { Logger } from "../../common/logger.ts";
import type { Advice } from "../advice.ts";
import type { PubSub, Session } from "../backend/pubsub.ts";
import type { PubSubClient } from "../backend/pubsub-client.ts";
import type { EventBuffer } from "../market/event-buffer.ts";
import type { Replicas } from "../tools/replicas.ts";
import { BunRedisLink } from "./redis/bun-redis-link.ts";
import { RedisEventLog } from "./event-log/redis-event-log.ts";
import { Group } from "./group/group.ts";
import { keysOf } from "./redis/keys.ts";
import { NO_EVENT_LOG } from "./event-log/no-event-log.ts";
import { RedisReplicas } from "./redis-replicas.ts";
import { SharedPubSub } from "./shared-pubsub.ts";

export interface JoinOptions {
  /** MKT_REDIS_URL. */
  readonly url: string;
  /** MKT_REDIS_NAMESPACE. */
  readonly namespace: string;
  /** MKT_USER_ID: names the group. */
  readonly userId: string;
  /**
   * `member`: connects as the group wishes. `visitor`: a command of the shell, with a connection of its own; only the kill
   * switch, pending elicitations and rate limits concern it.
   */
  readonly role: "member" | "visitor";
  readonly client: PubSubClient;
  /** Connects `client`, and makes sure that its two addresses are one engine. */
  readonly connect: (userId: string, signal?: AbortSignal) => Promise<Session>;
  readonly events: EventBuffer;
  readonly advice: Advice;
  readonly log: Logger;
}

export interface Joined {
  /** That of a member connects and disconnects all replicas of the group. */
  readonly pubsub: PubSub;
  readonly replicas: Replicas;
}

/** Does not wait for Redis: while it is unavailable, the replica reads from its own buffer. */
export function joinReplicas(options: JoinOptions): Joined {
  const { url, namespace, userId, role, client, connect, events, advice, log } = options;
  const link = new BunRedisLink({ url, log });
  const keys = keysOf(namespace, userId);
  const group = new Group(link, keys);
  const eventLog = role === "visitor" ? NO_EVENT_LOG : new RedisEventLog({ link, keys, client, events, log });
  const pubsub = role === "visitor" ? null : new SharedPubSub({ client, connect, link, group, eventLog, advice, log });
  const replicas = new RedisReplicas({ link, keys, namespace, group, eventLog, pubsub, log, now: Date.now });
  return { pubsub: pubsub ?? client, replicas };
}
