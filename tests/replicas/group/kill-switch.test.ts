import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { freeze, thaw } from "../../../cli/server/freeze.ts";
import { ToolError } from "../../../core/error.ts";
import { Desk, type Seat } from "../../plugins/support/desk.ts";
import { BASE } from "../../plugins/support/market.ts";
import { findRedisServer, type RedisServer, startRedisServer } from "../../support/redis-server.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { until } from "../../support/until.ts";

const program = findRedisServer("tests of the kill switch that replicas share");
const ORDER = { contractId: BASE, side: "BUY", price: 100, quantity: 1 };

describe.skipIf(program === null)("the kill switch of replicas", async () => {
  const desk = program === null ? null! : await Desk.open();
  const redis = program === null ? null! : await startRedisServer(program);

  /** At an address without a Redis. Two tries of `mkt freeze`, each of which waits for it, while the other tests run. */
  const unreachable = { url: "redis://127.0.0.1:1", namespace: "mkt" };
  const paths = [null, join(temporaryDirectory(), "freeze")];
  const givenUp = Promise.all(paths.map((path) => freeze({ path, redis: unreachable }, "")));

  /** A connected replica. Each test has a namespace of its own. */
  async function replica(namespace: string, server = redis, environment: Record<string, string> = {}): Promise<Seat> {
    const seat = await desk.seat("alice", {
      MKT_REDIS_URL: server.url,
      MKT_REDIS_NAMESPACE: namespace,
      ...environment,
    });
    await until(() => seat.runtime.services.redis().status === "connected");
    await seat.ok("mkt_connect_pubsub");
    return seat;
  }

  const target = (namespace: string, server = redis) => ({ path: null, redis: { url: server.url, namespace } });
  const killSwitch = (server: RedisServer, namespace: string) => server.command("EXISTS", `${namespace}:kill-switch`);

  test("mkt freeze refuses changes on every replica from the next call on, cancels go on, and mkt thaw ends it", async () => {
    const seats = [await replica("one"), await replica("one")];
    const { orderId } = await seats[0]!.ok("mkt_create_test_order", ORDER);
    expect(await freeze(target("one"), "prices look wrong")).toEqual({
      done: ["frozen: every replica of namespace one refuses changes from its next call on, until mkt thaw"],
      failed: [],
    });
    for (const seat of seats) {
      const failure = await seat.failure("mkt_create_test_order", ORDER);
      expect(failure).toMatchObject({ status: "rejected", code: "frozen" });
      expect(failure["message"]).toContain("prices look wrong");
    }
    await seats[1]!.ok("mkt_cancel_order", { orderId });
    expect((await thaw(target("one"))).done).toEqual(["thawed: the replicas of namespace one"]);
    await seats[1]!.ok("mkt_create_test_order", ORDER);
    expect((await thaw(target("one"))).done).toEqual(["the replicas of namespace one were not frozen"]);
  });

  test("holds for every group of the namespace, and for no other namespace", async () => {
    const [own, other] = [await replica("two"), await replica("three")];
    const group = await desk.seat("bob", { MKT_REDIS_URL: redis.url, MKT_REDIS_NAMESPACE: "two" });
    await group.ok("mkt_connect_pubsub");
    await freeze(target("two"), "");
    expect((await own.failure("mkt_create_test_order", ORDER))["code"]).toBe("frozen");
    expect((await group.failure("mkt_create_test_order", ORDER))["code"]).toBe("frozen");
    await other.ok("mkt_create_test_order", ORDER);
  });

  test("stays frozen if Redis loses its data, as long as one replica remembers", async () => {
    const own = await startRedisServer(program!);
    const seat = await replica("mkt", own);
    await freeze(target("mkt", own), "careful");
    await until(() => seat.runtime.services.frozen() !== null);
    await own.kill();
    await own.start();
    await until(() => killSwitch(own, "mkt"));
    const late = await replica("mkt", own);
    expect((await late.failure("mkt_create_test_order", ORDER))["message"]).toContain("careful");
    await thaw(target("mkt", own));
    await until(() => [seat, late].every(({ runtime }) => runtime.services.frozen() === null));
    await own.clear();
    await until(() => killSwitch(own, "mkt"));
    await late.ok("mkt_create_test_order", ORDER);
  });

  test("while Redis is away, changes are refused and nothing is sent; reads, cancels and halts go on", async () => {
    const own = await startRedisServer(program!);
    const seat = await replica("mkt", own);
    const { orderId } = await seat.ok("mkt_create_test_order", ORDER);
    await own.kill();
    await until(() => seat.runtime.services.redis().status === "unavailable");
    const failure = await seat.failure("mkt_create_test_order", ORDER);
    expect(failure).toMatchObject({ code: "backend_unavailable" });
    expect(failure["message"]).toContain("nothing was sent");
    await seat.ok("mkt_list_orders", { status: "working" });
    await seat.ok("mkt_cancel_order", { orderId });
    await own.start();
    await until(() => seat.runtime.services.redis().status === "connected");
    await seat.ok("mkt_create_test_order", ORDER);
  });

  test("while Redis has no memory left, changes are refused, and the reason says so", async () => {
    const own = await startRedisServer(program!);
    const seat = await replica("mkt", own);
    await own.command("CONFIG", "SET", "maxmemory", "1");
    await until(() => seat.runtime.services.redis().status === "unavailable");
    const failure = await seat.failure("mkt_create_test_order", ORDER);
    expect(failure).toMatchObject({
      code: "backend_unavailable",
      message: expect.stringMatching(/nothing was sent.*OOM/),
    });
    await seat.ok("mkt_list_orders", { status: "working" });
    expect((await freeze(target("mkt", own), "")).failed[0]).toEndWith("'maxmemory'");
    await own.command("CONFIG", "SET", "maxmemory", "0");
    await until(() => seat.runtime.services.redis().status === "connected");
    await seat.ok("mkt_create_test_order", ORDER);
  });

  test("mkt thaw is written also if Redis knows of no freeze, because a replica may remember one", async () => {
    expect((await thaw(target("five"))).done).toEqual(["the replicas of namespace five were not frozen"]);
    expect(await redis.command("HGET", "five:kill-switch", "value")).toBe("null");
  });

  test("a value that can't be read counts as frozen", async () => {
    const seat = await replica("four");
    await redis.command("HSET", "four:kill-switch", "version", "9000000000000000", "value", "{frozen");
    expect((await seat.failure("mkt_create_test_order", ORDER))["message"]).toContain("counts as frozen");
  });

  test("freezing by file and by Redis says which of them was reached", async () => {
    const own = await startRedisServer(program!);
    const path = join(temporaryDirectory(), "freeze");
    const seat = await replica("mkt", own, { MKT_FREEZE_FILE: path });
    const { services } = seat.runtime;
    await services.freeze("both");
    expect(services.frozen()?.reason).toBe("both");
    expect(await thaw({ ...target("mkt", own), path })).toEqual({
      done: ["thawed", "thawed: the replicas of namespace mkt"],
      failed: [],
    });
    await own.kill();
    await until(() => services.redis().status === "unavailable");
    const error = await services.freeze("half").then(() => null, (error: unknown) => error);
    expect(error).toBeInstanceOf(ToolError);
    expect((error as ToolError).message).toContain("NOT frozen for the replicas");
    expect((error as ToolError).message).toContain("This server is frozen by its file.");
  });

  test("mkt freeze says that it does not reach Redis, and whether it has frozen by file", async () => {
    const not = expect.stringContaining(`NOT frozen for the replicas of namespace mkt, by ${unreachable.url}`);
    const frozen = expect.stringContaining("frozen: every server with MKT_FREEZE_FILE=");
    expect(await givenUp).toEqual([{ done: [], failed: [not] }, { done: [frozen], failed: [not] }]);
  });
});
