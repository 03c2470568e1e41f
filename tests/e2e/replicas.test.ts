// What the replicas of a group share, over MCP and HTTP: the connection, the kill switch, questions to a person, rate limits.
// And what they do without Redis. Idempotency keys and caps over many orders are the engine's, whoever sends the orders.

import { beforeAll, describe, expect, test } from "bun:test";
import { REQUEST_HEADER, type SessionState } from "../../web/contract/session.ts";
import { connectHttp, failure, succeed, type TestClient } from "../support/clients.ts";
import { CuttingProxy } from "../support/cutting-proxy.ts";
import { runMktHere } from "../support/command-line-here.ts";
import { modernCall, modernHeaders } from "../support/raw-request.ts";
import { findRedisServer } from "../support/redis-server.ts";
import { until } from "../support/until.ts";
import type { HttpServerHere } from "../support/in-process.ts";
import { Cluster } from "./support/cluster.ts";
import { post, postCall } from "../support/http-requests.ts";
import { MARKET_FILE, NORTH, submit } from "./support/market.ts";

const redisServer = findRedisServer("tests of replicas");
const ORDER = { contractId: NORTH, side: "BUY", price: 1_000, quantity: 1 };
const REPLICAS = 2;

interface Facts {
  readonly redis: { readonly status: string; readonly lastError: string | null; readonly replicas: number | null };
  readonly pubsub: { readonly status: string; readonly userId: string | null };
}

async function factsOf(client: TestClient): Promise<Facts> {
  return (await succeed(client, "mkt_connection_status"))["connections"] as unknown as Facts;
}

const codeOf = (value: Record<string, unknown>) => (value["error"] as { code?: string } | undefined)?.code;

/** The market can be changed. */
async function submitAndCancel(client: TestClient): Promise<void> {
  const { orderId } = await submit(client, "BUY", 1_000, 1);
  await succeed(client, "mkt_cancel_order", { orderId });
}

async function expectFrozen(client: TestClient, ...words: readonly string[]): Promise<void> {
  const { value, text } = await client.call("mkt_create_test_order", ORDER);
  expect(codeOf(value)).toBe("frozen");
  for (const each of words) expect(text).toContain(each);
}

describe.skipIf(redisServer === null)("replicas that share a Redis server", () => {
  let cluster: Cluster;
  let replicas: readonly [HttpServerHere, HttpServerHere];
  let clients: TestClient[];

  beforeAll(async () => {
    cluster = await Cluster.start({
      redisServer: redisServer!,
      replicas: 0,
      userId: "operator",
      market: MARKET_FILE,
      env: { MKT_CONFIRM: "elicit" },
    });
    replicas = [await cluster.further(), await cluster.further()];
    clients = await Promise.all(replicas.map((replica) => replica.client()));
    await succeed(clients[0]!, "mkt_connect_pubsub");
  });

  const freezing = (...args: string[]) => runMktHere(args, { MKT_REDIS_URL: cluster.redis.url });

  /** Two further replicas of another group, connected. */
  async function pairOf(userId: string, env: Record<string, string>) {
    const pair = [await cluster.further(env, userId), await cluster.further(env, userId)];
    const both = await Promise.all(pair.map((replica) => replica.client()));
    await succeed(both[0]!, "mkt_connect_pubsub");
    return { pair, both };
  }

  test("are connected all if one connects, and disconnected all if one disconnects; a new one follows", async () => {
    const [one, other] = clients as [TestClient, TestClient];
    const notConnected = async (client: TestClient) => codeOf(await failure(client, "mkt_list_orders"));
    await succeed(other, "mkt_list_orders");
    expect(codeOf(await failure(other, "mkt_connect_pubsub", { userId: "anna" }))).toBe("already_connected");
    await succeed(other, "mkt_disconnect_pubsub");
    expect((await factsOf(one)).pubsub).toMatchObject({ status: "disconnected", userId: null });
    expect(await notConnected(one)).toBe("not_connected");
    for (const { url } of replicas) expect((await fetch(`${url}/ready`)).status).toBe(200);
    const third = await (await cluster.further()).client();
    expect(await notConnected(third)).toBe("not_connected");
    await succeed(third, "mkt_connect_pubsub");
    expect((await factsOf(one)).pubsub).toMatchObject({ status: "connected", userId: "operator" });
    for (const client of clients) await succeed(client, "mkt_list_orders");
    const fourth = await (await cluster.further()).client();
    await succeed(fourth, "mkt_list_orders");
    expect((await factsOf(fourth)).pubsub).toMatchObject({ status: "connected", userId: "operator" });
    expect(codeOf(await failure(fourth, "mkt_connect_pubsub", { userId: "anna" }))).toBe("already_connected");
    await until(() => factsOf(one), ({ redis }) => redis.replicas === REPLICAS + 2);
  });

  test("show at once what another one has answered: the order, the book and the events", async () => {
    for (let round = 0; round < 6; round += 1) {
      const [writer, reader] = [clients[round % REPLICAS]!, clients[(round + 1) % REPLICAS]!];
      const before = await succeed(writer, "mkt_watch_orders", { limit: 1 });
      const price = 2_000 + round;
      const { orderId } = await succeed(writer, "mkt_create_test_order", { ...ORDER, price });
      expect(await succeed(reader, "mkt_get_order", { orderId })).toMatchObject({ id: orderId, price });
      const book = await succeed(reader, "mkt_get_order_book", { contractId: NORTH });
      expect(JSON.stringify(book)).toContain(`"price":${price}`);
      const page = await succeed(reader, "mkt_watch_orders", { since: before["latestSequence"], limit: 1000 });
      expect(page["events"]).toMatchObject([{ type: "new.order", data: { id: orderId } }]);
      await succeed(reader, "mkt_cancel_order", { orderId });
      expect(await succeed(writer, "mkt_list_orders", { status: "working" })).toMatchObject({ total: 0 });
    }
  });

  test("count requests against MCP_RATE_LIMIT together", async () => {
    const limit = 10;
    const { pair: [one, other] } = await pairOf("viewer", { MCP_RATE_LIMIT: String(limit) });
    const send = async (server: HttpServerHere) =>
      (await post(server, modernCall("mkt_ping", {}), modernHeaders("tools/call", "mkt_ping"))).status;
    // Neither alone gets as many as it may have. The replicas count in windows of a second, so one attempt may fall into two.
    const attempt = () =>
      Promise.all([one!, other!].flatMap((replica) => Array.from({ length: limit - 1 }, () => send(replica))));
    const statuses = await until(attempt, (all) => all.includes(429));
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(2 * limit);
  });

  test("ask a person once: the answer counts at any of them, and at one only", async () => {
    const halt = (server: HttpServerHere, further: Record<string, unknown> = {}) =>
      postCall(server, "mkt_halt_market", {}, { capabilities: { elicitation: {} }, ...further });
    const [one, other] = replicas;
    const inputResponses = { confirmation: { action: "accept", content: { agree: true } } };
    const isDone = ({ result }: Awaited<ReturnType<typeof halt>>) => result !== undefined && result.isError !== true;

    const { result: asked } = await halt(one);
    expect(asked).toMatchObject({ resultType: "input_required" });
    const answer = { inputResponses, requestState: asked?.requestState };
    expect(isDone(await halt(other, answer))).toBe(true);
    expect(await succeed(clients[0]!, "mkt_get_market_state")).toMatchObject({ halted: true });
    await succeed(clients[0]!, "mkt_resume_market");
    expect(isDone(await halt(one, answer))).toBe(false);
    expect(await succeed(clients[1]!, "mkt_get_market_state")).toMatchObject({ halted: false });

    for (let round = 0; round < 2; round += 1) {
      const { result } = await halt(other);
      const again = { inputResponses, requestState: result?.requestState };
      const outcomes = await Promise.all([halt(one, again), halt(other, again), halt(one, again)]);
      expect(outcomes.filter(isDone)).toHaveLength(1);
      await succeed(clients[round % REPLICAS]!, "mkt_resume_market");
    }
  });

  describe("frozen by mkt freeze", () => {
    test("refuse changes from the next call on, all of them and other groups, until mkt thaw", async () => {
      const { both: [anna] } = await pairOf("anna", {});
      for (let round = 0; round < 2; round += 1) {
        expect(await freezing("freeze", "prices", "look", "wrong")).toMatchObject({ exitCode: 0 });
        for (const client of [...clients, anna!]) await expectFrozen(client, "prices look wrong", "mkt thaw");
        expect(await freezing("thaw")).toMatchObject({ exitCode: 0 });
        for (const client of clients) await submitAndCancel(client);
      }
    });

    test("refuse changes from the next call on if one of them was frozen in the dashboard", async () => {
      const [one, other] = replicas;
      const headers = { [REQUEST_HEADER]: "none", "Content-Type": "application/json" };
      const body = JSON.stringify({ access: "control" });
      const signedIn = await fetch(`${one.url}/dashboard/session`, { method: "POST", headers, body });
      const { requestToken } = await signedIn.json() as SessionState;
      const cookie = signedIn.headers.get("Set-Cookie")!.split(";")[0]!;
      const frozen = await fetch(`${one.url}/dashboard/freeze`, {
        method: "POST",
        headers: { ...headers, [REQUEST_HEADER]: requestToken!, Cookie: cookie },
        body: JSON.stringify({ reason: "from the page" }),
      });
      expect(frozen.status).toBe(200);
      for (const { url } of [other, one]) await expectFrozen(await connectHttp("v2", url), "from the page");
      expect(await freezing("thaw")).toMatchObject({ exitCode: 0 });
    });
  });

  test("show new events also while one of them has lost its connection to the engine, which alone is not ready", async () => {
    const proxy = await CuttingProxy.to(cluster.engine.port);
    const { url } = await cluster.further({ MKT_WS_URL: proxy.url });
    const lonely = await connectHttp("v2", url);
    const ready = async (each: string) => (await fetch(`${each}/ready`)).status;
    await until(() => factsOf(lonely), ({ pubsub }) => pubsub.status === "connected");
    expect(await ready(url)).toBe(200);
    const { latestSequence: since } = await succeed(lonely, "mkt_watch_orders", { limit: 1 });
    await proxy[Symbol.asyncDispose]();
    await until(() => factsOf(lonely), ({ pubsub }) => pubsub.status === "reconnecting");
    const { orderId } = await submit(clients[0]!, "BUY", 1_000, 1);
    const page = await succeed(lonely, "mkt_watch_orders", { since, limit: 1000 });
    expect(page).toMatchObject({ missed: 0, stale: true, events: [{ type: "new.order", data: { id: orderId } }] });
    expect(codeOf(await failure(lonely, "mkt_cancel_order", { orderId }))).toBe("not_connected");
    expect([await ready(url), ...await Promise.all(replicas.map((each) => ready(each.url)))]).toEqual([503, 200, 200]);
    await succeed(clients[0]!, "mkt_cancel_order", { orderId });
  });

  describe("while Redis hangs", () => {
    beforeAll(() => cluster.redis.suspend());

    test("go on reading, and refuse changes, without waiting for it", async () => {
      for (const client of clients) {
        await succeed(client, "mkt_list_orders", { status: "working" });
        expect(codeOf(await failure(client, "mkt_create_test_order", ORDER))).toBe("backend_unavailable");
        expect((await factsOf(client)).redis.status).toBe("unavailable");
      }
    });

    test("change the market again when it answers again", async () => {
      cluster.redis.resume();
      for (const client of clients) {
        await until(() => factsOf(client), ({ redis }) => redis.status === "connected");
        await submitAndCancel(client);
      }
    });
  });

  describe("while Redis is away", () => {
    let orderId: unknown;

    beforeAll(async () => {
      ({ orderId } = await submit(clients[0]!, "BUY", 1_000, 1));
      // Without Redis, a replica does not wait for what another one has answered.
      for (const client of clients) await succeed(client, "mkt_get_order", { orderId });
      await cluster.redis.kill();
      for (const client of clients) await until(() => factsOf(client), ({ redis }) => redis.status === "unavailable");
    });

    test("go on reading, and say that Redis is unavailable", async () => {
      for (const [at, client] of clients.entries()) {
        expect(await succeed(client, "mkt_get_order", { orderId })).toMatchObject({ id: orderId });
        expect(await succeed(client, "mkt_watch_orders", { limit: 1 })).toMatchObject({ count: 1 });
        const { redis, pubsub } = await factsOf(client);
        expect(redis).toMatchObject({ status: "unavailable" });
        expect(redis.lastError).not.toBeNull();
        expect(pubsub.status).toBe("connected");
        const health = await fetch(`${replicas[at]!.url}/health`);
        expect(await health.json()).toMatchObject({ redis: "unavailable" });
      }
    });

    test("refuse changes, saying why and that nothing was sent, and still cancel", async () => {
      for (const client of clients) {
        const { value, text } = await client.call("mkt_create_test_order", ORDER);
        expect(value).toMatchObject({ orderId: null, error: { code: "backend_unavailable" } });
        expect(text).toContain("nothing was sent. Redis is unavailable");
        expect(await succeed(client, "mkt_list_orders", { status: "working" })).toMatchObject({ total: 1 });
      }
      await succeed(clients[1]!, "mkt_cancel_order", { orderId });
      await until(() => succeed(clients[0]!, "mkt_list_orders", { status: "working" }), ({ total }) => total === 0);
    });

    test("refuse confirmations, and mkt freeze says that it did not freeze", async () => {
      const refused = await postCall(replicas[0]!, "mkt_halt_market", {}, { capabilities: { elicitation: {} } });
      expect(JSON.stringify(refused)).toContain("backend_unavailable");
      const { exitCode, stderr } = await freezing("freeze");
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/NOT frozen|not frozen/);
    });

    test("change the market again when it is back with nothing that it had, and a new one has their events", async () => {
      await comeBackEmpty();
      const { orderId } = await submit(clients[0]!, "BUY", 1_000, 1);
      await succeed(clients[1]!, "mkt_cancel_order", { orderId });
      const further = await (await cluster.further()).client();
      const eventsOf = (client: TestClient) => succeed(client, "mkt_get_recent_events", { since: 0, limit: 1000 });
      expect(await eventsOf(further)).toEqual(await eventsOf(clients[0]!));
      expect((await eventsOf(further))["events"]).not.toHaveLength(0);
    });

    test("stay frozen, and disconnected, when it is back with nothing that it had", async () => {
      expect(await freezing("freeze", "for the night")).toMatchObject({ exitCode: 0 });
      for (const client of clients) await expectFrozen(client);
      await succeed(clients[0]!, "mkt_disconnect_pubsub");
      await cluster.redis.kill();
      await comeBackEmpty();
      for (const client of clients) {
        expect(codeOf(await failure(client, "mkt_list_orders"))).toBe("not_connected");
      }
      await succeed(clients[1]!, "mkt_connect_pubsub");
      const further = await (await cluster.further()).client();
      for (const client of [...clients, further]) await expectFrozen(client, "for the night");
      expect(await freezing("thaw")).toMatchObject({ exitCode: 0 });
      await submitAndCancel(further);
    });
  });

  async function comeBackEmpty(): Promise<void> {
    cluster.redis.loseData();
    await cluster.redis.start();
    await until(async () => {
      const all = await Promise.all(clients.map(factsOf));
      return all.every(({ redis }) => redis.status === "connected");
    }, "all replicas to find Redis again");
  }
});
