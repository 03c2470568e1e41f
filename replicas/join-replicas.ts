// Makes this process one of the replicas that share a Redis server. Loaded only if MKT_REDIS_URL is set.

import type { Joined, JoinOptions } from "../core/tools/replicas.ts";
import { BunRedisLink } from "./redis/bun-redis-link.ts";
import { SharedEventLog } from "./event-log/shared-event-log.ts";
import { Follower } from "./follower.ts";
import { Group } from "./group/group.ts";
import { keysOf } from "./redis/keys.ts";
import { RedisReplicas } from "./redis-replicas.ts";
import { SharedPubSub } from "./shared-pubsub.ts";

export { addressSecrets } from "./redis/redis-address.ts";

/** Does not wait for Redis: while it is unavailable, the replica reads from its own buffer. */
export function joinReplicas(options: JoinOptions): Joined {
  const { url, namespace, userId, role, client, connect, events, advice, log } = options;
  const link = new BunRedisLink({ url, log });
  const keys = keysOf(namespace, userId);
  const group = new Group(link, keys);
  const parts = { link, keys, namespace, group, log };
  if (role === "visitor") return { pubsub: client, replicas: new RedisReplicas({ ...parts, membership: null }) };
  const eventLog = new SharedEventLog({ link, keys, client, events, writer: group.id, log });
  const follower = new Follower({ client, connect, link, group, eventLog, advice, log });
  const pubsub = new SharedPubSub({ client, follower, group, log });
  return { pubsub, replicas: new RedisReplicas({ ...parts, membership: { eventLog, follower } }) };
}
