import { describe, expect, test } from "bun:test";
import { RedisClient } from "bun";
import { RateLimit } from "../../../common/http/rate-limit.ts";
import { logger } from "../../../common/logger.ts";
import type { JoinOptions } from "../../../core/tools/replicas.ts";
import { joinReplicas } from "../../../replicas/join-replicas.ts";
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

  test("is one limit for all replicas of a server, from the first request on, and another one for failures", async () => {
    const [one, two] = [1, 2].map(() => {
      const options = { url: redis.url, namespace: "server", userId: "anna", role: "visitor", log: logger("test") };
      const { replicas } = joinReplicas(options as JoinOptions);
      atEnd(() => replicas.close());
      return replicas;
    });
    for (const replicas of [one!, two!]) await until(() => replicas.facts().status === "connected");
    const [ofOne, ofTwo, failures] = [
      [one!, "requests"] as const,
      [two!, "requests"] as const,
      [two!, "unauthorized"] as const,
    ].map(([replicas, name]) => new RateLimit(PER_SECOND, replicas.rateCounter(name, PER_SECOND)));
    // A window may end between the two on a slow machine. Each attempt is another client, so none adds to its count.
    const outcomes: string[] = [];
    for (let attempt = 0; attempt < 20 && !outcomes.includes("refused"); attempt += 1) {
      expect(await ofOne!.admits(`agent-${attempt}`, PER_SECOND)).toBe(true);
      outcomes.push(await ofTwo!.admits(`agent-${attempt}`) ? "admitted" : "refused");
      expect(await failures!.admits(`agent-${attempt}`)).toBe(true);
    }
    expect(outcomes.at(-1)).toBe("refused");
  });

  test("counts from the first request of a window on: later ones don't make it longer", async () => {
    const link = new BunRedisLink({ url: redis.url, log: logger("test") });
    atEnd(() => link.close());
    await until(() => link.isUp);
    const counter = sharedRateCounter(link, "steady", PER_SECOND);
    const client = new RedisClient(redis.url);
    atEnd(() => client.close());
    // A window that can't end during the test.
    await client.send("SET", ["steady:agent", "3", "PX", "60000000"]);
    const { consumedPoints, msBeforeNext } = await counter.consume("agent", 1);
    expect(consumedPoints).toBe(4);
    expect(msBeforeNext).toBeGreaterThan(50_000_000);
  });

  test("admits a client again after the window", async () => {
    const replicas = await Promise.all([1, 2].map(() => limitOf("again")));
    await admitted(replicas, "agent", 100);
    await until(() => replicas[0]!.admits("agent"));
    await until(() => replicas[1]!.admits("agent"));
  });

  test("ends the window of a client also if Redis has lost its end", async () => {
    const limit = await limitOf("lost");
    await limit.admits("agent");
    const [key = expect.unreachable()] = await redis.command("KEYS", "*rate:lost*") as string[];
    expect(await redis.command("PTTL", key)).toBeLessThanOrEqual(1_000);
    await redis.command("SET", key, "0");
    await limit.admits("agent");
    expect(await redis.command("PTTL", key)).not.toBe(-1);
  });

  test("counts on each replica alone while Redis is away", async () => {
    const own = await startRedisServer(program!);
    const replicas = await Promise.all([1, 2].map(() => limitOf("requests", own)));
    await own.kill();
    const count = await admitted(replicas, "agent", 400);
    expect([2 * PER_SECOND, 3 * PER_SECOND, 4 * PER_SECOND]).toContain(count);
  });
});
