import { describe, expect, test } from "bun:test";
import { logger } from "../../../common/logger.ts";
import { ToolError } from "../../../core/error.ts";
import { BunRedisLink } from "../../../replicas/redis/bun-redis-link.ts";
import { keysOf } from "../../../replicas/redis/keys.ts";
import { SharedPendingStates } from "../../../replicas/group/shared-pending-states.ts";
import { MAX_PENDING, PENDING_SECONDS } from "../../../core/tools/pending-states.ts";
import { atEnd } from "../../support/at-end.ts";
import { findRedisServer, type RedisServer, startRedisServer } from "../../support/redis-server.ts";
import { until } from "../../support/until.ts";

const program = findRedisServer("tests of request states that replicas share");

describe.skipIf(program === null)("request states that replicas share", async () => {
  const redis = program === null ? null! : await startRedisServer(program);

  async function statesOf(userId: string, server: RedisServer = redis): Promise<SharedPendingStates> {
    const log = logger("test");
    const link = new BunRedisLink({ url: server.url, log });
    atEnd(() => link.close());
    await until(() => link.isUp);
    return new SharedPendingStates(link, keysOf("mkt", userId), log);
  }

  test("one of all replicas takes a state, once, and only for its caller", async () => {
    const replicas = await Promise.all(["anna", "anna", "anna"].map((userId) => statesOf(userId)));
    await replicas[0]!.put("state", "agent");
    expect(await replicas[1]!.take("state", "other")).toBe(false);
    expect(await replicas[1]!.take("state", null)).toBe(false);
    const taken = await Promise.all([...replicas, ...replicas].map((states) => states.take("state", "agent")));
    expect(taken.filter(Boolean).length).toBe(1);
    expect(await (await statesOf("bob")).take("state", "agent")).toBe(false);
  });

  test("all replicas of a group have the same key, and other groups another", async () => {
    const [one, two, other] = await Promise.all(["carl", "carl", "dora"].map((userId) => statesOf(userId)));
    const keys = await Promise.all([one!.key(), two!.key()]);
    expect(keys[0]).toEqual(keys[1]!);
    expect(keys[0]!.length).toBe(32);
    expect(await other!.key()).not.toEqual(keys[0]!);
    expect(await one!.key()).toBe(keys[0]!);
  });

  test("the key is put back if Redis has lost it", async () => {
    const own = await startRedisServer(program!);
    const [one, two] = await Promise.all(["emil", "emil"].map((userId) => statesOf(userId, own)));
    const key = await one!.key();
    await own.clear();
    expect(await one!.key()).toBe(key);
    expect(await two!.key()).toEqual(key);
  });

  test("a caller's oldest states are dropped beyond the limit, and nobody else's", async () => {
    const states = await statesOf("fay");
    await states.put("mine", "quiet");
    for (let id = 0; id <= MAX_PENDING; id += 1) await states.put(`state-${String(id).padStart(4, "0")}`, "loud");
    expect(await states.take("state-0000", "loud")).toBe(false);
    expect(await states.take("state-0001", "loud")).toBe(true);
    expect(await states.take("mine", "quiet")).toBe(true);
  });

  test("an expired state can't be taken", async () => {
    const states = await statesOf("gus");
    await states.put("state", null);
    await redis.command("ZADD", keysOf("mkt", "gus").pendingStates(null), "1000", "state");
    expect(await states.take("state", null)).toBe(false);
  });

  test("a state is kept for five minutes, and goes away with those that have expired and with its key", async () => {
    const states = await statesOf("ida");
    const key = keysOf("mkt", "ida").pendingStates("agent");
    await states.put("old", "agent");
    await redis.command("ZADD", key, "1000", "old");
    const [before] = await redis.command("TIME") as [string];
    await states.put("new", "agent");
    const [after] = await redis.command("TIME") as [string];
    expect(await redis.command("ZRANGE", key, "0", "-1")).toEqual(["new"]);
    const until = Number(await redis.command("ZSCORE", key, "new"));
    expect(until).toBeWithin(Number(before) + PENDING_SECONDS, Number(after) + PENDING_SECONDS + 1);
    // The key outlives its newest state, and not for long.
    const expiry = Number(after) + Number(await redis.command("TTL", key));
    expect(expiry).toBeGreaterThanOrEqual(until);
    expect(await redis.command("TTL", key)).toBeWithin(1, PENDING_SECONDS + 2);
  });

  test("without Redis nobody is asked, and the reason is said", async () => {
    const own = await startRedisServer(program!);
    const states = await statesOf("hal", own);
    await own.kill();
    for (const refused of [states.put("state", null), states.take("state", null), states.key()]) {
      const error = await refused.then(() => null, (error: unknown) => error);
      expect(error).toBeInstanceOf(ToolError);
      expect((error as ToolError).code).toBe("backend_unavailable");
    }
  });
});
