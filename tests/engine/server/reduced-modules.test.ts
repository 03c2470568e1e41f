// What mkt and the personas' view of the market make of an engine's messages, beside the engine's own snapshot: after random
// runs over the network, for users who see different things, with connections that are cut and resume.

import { expect, test } from "bun:test";
import { logger } from "../../../common/logger.ts";
import { PubSubClient } from "../../../core/backend/pubsub-client.ts";
import { EventBuffer } from "../../../core/market/event-buffer.ts";
import { Snapshot } from "../../../core/market/snapshot.ts";
import { EngineClock } from "../../../protocol/client/engine-clock.ts";
import { FrameReader } from "../../../protocol/client/frame-reader.ts";
import type { Action, ActionRequest } from "../../../protocol/index.ts";
import { MODULE_TYPES } from "../../../protocol/modules/registry.ts";
import { maySee } from "../../../engine/api/visibility.ts";
import { MarketFeed } from "../../../sim/live/market-feed.ts";
import { userClient } from "../../../sim/live/user-client.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { atEnd } from "../../support/at-end.ts";
import { CuttingProxy } from "../../support/cutting-proxy.ts";
import { type LastSteps, SEED, withSeedInFailures } from "../../support/seed.ts";
import { size } from "../../support/sizes.ts";
import { until } from "../../support/until.ts";
import { BUYER, BYSTANDER, OPERATOR, SECRET, SELLER, serveTestEngine, type TestEngine, VIEWER } from "./harness.ts";

const CALLS = size(100, 10_000);
/** Calls between two comparisons. */
const COMPARED_EVERY = 50;
/** Sees everyone's credit, and nobody's orders. */
const REGULATOR = "regulator";
/** Sees the own entity's orders only. */
const BLIND = "sim-riverbend";
const LOG = logger("test");

function marketWithRegulator(): TestEngine {
  return serveTestEngine({}, (definition) => ({
    ...definition,
    users: [...definition.users, {
      id: REGULATOR,
      name: "Regulator",
      entityId: null,
      permissions: ["Credit.View", "Scope.Global"],
    }],
  }));
}

/** A PubSub client of mkt through a proxy. */
async function mktOf(engine: TestEngine, userId: string) {
  const proxy = await CuttingProxy.to(engine.port);
  atEnd(() => proxy[Symbol.asyncDispose]());
  const [snapshot, events] = [new Snapshot(), new EventBuffer(100_000)];
  const client = new PubSubClient({
    url: proxy.url,
    token: null,
    allowedUserIds: null,
    confirmTimeoutMs: 10_000,
    snapshot,
    events,
    log: LOG,
    now: Date.now,
    timings: { firstRetryMs: 5 },
  });
  atEnd(() => client.disconnect());
  await client.connect(userId);
  return { userId, proxy, snapshot, events, client };
}

/** The personas' view of the market through a proxy. */
async function feedOf(engine: TestEngine) {
  const proxy = await CuttingProxy.to(engine.port);
  atEnd(() => proxy[Symbol.asyncDispose]());
  const nothing = () => {};
  const listener = { marketUpdate: nothing, listed: nothing, expired: nothing, removed: nothing, current: nothing };
  const orders = { orderChanged: nothing, orderRemoved: nothing, ordersForgotten: nothing };
  const feed = new MarketFeed({ ...listener, ...orders, clockChanged: nothing, refused: nothing });
  const access = {
    url: proxy.url,
    token: null,
    reader: new FrameReader(LOG),
    clock: new EngineClock(Date.now),
    log: LOG,
  };
  const client = userClient(access, { userId: VIEWER, listener: feed });
  atEnd(() => client.close());
  client.open();
  await until(() => feed.isCurrent, "the view");
  return { proxy, feed };
}

/** Requests of random users: most of them orders for two contracts. */
class RandomCalls {
  readonly #contractIds: readonly string[];
  #orders = 0;
  #operations = 0;

  constructor(readonly engine: TestEngine, readonly random: SeededRandom, readonly steps: LastSteps) {
    const contracts = [...engine.engine.snapshot(Date.now())].filter(({ type }) => type === "CONTRACT");
    this.#contractIds = contracts.slice(-2).map(({ id }) => id);
  }

  next(): void {
    const { random } = this;
    const trader = [BUYER, SELLER, BYSTANDER][random.integer(0, 2)]!;
    const [orderId, price] = [`ORD-${random.integer(1, Math.max(this.#orders, 1))}`, random.integer(1_000, 1_015)];
    const choice = random.next();
    if (choice < 0.6) {
      const contractId = this.#contractIds[random.integer(0, 1)]!;
      const side = random.integer(0, 1) as 0 | 1;
      if (this.#send(trader, "order.submit", { contractId, side, price, quantity: random.integer(1, 9) })) {
        this.#orders += 1;
      }
    } else if (choice < 0.75) this.#send(trader, "order.modify", { orderId, price, quantity: random.integer(1, 9) });
    else if (choice < 0.95) this.#send(trader, "order.cancel", { orderId });
    else if (choice < 0.97) this.#send(OPERATOR, "market.halt", {});
    else if (choice < 0.99) this.#send(OPERATOR, "market.resume", {});
    else this.#send(OPERATOR, "dev.reset", { secret: SECRET, creditLimit: random.integer(1, 1e6) });
  }

  #send<Name extends Action>(userId: string, action: Name, payload: ActionRequest<Name>): boolean {
    const operationId = `random-${++this.#operations}`;
    this.steps.add({ userId, action, payload });
    return this.engine.execute({ userId, operationId, action, payload }).response?.status === "ok";
  }
}

/** By type and id, without the market's clock. */
type Modules = ReadonlyMap<string, object>;

function modulesOf({ engine }: TestEngine, userId: string): Modules {
  const user = engine.user(userId)!;
  const seen = [...engine.snapshot(Date.now())].filter(({ audience }) => maySee(user, audience));
  return new Map(seen.map(({ type, id, text }) => [`${type} ${id}`, withoutClock(JSON.parse(text).state)]));
}

function shownModules(snapshot: Snapshot): Modules {
  return new Map(
    MODULE_TYPES.flatMap((type) =>
      snapshot.find(type, { limit: 1e9 }).modules.map((module) =>
        [`${type} ${module.id}`, withoutClock(module)] as const
      )
    ),
  );
}

function withoutClock(module: object): object {
  return { ...module, currentTime: undefined };
}

/** The first module that differs; null if none does. */
function differenceBetween(shown: Modules, expected: Modules): unknown {
  for (const name of new Set([...shown.keys(), ...expected.keys()])) {
    const [one, other] = [shown.get(name), expected.get(name)];
    if (!Bun.deepEquals(one, other)) return { name, shown: one, engine: other };
  }
  return null;
}

test(
  "mkt and the personas show the modules of the engine, over reconnects, whatever their user may see",
  () =>
    withSeedInFailures(async (steps) => {
      const engine = marketWithRegulator();
      const random = new SeededRandom(SEED);
      const calls = new RandomCalls(engine, random, steps);
      const users = [BUYER, BLIND, OPERATOR, VIEWER, REGULATOR];
      const mkts = await Promise.all(users.map((userId) => mktOf(engine, userId)));
      const { feed, proxy } = await feedOf(engine);
      for (let count = 1; count <= CALLS; count++) {
        calls.next();
        // Lets frames leave and arrive between some calls.
        if (random.next() < 0.3) await Bun.sleep(0);
        if (random.next() < 0.03) [proxy, ...mkts.map((mkt) => mkt.proxy)][random.integer(0, mkts.length)]!.cut();
        if (count % COMPARED_EVERY !== 0) continue;
        for (const { userId, client, snapshot } of mkts) {
          const difference = () =>
            client.status === "connected"
              ? differenceBetween(shownModules(snapshot), modulesOf(engine, userId))
              : client.status;
          expect(await until(difference, (found) => found === null)).toBeNull();
          expect(client.facts()).toMatchObject({ unreadableMessages: 0, incomplete: false });
        }
        const books = new Map([...modulesOf(engine, VIEWER)].filter(([name]) => name.startsWith("ENGINE ")));
        const shownBooks = () =>
          new Map(
            [...books.keys()].map((name) => [name, withoutClock(feed.bookOf(name.slice("ENGINE ".length)) ?? {})]),
          );
        const bookDifference = () => feed.isCurrent ? differenceBetween(shownBooks(), books) : "not current";
        expect(await until(bookDifference, (found) => found === null)).toBeNull();
      }
      const facts = mkts.map(({ client }) => client.facts());
      expect(facts.reduce((sum, { reconnects }) => sum + reconnects, 0)).toBeGreaterThan(0);
      for (const { lastDisconnect } of facts) expect(lastDisconnect?.reason ?? "").not.toContain("can't be read");
    }),
);
