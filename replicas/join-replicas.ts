// Makes this process one of the replicas that share a Redis server. Loaded only if MKT_REDIS_URL is set.

import type { Joined, JoinOptions } from "../core/tools/replicas.ts";
import { BunRedisLink } from "./redis/bun-redis-link.ts";
import { RedisEventLog } from "./event-log/redis-event-log.ts";
import { Group } from "./group/group.ts";
import { keysOf } from "./redis/keys.ts";
import { NO_EVENT_LOG } from "./event-log/no-event-log.ts";
import { RedisReplicas } from "./redis-replicas.ts";
import { SharedPubSub } from "./shared-pubsub.ts";

export { addressSecrets } from "./redis/redis-address.ts";

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
