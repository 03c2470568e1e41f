// What a replica reads from Redis all the time: the two registers, and which replicas of its group are running.
//
// Each replica says every BEAT_MS that it is running and which version of the desired state it has reached. One that has not
// said so for LIFE_MS no longer counts. Calls read the registers besides, and share the reads.

import type { Followers } from "../../core/backend/pubsub.ts";
import type { Keys } from "../redis/keys.ts";
import type { RedisLink, Script } from "../redis/redis-link.ts";
import { SharedRun } from "../shared-run.ts";
import { Register } from "./register.ts";

export const BEAT_MS = 250;
/** Twelve beats: a busy process keeps its place. */
const LIFE_MS = 3000;
/** Keys of a group that has ended go away. */
const KEPT_SECONDS = 86_400;

const NOW_MS = "local time = redis.call('TIME')\nlocal now = time[1] * 1000 + math.floor(time[2] / 1000)\n";

/** Keys: replicas, followed. Arguments: id, followed version, LIFE_MS, KEPT_SECONDS. Gives the number of replicas. */
const BEAT: Script = {
  name: "say that a replica is running",
  lua: `${NOW_MS}
local ended = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now)
for _, id in ipairs(ended) do
  redis.call('ZREM', KEYS[1], id)
  redis.call('HDEL', KEYS[2], id)
end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[4])
redis.call('EXPIRE', KEYS[2], ARGV[4])
return redis.call('ZCARD', KEYS[1])
`,
};

/** Keys: replicas, followed. Arguments: id, version. Gives the numbers of other replicas, and of those that have followed. */
const FOLLOWERS: Script = {
  name: "count the replicas that have followed",
  lua: `${NOW_MS}
local others = 0
local followed = 0
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], now, '+inf')) do
  if id ~= ARGV[1] then
    others = others + 1
    if tonumber(redis.call('HGET', KEYS[2], id) or 0) >= tonumber(ARGV[2]) then followed = followed + 1 end
  end
end
return {others, followed}
`,
};

export class Group {
  readonly id = crypto.randomUUID();
  readonly killSwitch: Register;
  /** The user that all replicas should be connected as, or none: desired-user.ts. */
  readonly desired: Register;
  readonly #reads = new SharedRun(() => Promise.all([this.killSwitch.read(), this.desired.read()]));

  constructor(private readonly link: RedisLink, private readonly keys: Keys) {
    this.killSwitch = new Register(link, keys.killSwitch);
    this.desired = new Register(link, keys.desiredUser);
  }

  /** Reads both registers. Rejects as `RedisLink.send` does. */
  async read(): Promise<void> {
    await this.#reads.next();
  }

  /** Says that this replica is running. Gives the number of running replicas. */
  async beat(followedVersion: number): Promise<number> {
    const { replicas, followed } = this.keys;
    const args = [this.id, String(followedVersion), String(LIFE_MS), String(KEPT_SECONDS)];
    return Number(await this.link.run(BEAT, [replicas, followed], args));
  }

  /** How many of the other replicas have reached the desired state of this version. */
  async followers(version: number): Promise<Followers> {
    const { replicas, followed } = this.keys;
    const reply = await this.link.run(FOLLOWERS, [replicas, followed], [this.id, String(version)]);
    const [others = 0, following = 0] = (reply as readonly unknown[]).map(Number);
    return { others, followed: following };
  }

  /** This replica no longer counts. */
  async leave(): Promise<void> {
    await Promise.all([
      this.link.send("ZREM", [this.keys.replicas, this.id]),
      this.link.send("HDEL", [this.keys.followed, this.id]),
    ]);
  }
}
