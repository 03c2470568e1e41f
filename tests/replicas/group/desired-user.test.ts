import { describe, expect, test } from "bun:test";
import { logger } from "../../../common/logger.ts";
import { BEAT_MS } from "../../../replicas/group/group.ts";
import { Register } from "../../../replicas/group/register.ts";
import { desiredUserText } from "../../../replicas/group/desired-user.ts";
import { BunRedisLink } from "../../../replicas/redis/bun-redis-link.ts";
import { resultOf } from "../../core/support/results.ts";
import { Desk, part, type Seat, text } from "../../plugins/support/desk.ts";
import { findRedisServer, type RedisServer, startRedisServer } from "../../support/redis-server.ts";
import { until } from "../../support/until.ts";

const ALICE = "alice";
const BOB = "bob";
const program = findRedisServer("tests of the connection that replicas share");

describe.skipIf(program === null)("the desired state of a group of replicas", async () => {
  const desk = program === null ? null! : await Desk.open();
  /** Shared by tests that don't end it: a first connect waits if Redis has started within two seconds. */
  const shared = program === null ? null! : await startRedisServer(program);

  /** Replicas that run with MKT_USER_ID=ALICE, and the Redis of this test. */
  async function replicas(
    count: number,
    redis = shared,
  ): Promise<{ readonly redis: RedisServer; readonly seats: Seat[] }> {
    await redis.clear();
    const seats = await Promise.all(Array.from({ length: count }, () => replica(redis)));
    await until(() => seats.every(({ runtime }) => facts(runtime).replicas === count));
    return { redis, seats };
  }

  async function replica(redis: RedisServer, automaticUser: string | null = null): Promise<Seat> {
    const seat = await desk.seat(ALICE, { MKT_REDIS_URL: redis.url });
    await seat.runtime.services.replicas?.start(automaticUser);
    return seat;
  }

  function facts({ services }: Seat["runtime"]) {
    const known = services.redis();
    return known.status === "not_configured" ? { ...known, replicas: null, lastError: null } : known;
  }

  const users = (seats: readonly Seat[]) => seats.map(({ runtime }) => runtime.services.pubsub.facts().userId);

  test("a connect connects all replicas, also one that starts later, and a disconnect disconnects all", async () => {
    const { redis, seats: [one, two] } = await replicas(2);
    await one!.ok("mkt_connect_pubsub");
    await until(() => users([two!])[0] === ALICE && two!.runtime.services.pubsub.status === "connected");
    const three = await replica(redis);
    expect(users([three])).toEqual([ALICE]);
    await until(() => facts(one!.runtime).replicas === 3);
    const { message } = await two!.ok("mkt_disconnect_pubsub");
    expect(message).toBe(
      `Disconnected; the acting user was ${ALICE}. 2 other replicas of this server disconnected, too.`,
    );
    expect(users([one!, two!, three])).toEqual([null, null, null]);
  });

  test("another replica finds the connection at once, and refuses a second user, with the name of the first", async () => {
    const { seats: [one, two] } = await replicas(2);
    await one!.ok("mkt_connect_pubsub");
    expect(text(await two!.ok("mkt_get_market_state"), "status")).toBe("open");
    const failure = await two!.failure("mkt_connect_pubsub", { userId: BOB });
    expect(failure["code"]).toBe("already_connected");
    expect(text(failure, "message")).toContain(ALICE);
    await two!.ok("mkt_disconnect_pubsub");
    await two!.ok("mkt_connect_pubsub", { userId: BOB });
    await until(() => users([one!])[0] === BOB);
  });

  test("of two users that connect at the same time one is refused", async () => {
    const { seats } = await replicas(2);
    const answers = await Promise.all(
      [ALICE, BOB].map((userId, at) => seats[at]!.call("mkt_connect_pubsub", { userId })),
    );
    expect(answers.filter(({ isError }) => isError).length).toBe(1);
    const refused = answers.find(({ isError }) => isError)!;
    expect(text(part(refused.value, "error"), "code")).toBe("already_connected");
    await until(() => new Set(users(seats)).size === 1 && users(seats)[0] !== null);
  });

  test("somebody who only views can't undo a disconnect of another replica", async () => {
    const { seats: [one, two] } = await replicas(2);
    const asViewer = async (seat: Seat) => {
      const scope = { signal: AbortSignal.timeout(600_000), access: "view" } as const;
      return await resultOf(seat.runtime.dispatcher.call("mkt_connect_pubsub", {}, scope));
    };
    expect((await asViewer(one!))?.isError).not.toBe(true);
    await one!.runtime.services.pubsub.disconnect();
    const refused = await asViewer(two!);
    expect(refused?.isError).toBe(true);
    expect(JSON.stringify(refused)).toContain("only reads");
    expect(users([one!, two!])).toEqual([null, null]);
  });

  test("MKT_AUTO_CONNECT connects, but not after an operator has disconnected", async () => {
    const { redis, seats: [one] } = await replicas(1);
    const two = await replica(redis, ALICE);
    expect(users([two])).toEqual([ALICE]);
    await until(() => users([one!])[0] === ALICE);
    await one!.ok("mkt_disconnect_pubsub");
    const three = await replica(redis, ALICE);
    expect(users([three])).toEqual([null]);
  });

  test("Redis that has lost its data learns the desired user again, also that there is none", async () => {
    const { redis, seats: [one] } = await replicas(1);
    await one!.ok("mkt_connect_pubsub");
    await redis.clear();
    const two = await until(() => redis.command("EXISTS", `mkt:{${ALICE}}:desired-user`)).then(() => replica(redis));
    expect(users([two])).toEqual([ALICE]);
    await one!.ok("mkt_disconnect_pubsub");
    await redis.clear();
    await until(() => redis.command("EXISTS", `mkt:{${ALICE}}:desired-user`));
    expect(users([await replica(redis, ALICE)])).toEqual([null]);
  });

  test("a disconnect that Redis has lost, and a replica remembers, takes precedence over a connect that does not know it", async () => {
    const redis = await startRedisServer(program!);
    const links = [1, 2].map(() => new BunRedisLink({ url: redis.url, log: logger("test") }));
    await Promise.all(links.map((link) => link.connected(50_000)));
    const [remembers, quicker] = links.map((link) => new Register(link, "desired-user"));
    const { version } = await remembers!.change(desiredUserText(null));
    await redis.clear();
    await quicker!.read();
    // As MKT_AUTO_CONNECT does, or a replica that connected while Redis was away.
    await quicker!.changeFrom(0, desiredUserText(ALICE));
    await remembers!.read();
    await quicker!.read();
    expect(remembers!.known).toEqual({ version, value: desiredUserText(null) });
    expect(quicker!.known).toEqual({ version, value: desiredUserText(null) });
    for (const link of links) link.close();
  });

  test("a replica follows the desired state also if Redis refuses what it writes", async () => {
    const { redis, seats: [one] } = await replicas(1);
    await redis.command("SET", `mkt:{${ALICE}}:replicas`, "of another type");
    await until(() => facts(one!.runtime).status === "unavailable");
    await redis.command("HSET", `mkt:{${ALICE}}:desired-user`, "version", "1", "value", desiredUserText(ALICE));
    await until(() => users([one!])[0] === ALICE);
  });

  test("a replica that may not act as the desired user says so in the status of its connection", async () => {
    const { redis, seats: [one] } = await replicas(1);
    const narrow = await desk.seat(ALICE, { MKT_REDIS_URL: redis.url, MKT_ALLOWED_USER_IDS: ALICE });
    await one!.ok("mkt_connect_pubsub", { userId: BOB });
    await until(() => narrow.runtime.services.pubsub.facts().lastError !== null);
    expect(narrow.runtime.services.pubsub.facts().lastError).toContain("MKT_ALLOWED_USER_IDS");
    await one!.ok("mkt_disconnect_pubsub");
    await until(() => narrow.runtime.services.pubsub.facts().lastError === null);
  });

  test("without Redis a connect is this replica's alone, a disconnect is refused, and the desired user is set when Redis is back", async () => {
    const { redis, seats: [one, two] } = await replicas(2, await startRedisServer(program!));
    await one!.ok("mkt_connect_pubsub");
    await until(() => users([two!])[0] === ALICE);
    await two!.ok("mkt_disconnect_pubsub");
    await redis.kill();
    await until(() => facts(one!.runtime).status === "unavailable" && facts(two!.runtime).status === "unavailable");
    await one!.ok("mkt_connect_pubsub");
    expect((await one!.failure("mkt_disconnect_pubsub"))["code"]).toBe("backend_unavailable");
    // Two beats pass, in which nothing takes the connection away.
    const before = performance.now();
    await until(() => performance.now() - before > 2 * BEAT_MS);
    expect(users([one!, two!])).toEqual([ALICE, null]);
    await redis.start();
    await until(() => users([two!])[0] === ALICE);
    expect(users([one!])).toEqual([ALICE]);
  });
});
