import { expect, test } from "bun:test";
import { logger } from "../../../common/logger.ts";
import { Group } from "../../../replicas/group/group.ts";
import { BunRedisLink } from "../../../replicas/redis/bun-redis-link.ts";
import { keysOf } from "../../../replicas/redis/keys.ts";
import { atEnd } from "../../support/at-end.ts";
import { findRedisServer, startRedisServer } from "../../support/redis-server.ts";
import { until } from "../../support/until.ts";

const program = findRedisServer("tests of the replicas that are running");

test.skipIf(program === null)(
  "only replicas that are running count, and what an ended one has left goes away",
  async () => {
    const redis = await startRedisServer(program!);
    const link = new BunRedisLink({ url: redis.url, log: logger("test") });
    atEnd(() => link.close());
    await until(() => link.isUp);
    const keys = keysOf("mkt", "anna");
    const [one, two, three] = Array.from({ length: 3 }, () => new Group(link, keys));
    const known = async () => [
      (await link.send("ZRANGE", [keys.replicas, "0", "-1"]) as string[]).toSorted(),
      (await link.send("HKEYS", [keys.followed]) as string[]).toSorted(),
    ];
    const ids = (...groups: (Group | undefined)[]) => Array(2).fill(groups.map((group) => group!.id).toSorted());

    // A replica counts for a short time only; here it does until the test says otherwise.
    const beat = async (group: Group | undefined, version: number) => {
      const running = await group!.beat(version);
      await link.send("ZADD", [keys.replicas, "1e15", group!.id]);
      return running;
    };
    expect([await beat(one, 3), await beat(two, 2), await beat(three, 1)]).toEqual([1, 2, 3]);
    expect(await known()).toEqual(ids(one, two, three));
    expect(await Promise.all([1, 2, 3].map((version) => one!.followers(version)))).toEqual([
      { others: 2, followed: 2 },
      { others: 2, followed: 1 },
      { others: 2, followed: 0 },
    ]);
    for (const key of [keys.replicas, keys.followed]) expect(await link.send("TTL", [key])).toBeGreaterThan(80_000);

    // The third one has said nothing for long.
    await link.send("ZADD", [keys.replicas, "1000", three!.id]);
    expect(await one!.followers(1)).toEqual({ others: 1, followed: 1 });
    expect(await beat(one, 3)).toBe(2);
    expect(await known()).toEqual(ids(one, two));

    await two!.leave();
    expect(await known()).toEqual(ids(one));
    expect(await two!.followers(3)).toEqual({ others: 1, followed: 1 });
  },
);
