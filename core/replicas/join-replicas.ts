// Makes this process one of the replicas that share a Redis server. Loaded only if MKT_REDIS_URL is set.

import type { Logger } from "../../common/logger.ts";
import type { Advice } from "../advice.ts";
import type { PubSub } from "../backend/pubsub.ts";
import type { PubSubClient } from "../backend/pubsub-client.ts";
import type { EventBuffer } from "../market/event-buffer.ts";
import type { Replicas } from "../tools/replicas.ts";

export interface JoinOptions {
  /** MKT_REDIS_URL. */
  readonly url: string;
  /** MKT_REDIS_NAMESPACE. */
  readonly namespace: string;
  /** MKT_USER_ID: names the group. */
  readonly userId: string;
  readonly client: PubSubClient;
  readonly events: EventBuffer;
  readonly advice: Advice;
  readonly log: Logger;
}

export interface Joined {
  /** Connects and disconnects all replicas of the group. */
  readonly pubsub: PubSub;
  readonly replicas: Replicas;
}

/** Does not wait for Redis: while it is unavailable, the replica reads from its own buffer. */
export function joinReplicas({ url }: JoinOptions): Promise<Joined> {
  return Promise.reject(new Error(`replicas are not part of this version yet: unset MKT_REDIS_URL (${url})`));
}
