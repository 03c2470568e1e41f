// Counts over all replicas of the group. While Redis can't be used, each replica counts alone, with the same limit.
//
// A client above its limit is not counted on Redis until its window ends, so that a flood of requests is no flood of commands.

import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import type { RateCounter } from "../../common/http/rate-limit.ts";
import type { RedisLink, Script } from "../redis/redis-link.ts";

/** Points, seconds of a window. Gives the points of the window, and its milliseconds that are left. */
const COUNT: Script = {
  name: "count requests",
  lua: `
redis.call('SET', KEYS[1], 0, 'EX', ARGV[2], 'NX')
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('EXPIRE', KEYS[1], ARGV[2])
  left = 1000 * ARGV[2]
end
return {count, left}
`,
};

export function sharedRateCounter(link: RedisLink, keyPrefix: string, perSecond: number): RateCounter {
  return new RateLimiterRedis({
    // What the limiter calls of its client.
    storeClient: {
      rlflxIncr: ([key = "", points = "1", seconds = "1"]: readonly string[]) =>
        link.run(COUNT, [key], [points, seconds]),
    },
    keyPrefix,
    points: perSecond,
    duration: 1,
    inMemoryBlockOnConsumed: perSecond + 1,
    insuranceLimiter: new RateLimiterMemory({ points: perSecond, duration: 1 }),
  });
}
