import { describe, expect, test } from "bun:test";
import { RateLimit } from "../../../common/http/rate-limit.ts";
import { logger } from "../../../common/logger.ts";
import { BunRedisLink } from "../../../replicas/redis/bun-redis-link.ts";
import { keysOf } from "../../../replicas/redis/keys.ts";
import { sharedRateCounter } from "../../../replicas/group/shared-rate-counter.ts";
import { atEnd } from "../../support/at-end.ts";
import { findRedisServer, type RedisServer, startRedisServer } from "../../support/redis-server.ts";
import { until } from "../../support/until.ts";

const program = findRedisServer("tests of rate limits that replicas share");
const PER_SECOND = 40;

describe.skipIf(program === null)("a rate limit that replicas share", async () => {
  const redis = program === null ? null! : await startRedisServer(program);

  async function limitOf(name: string, server: RedisServer = redis): Promise<RateLimit> {
    const link = new BunRedisLink({ url: server.url, log: logger("test") });
    atEnd(() => link.close());
    await until(() => link.isUp);
    return new RateLimit(PER_SECOND, sharedRateCounter(link, keysOf("mkt", "anna").rate(name), PER_SECOND));
  }

  /** How many of so many requests at once are admitted by replicas that take turns. */
  async function admitted(replicas: readonly RateLimit[], client: string, requests: number): Promise<number> {
    const answers = Array.from({ length: requests }, (_, at) => replicas[at % replicas.length]!.admits(client));
    return (await Promise.all(answers)).filter(Boolean).length;
  }

  test("counts over all replicas, each client and each limit by itself", async () => {
    const replicas = await Promise.all([1, 2, 3].map(() => limitOf("requests")));
    // A window may end meanwhile on a slow machine, and a second one begin.
    const count = await admitted(replicas, "agent", 300);
    expect([PER_SECOND, 2 * PER_SECOND]).toContain(count);
    expect(await replicas[0]!.admits("other")).toBe(true);
    expect(await (await limitOf("unauthorized")).admits("agent")).toBe(true);
  });

  test("admits a client again after the window", async () => {
    const replicas = await Promise.all([1, 2].map(() => limitOf("again")));
    await admitted(replicas, "agent", 100);
    await until(() => replicas[0]!.admits("agent"));
    await until(() => replicas[1]!.admits("agent"));
  });

  test("counts on each replica alone while Redis is away", async () => {
    const own = await startRedisServer(program!);
    const replicas = await Promise.all([1, 2].map(() => limitOf("requests", own)));
    await own.kill();
    const count = await admitted(replicas, "agent", 400);
    expect([2 * PER_SECOND, 3 * PER_SECOND, 4 * PER_SECOND]).toContain(count);
  });
});
