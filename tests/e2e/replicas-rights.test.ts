// A user who may not see the orders and the credit of other entities reads everything from all replicas of the user's group. An
// operator who sees all has replicas on the same Redis, in the same namespace. Nothing may leak: neither content nor ids nor
// counts.
//
// The measure is a server of the same user without Redis: each replica must show exactly what it shows. It only knows what the
// engine has sent to this user.

import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { atEnd } from "../support/at-end.ts";
import { connected, succeed, type TestClient } from "../support/clients.ts";
import { type HttpServerHere, httpServerHere } from "../support/in-process.ts";
import { LoadClient, orderIdOf } from "../support/load-client.ts";
import { findRedisServer } from "../support/redis-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { until } from "../support/until.ts";
import { Cluster } from "./support/cluster.ts";
import { everythingShown, type Named, type Shown } from "./support/everything-shown.ts";
import { MARKET_FILE, NORTH } from "./support/market.ts";
import { LONG } from "../support/sizes.ts";

const redisServer = findRedisServer("tests of what replicas show");
const OTHERS_LIMIT = 7_654_321;
const NOTE = "zq-secret-note";
const ORDER_NAME = "zq-secret-order";

/** In this market cleo sees the public things, and the orders of her own entity. Olga's permissions are given. */
async function marketWhere(olgas: readonly string[]): Promise<string> {
  const market = await Bun.file(MARKET_FILE).json();
  for (const user of market.users) if (user.id === "cleo") user.permissions = ["Order.Submit", "Credit.View"];
  market.users.push({ id: "olga", name: "Olga of Cirrus", entityId: "cirrus", permissions: olgas });
  const file = join(temporaryDirectory(), "market.json");
  await Bun.write(file, JSON.stringify(market));
  return file;
}

const SEES_ALL = ["Market.View", "Order.Submit", "Credit.View", "Credit.Manage", "Scope.Global"];
const SEES_OWN = ["Order.Submit", "Credit.View"];

/** Orders of Aurora and Borealis: one that rests, two that trade, one that is cancelled. Returns what is secret of them. */
async function secretOrders(url: string): Promise<string[]> {
  const [anna, bert] = await Promise.all(["anna", "bert"].map((userId) => new LoadClient(url, userId).welcomed()));
  const ids: string[] = [];
  const order = async (client: LoadClient, side: number, price: number) => {
    const clientOrderId = `${ORDER_NAME}-${crypto.randomUUID()}`;
    const payload = { contractId: NORTH, side, price, quantity: 3, timeInForce: "gtc", clientOrderId };
    const id = orderIdOf(await client.request("order.submit", payload, crypto.randomUUID()));
    ids.push(id, clientOrderId);
    return id;
  };
  await order(anna!, 0, 1_111);
  await order(anna!, 1, 5_555);
  await order(bert!, 0, 5_555);
  await bert!.request("order.cancel", { orderId: await order(bert!, 0, 2_222) }, crypto.randomUUID());
  // The end of a connection is an event, which would come while others read.
  atEnd(() => anna!.close());
  atEnd(() => bert!.close());
  return ids;
}

const latest = async (client: TestClient) => {
  const { eventBuffer } = await succeed(client, "mkt_connection_status");
  return (eventBuffer as { latestSequence: number }).latestSequence;
};

async function isConnected(client: TestClient): Promise<boolean> {
  const { connections } = await succeed(client, "mkt_connection_status");
  return (connections as { pubsub: { status: string } }).pubsub.status === "connected";
}

/** Without what differs between two servers that show the same: clocks, their version, and what is behind the connection. */
function comparable(shown: Shown): Map<string, string> {
  const all = new Map<string, string>();
  for (const [asked, text] of shown) {
    const plain = text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME").replace(
      /^id: .*$|"(position|revision|creditRevision|offersFreeze|version)":[^,}]*/gm,
      "",
    );
    if (!asked.startsWith("mkt_connection_status")) all.set(asked, plain);
    else all.set(asked, JSON.stringify((JSON.parse(plain) as Record<string, unknown>)["eventBuffer"]));
  }
  return all;
}

function leaksOf(shown: Shown, secrets: readonly string[]): string[] {
  const leaks: string[] = [];
  const patterns = [...secrets, NOTE, ORDER_NAME, String(OTHERS_LIMIT)].map((secret) => new RegExp(`\\b${secret}\\b`));
  for (const [asked, text] of shown) {
    // An answer may repeat what it was asked for.
    const found = patterns.filter((pattern) => pattern.test(text) && !pattern.test(asked));
    leaks.push(...found.map(({ source }) => `${asked}: ${source}`));
  }
  return leaks;
}

describe.skipIf(redisServer === null)("a user who sees little, on replicas beside an operator's", () => {
  let cluster: Cluster;
  let replicas: HttpServerHere[];
  let control: { readonly url: string; readonly client: TestClient };
  let operator: TestClient;
  let secrets: string[];
  let named: Named;

  beforeAll(async () => {
    const market = await marketWhere(SEES_ALL);
    cluster = await Cluster.start({ redisServer: redisServer!, replicas: 0, userId: "cleo", market });
    replicas = [await cluster.further(), await cluster.further()];
    const server = await httpServerHere(cluster.engine.environmentFor("cleo"));
    control = { url: server.url, client: await server.client() };
    operator = await (await cluster.further({}, "operator")).client();
    // All connect before anything happens, and cleo counts as connected before they do, so all have the same history.
    await new LoadClient(cluster.engine.webSocketUrl, "cleo").welcomed();
    const clients = await Promise.all(replicas.map((replica) => replica.client()));
    for (const client of [operator, control.client, clients[0]!]) await succeed(client, "mkt_connect_pubsub");
    for (const client of clients) await succeed(client, "mkt_list_products");
    const pair = { entityId: "aurora", counterpartyId: "borealis" };
    await succeed(operator, "mkt_set_credit_limit", { ...pair, limitType: "mw", scope: "total", limit: OTHERS_LIMIT });
    await succeed(operator, "mkt_set_documentation_status", { ...pair, status: "docs_in_place", notes: NOTE });
    secrets = await secretOrders(cluster.engine.webSocketUrl);
    named = {
      contractId: [NORTH],
      entityId: ["aurora", "cirrus"],
      counterpartyId: ["borealis"],
      orderId: [secrets[0]!],
      clientOrderId: [secrets[1]!],
      userId: ["anna"],
      productCode: ["NB"],
      since: [0],
      moduleType: ["ORDER", "FILL", "TRADE", "CREDIT", "USER"],
      category: ["order", "credit", "fill"],
    };
  });

  /**
   * What the control and each replica show as of the same event. Connections that come back are events, so it is read again if
   * one came meanwhile.
   */
  async function shownBySame(): Promise<[expected: Shown, ...Shown[]]> {
    const clients = await Promise.all(replicas.map((replica) => replica.client()));
    const newest = () => Promise.all([control.client, ...clients].map(latest));
    for (;;) {
      for (const client of [operator, control.client, ...clients]) await until(() => isConnected(client));
      const [before] = await until(newest, (all) => new Set(all).size === 1);
      const expected = await everythingShown(control.url, named);
      const shown: Shown[] = [];
      for (const { url } of replicas) shown.push(await everythingShown(url, named));
      if ((await newest()).every((each) => each === before)) return [expected, ...shown];
    }
  }

  async function restarted(index: number): Promise<TestClient> {
    await replicas[index]!.stop();
    replicas[index] = await cluster.further();
    return await replicas[index].client();
  }

  /** What a replica shows is what the control shows, and the operator's replica shows the secrets. */
  async function expectNoLeak(): Promise<void> {
    const [expected, ...all] = await shownBySame();
    for (const shown of all) {
      expect(leaksOf(shown, secrets)).toEqual([]);
      expect(shown.size).toBeGreaterThan(50);
      expect(comparable(shown)).toEqual(comparable(expected));
    }
    const seen = await succeed(operator, "mkt_get_recent_events", { since: 0, limit: 1000, detail: "full" });
    expect(JSON.stringify(seen)).toContain(secrets[1]!);
  }

  describe("after one replica was restarted, and the other after Redis had lost everything", () => {
    beforeAll(async () => {
      const one = await restarted(0);
      await until(async () => await isConnected(one) && await latest(one) === await latest(control.client));
      await cluster.redis.kill();
      cluster.redis.loseData();
      await cluster.redis.start();
      await until(async () => {
        const { connections } = await succeed(one, "mkt_connection_status");
        const { status, logSequence } = (connections as { redis: { status: string; logSequence: number } }).redis;
        return status === "connected" && logSequence === await latest(one);
      }, "the first replica to write its events again");
      await restarted(1);
    });

    test("is shown nothing of others", () => expectNoLeak());
  });

  describe("after a restart of the engine", () => {
    beforeAll(async () => {
      await cluster.killEngine();
      await cluster.startEngine();
      secrets.push(...await secretOrders(cluster.engine.webSocketUrl));
    });

    test("is shown nothing of others", () => expectNoLeak());
  });

  // In a group that was connected as an operator before.
  test("is shown nothing of what the operator saw, on no replica, also not on a new one", async () => {
    const replicas = [await cluster.further({}, "viewer"), await cluster.further({}, "viewer")];
    const [one, other] = await Promise.all(replicas.map((replica) => replica.client()));
    await succeed(one!, "mkt_connect_pubsub", { userId: "operator" });
    secrets.push(...await secretOrders(cluster.engine.webSocketUrl));
    expect(JSON.stringify(await succeed(other!, "mkt_get_recent_events", { detail: "full" }))).toContain(ORDER_NAME);
    await succeed(other!, "mkt_disconnect_pubsub");
    await succeed(one!, "mkt_connect_pubsub", { userId: "cleo" });
    replicas.push(await cluster.further({}, "viewer"));
    for (const { url } of replicas) expect(leaksOf(await everythingShown(url, named), secrets)).toEqual([]);
  });
});

describe.skipIf(redisServer === null || !LONG)("a user whose rights were reduced by another market file", () => {
  test("is shown nothing of others after the engine's restart, on no replica, also not on a new one", async () => {
    const market = await marketWhere(SEES_ALL);
    const options = { redisServer: redisServer!, replicas: 0, userId: "olga", market, keepsData: false };
    const cluster = await Cluster.start(options);
    const replicas = [await cluster.further(), await cluster.further()];
    const [one, other] = await Promise.all(replicas.map((replica) => replica.client()));
    await connected(one!);
    const secrets = await secretOrders(cluster.engine.webSocketUrl);
    expect(JSON.stringify(await succeed(other!, "mkt_get_recent_events", { detail: "full" }))).toContain(ORDER_NAME);
    const pubsubOf = async (client: TestClient) => {
      const { connections } = await succeed(client, "mkt_connection_status");
      return (connections as { pubsub: { status: string; epoch: number } }).pubsub;
    };
    const before = await pubsubOf(other!);
    await cluster.killEngine();
    await cluster.startEngine(await marketWhere(SEES_OWN));
    for (const client of [one!, other!]) {
      await until(() => pubsubOf(client), ({ status, epoch }) => status === "connected" && epoch !== before.epoch);
    }
    replicas.push(await cluster.further());
    const named = { contractId: [NORTH], entityId: ["aurora"], orderId: [secrets[0]!], since: [0] };
    for (const { url } of replicas) expect(leaksOf(await everythingShown(url, named), secrets)).toEqual([]);
  });
});
