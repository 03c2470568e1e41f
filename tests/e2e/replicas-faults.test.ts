// Replicas behind a round-robin balancer, whose servers are killed under load: replicas, Redis (with its data and without) and
// the engine. Clients poll with `since`, and must not notice which replica answers.

import { expect, test } from "bun:test";
import { join } from "node:path";
import { connectHttp, succeed } from "../support/clients.ts";
import { findRedisServer } from "../support/redis-server.ts";
import { SEED, withSeedInFailures } from "../support/seed.ts";
import { size } from "../support/sizes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { until } from "../support/until.ts";
import { Cluster } from "./support/cluster.ts";
import { EngineHistory } from "./support/engine-history.ts";
import { EventPoller } from "./support/event-poller.ts";
import { MARKET_FILE, NORTH } from "./support/market.ts";
import { OrderLoad } from "./support/order-load.ts";

const EVENTS = size(240, 200_000);
const CLIENTS = size(2, 8);
const REPLICAS = size(2, 3);
const TRADERS = ["anna", "bert"] as const;
type Fault = "replica" | "redis with its data" | "redis without data" | "engine";
const FAULTS: readonly Fault[] = size<Fault[]>(
  ["redis without data", "replica", "engine"],
  [
    ...["replica", "replica", "redis with its data", "replica", "replica", "engine"] as const,
    ...["replica", "replica", "redis without data", "replica", "replica", "replica", "replica"] as const,
  ],
);
/** Events that every client reads between two faults, and while something is away. */
const STEP = Math.floor(EVENTS / (FAULTS.length + 1) / 2);
/** Of each category. */
const BUFFERED = 30_000;
/** Events that the slowest client may be behind the engine. */
const GREATEST_LAG = size(200, 10_000);

const redisServer = findRedisServer("tests of replicas");

/** The market of the tests, with credit for any number of trades. */
async function marketWithCredit(): Promise<string> {
  const market = await Bun.file(MARKET_FILE).json();
  for (const each of market.credit) each.limits = [{ limitType: "notional", scope: "total", limit: 1e12 }];
  const file = join(temporaryDirectory(), "market.json");
  await Bun.write(file, JSON.stringify(market));
  return file;
}

interface Status {
  readonly connections: { readonly redis: { readonly status: string }; readonly pubsub: { readonly status: string } };
  readonly eventBuffer: Readonly<Record<string, unknown>> & { readonly latestSequence: number };
}

async function statusOf(url: string): Promise<Status> {
  const client = await connectHttp("v2", url);
  const status = await succeed(client, "mkt_connection_status");
  await client.close();
  return status as unknown as Status;
}

test.skipIf(redisServer === null)(
  `${CLIENTS} clients see each of ${EVENTS} events once, in order, while replicas, Redis and the engine are killed`,
  () => withSeedInFailures(() => proof(redisServer!)),
  size(120_000, 1_800_000),
);

async function proof(redisServer: string): Promise<void> {
  const market = await marketWithCredit();
  const env = { MKT_EVENT_BUFFER_SIZE: String(BUFFERED) };
  const cluster = await Cluster.start({ redisServer, replicas: REPLICAS, userId: "operator", market, env });
  const first = await connectHttp("v2", cluster.balancer.url);
  await succeed(first, "mkt_connect_pubsub");
  const history = await EngineHistory.of(cluster.engine.webSocketUrl, "operator");
  const pollers: EventPoller[] = [];
  for (let index = 0; index < CLIENTS; index += 1) {
    const client = await connectHttp("v2", cluster.balancer.url);
    const options = { isFull: index % 4 === 0, waitSeconds: index % 2 };
    pollers.push(new EventPoller(client, history.start, history.epoch, options));
  }
  const failed = Promise.race(pollers.map((poller) => poller.failed));
  const slowest = () => Math.min(...pollers.map(({ sequences }) => sequences.length));
  const load = new OrderLoad({
    url: cluster.engine.webSocketUrl,
    contractId: NORTH,
    users: TRADERS,
    outstanding: size(4, 16),
    seed: SEED,
    mustWait: () => history.sequences.length - slowest() > GREATEST_LAG,
  });
  const began = performance.now();
  const unlessFailed = (condition: () => boolean, what: string) => Promise.race([failed, until(condition, what)]);
  const read = (events: number) => {
    const enough = slowest() + events;
    return unlessFailed(() => slowest() >= enough, `each client to read ${events} more events`);
  };

  let killed = 0;
  for (const fault of FAULTS) {
    await read(STEP);
    if (fault === "replica") {
      const replica = cluster.replicas[killed++ % REPLICAS]!;
      await replica.kill();
      await read(STEP);
      await replica.start();
    } else if (fault === "engine") {
      await cluster.killEngine();
      await cluster.startEngine();
      await read(STEP);
    } else {
      await cluster.redis.kill();
      await read(STEP);
      if (fault === "redis without data") cluster.redis.loseData();
      await cluster.redis.start();
    }
  }
  await unlessFailed(() => slowest() >= EVENTS, `each client to read ${EVENTS} events`);
  await load.end();
  await until(
    () => TRADERS.every((user) => !history.connected.has(user)),
    "the events of the ended connections, the last ones",
  );
  const newest = await settled(cluster, history);
  await unlessFailed(() => pollers.every(({ since }) => since >= newest), "each client to read the last event");
  await Promise.all(pollers.map((poller) => poller.end()));

  expect(history.lost).toBe(0);
  for (const { sequences, digests } of pollers) {
    expect(firstDifference(sequences, history.sequences)).toBeNull();
    expect(sequences.length).toBe(history.sequences.length);
    if (digests.length > 0) expect(firstDifference(digests, history.digests)).toBeNull();
  }
  await expectAgreement(cluster, history);
  const failures: Record<string, number> = {};
  for (const poller of pollers) {
    for (const [reason, count] of poller.failures) failures[reason] = (failures[reason] ?? 0) + count;
  }
  console.log(JSON.stringify({
    events: history.sequences.length,
    clients: CLIENTS,
    faults: FAULTS.length,
    seconds: Math.round((performance.now() - began) / 1000),
    pages: pollers.reduce((sum, { pages }) => sum + pages, 0),
    answered: cluster.balancer.answered,
    retried: failures,
  }));
}

/** Waits until all replicas have what the engine has published, and Redis. Returns the number of the newest event. */
async function settled({ replicas }: Cluster, history: EngineHistory): Promise<number> {
  await until(async () => {
    const all = await Promise.all(replicas.map(({ url }) => statusOf(url)));
    return all.every(({ connections, eventBuffer }) =>
      connections.redis.status === "connected" && connections.pubsub.status === "connected" &&
      eventBuffer.latestSequence === history.newest
    );
  }, "all replicas to have all events");
  return history.newest;
}

/** Totals and pages are equal on all replicas, also on one that is started now. */
async function expectAgreement(cluster: Cluster, history: EngineHistory): Promise<void> {
  const further = await cluster.further();
  const clients = await Promise.all([...cluster.replicas, further].map(({ url }) => connectHttp("v2", url)));
  await until(async () => {
    const { eventBuffer } = await statusOf(further.url);
    return eventBuffer.latestSequence === history.newest;
  }, "the further replica to follow");
  const { sequences, start } = history;
  const at = (part: number) => sequences[Math.floor(part * (sequences.length - 1))]!;
  const sinces = [undefined, start - 1, start, at(0.1), at(0.5), at(0.9), at(1)];
  const ofTrades = { eventTypes: ["new.trade", "new.fill"] };
  const filters = [
    {},
    { category: "order" },
    { category: "pricing", contractId: NORTH },
    { entityId: "aurora" },
    ofTrades,
  ];
  const asked = sinces.flatMap((since) =>
    filters.map((filter) => ({ limit: 200, detail: "full", ...filter, ...(since !== undefined && { since }) }))
  );
  const [expected, ...others] = await Promise.all(clients.map(async (client) => {
    const { eventBuffer } = await succeed(client, "mkt_connection_status");
    const pages: unknown[] = [];
    for (const input of asked) pages.push(withoutBound(await succeed(client, "mkt_get_recent_events", input)));
    return { eventBuffer, pages };
  }));
  for (const other of others) {
    expect(other.eventBuffer).toEqual(expected!.eventBuffer);
    for (const [index, page] of other.pages.entries()) {
      expect({ asked: asked[index], page }).toEqual({ asked: asked[index], page: expected!.pages[index] });
    }
  }
}

/** If `missed` is not 0, it is a lower bound: a replica that began later knows less of evicted events. */
function withoutBound(page: Record<string, unknown>): Record<string, unknown> {
  return { ...page, missed: page["missed"] === 0 };
}

function firstDifference(some: readonly number[], others: readonly number[]): unknown {
  const index = some.findIndex((each, index) => each !== others[index]);
  return index < 0 ? null : { index, found: some[index], expected: others[index] };
}
