// Random commands on a real engine, time that passes, and connections that come and go. After each, every resource that can
// be followed is read: if its content has changed, so has its version, as those who have subscribed see it.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { logger } from "../../common/logger.ts";
import { ToolCatalogue } from "../../core/dispatch/catalogue.ts";
import { Dispatcher } from "../../core/dispatch/dispatcher.ts";
import { type Offers, offersOf } from "../../core/dispatch/offers.ts";
import { withFreshness } from "../../core/dispatch/outcome.ts";
import { ToolError } from "../../core/error.ts";
import type { Topic } from "../../core/subscriptions/change-watch.ts";
import { ResourceTopics } from "../../core/subscriptions/resource-topics.ts";
import { EVENT_CATEGORIES } from "../../protocol/index.ts";
import { type MarketDefinition, marketDefinition } from "../../engine/definition/market-definition.ts";
import { MarketInProcess, NOW } from "../core/support/market-in-process.ts";
import { servicesWith } from "../core/support/services.ts";
import { weighted } from "../engine/support/weighted-command.ts";
import { size } from "../support/sizes.ts";
import { BASE, ISLAND, MARKET, PEAK, SECRET } from "./support/market.ts";
import { PACKS, TOOLS } from "./support/packs.ts";

const RUNS = size(10, 1_500);
const HOUR = 3_600_000;
const MAX_EVENTS = 20;
const CONTRACTS = [BASE, PEAK, ISLAND];
const TRADERS = ["alice", "bob", "nora"] as const;
/** Nora trades for Alpha and sees only what is Alpha's; Olga sees everything. */
const VIEWERS = ["alice", "nora", "olga"] as const;
const URIS = [
  "mkt://market",
  ...CONTRACTS.map((id) => `mkt://order-book/${id}`),
  "mkt://order-book/nothing",
  "mkt://positions",
  ...["alpha", "beta", "nobody"].map((id) => `mkt://positions/${id}`),
  ...["alice", "bob", "nora", "nobody"].map((id) => `mkt://orders/${id}`),
  ...EVENT_CATEGORIES.map((category) => `mkt://events/${category}`),
];

/** BASE delivers soon, and leaves the market. */
function market(): MarketDefinition {
  const at = (hours: number) => new Date(NOW + hours * HOUR).toISOString();
  return marketDefinition.parse({
    ...MARKET,
    markets: MARKET.markets.map((each) => ({ ...each, keepDeliveredHours: 3 })),
    contracts: MARKET.contracts.map((contract) =>
      contract.id === BASE ? { ...contract, deliveryStart: at(6), deliveryEnd: at(8) } : contract
    ),
    users: [
      ...MARKET.users.map((user) =>
        user.id === "olga" ? { ...user, permissions: [...user.permissions, "Spot.Publish"] } : user
      ),
      { id: "nora", name: "Nora", entityId: "alpha", permissions: ["Order.Submit", "Credit.View"] },
    ],
  });
}

const command = fc.oneof(
  weighted(40, "submit", {
    userId: fc.constantFrom(...TRADERS),
    contractId: fc.constantFrom(...CONTRACTS),
    side: fc.constantFrom(0 as const, 1 as const),
    price: fc.integer({ min: 400, max: 404 }).map((steps) => steps * 10),
    quantity: fc.integer({ min: 1, max: 4 }).map((lots) => lots * 5),
  }),
  weighted(8, "cancel", { userId: fc.constantFrom(...TRADERS), order: fc.nat(20) }),
  weighted(4, "limit", { limit: fc.integer({ min: 0, max: 500_000 }) }),
  weighted(2, "documents", { status: fc.constantFrom("docs_in_place" as const, "pending" as const) }),
  weighted(4, "spot", { price: fc.integer({ min: -3000, max: 9000 }) }),
  weighted(5, "pass", { hours: fc.integer({ min: 1, max: 4 }) }),
  weighted(1, "flush", {}),
  weighted(2, "halt", {}),
  weighted(3, "resume", {}),
  weighted(1, "reset", {}),
  weighted(3, "lose", {}),
  weighted(6, "restore", {}),
  weighted(3, "disconnect", {}),
  weighted(8, "connect", { userId: fc.constantFrom(...VIEWERS) }),
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

async function carryOut(market: MarketInProcess, given: Command): Promise<void> {
  switch (given.kind) {
    case "submit": {
      const { userId, kind: _kind, ...order } = given;
      return void market.execute(userId, "order.submit", { ...order, timeInForce: "gtc" });
    }
    case "cancel":
      return void market.execute(given.userId, "order.cancel", { orderId: `ORD-${given.order + 1}` });
    case "limit": {
      const limit = { limitType: "notional", scope: "total", limit: given.limit } as const;
      return void market.execute("alice", "credit.setLimit", { entityId: "alpha", counterpartyId: "beta", ...limit });
    }
    case "documents": {
      const pair = { entityId: "alpha", counterpartyId: "beta" };
      return void market.execute("alice", "credit.setDocumentation", { ...pair, status: given.status });
    }
    case "spot": {
      const price = {
        node: "N1",
        price: given.price,
        regime: "base",
        time: new Date(market.marketTime()).toISOString(),
      };
      return void market.execute("olga", "spot.publish", { prices: [{ ...price, regime: "base" }] });
    }
    case "pass":
      return void market.pass(given.hours * HOUR);
    case "flush":
      return void market.execute("olga", "market.flush", {});
    case "halt":
      return void market.execute("olga", "market.halt", { reason: "a test" });
    case "resume":
      return void market.execute("olga", "market.resume", {});
    case "reset":
      return void market.execute("olga", "dev.reset", { secret: SECRET, creditLimit: 400_000 });
    case "lose":
      return market.lose();
    case "restore":
      return market.restore();
    case "disconnect":
      return await market.disconnect();
    case "connect":
      if (market.session !== null) await market.disconnect();
      return void await market.connect(given.userId);
  }
}

/** Without what changes with time alone, and without the counts of other categories. */
function lasting(uri: string, value: Readonly<Record<string, unknown>>): unknown {
  const { currentTime: _currentTime, latestSequence: _latest, stats: _stats, ...rest } = value;
  if (!uri.startsWith("mkt://positions")) return rest;
  const { asOf: _asOf, ...positions } = rest;
  return positions;
}

async function contentOf(uri: string, { resources, requests }: Offers): Promise<string> {
  const { resource, parameters } = resources.find(uri)!;
  const { requires } = resource;
  try {
    const context = requests.contextFor({ kind: "resource", name: uri, ...(requires && { requires }) });
    const value = await resource.read(parameters, context);
    return JSON.stringify(lasting(uri, withFreshness(resource, value as Record<string, unknown>, context)));
  } catch (error) {
    if (error instanceof ToolError) return error.code;
    throw error;
  }
}

function offersFor(market: MarketInProcess): Offers {
  const services = servicesWith({ ...market.services, now: () => market.marketTime() });
  return offersOf(PACKS, new Dispatcher(new ToolCatalogue(TOOLS), services));
}

/** The topics of those that may subscribe now. */
function followed(uri: string, topics: ResourceTopics): Topic | null {
  try {
    return topics.resource(uri);
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}

describe("the version of a resource", () => {
  test("changes with its content, whatever happens in the market and to the connection", async () => {
    const counts = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...VIEWERS),
        fc.array(command, { maxLength: 40, size: "max" }),
        async (viewer, commands) => {
          const opened = new MarketInProcess(market(), SECRET, MAX_EVENTS, true);
          await opened.connect(viewer);
          const offers = offersFor(opened);
          const topics = new ResourceTopics(offers, logger("test"));
          const known = new Map<string, { topic: Topic; version: unknown; content: string }>();
          for (const given of [null, ...commands]) {
            if (given !== null) await carryOut(opened, given);
            for (const uri of URIS) {
              // They are read over HTTP. Changes are seen once the connection is back.
              if (uri.startsWith("mkt://positions") && opened.status !== "connected") continue;
              const before = known.get(uri);
              const topic = before?.topic ?? followed(uri, topics);
              if (topic === null) continue;
              const [version, content] = [topic.version(), await contentOf(uri, offers)];
              if (before !== undefined && before.content !== content) {
                counts.set(uri, (counts.get(uri) ?? 0) + 1);
                if (before.version === version) throw new Error(`${uri}: ${before.content} became ${content}`);
              }
              known.set(uri, { topic, version, content });
            }
          }
        },
      ),
      { numRuns: RUNS },
    );
    // Every kind of resource has changed, and none that does not exist. Nora, who lacks Market.View, can't know that of a user.
    const changed = URIS.filter((uri) => (counts.get(uri) ?? 0) > 0);
    expect(URIS.filter((uri) => !changed.includes(uri))).toEqual([
      "mkt://order-book/nothing",
      "mkt://positions/nobody",
    ]);
  });

  test.each(VIEWERS)(
    "of positions changes when a delivery begins, has a price, ends and leaves, as %s sees it",
    async (viewer) => {
      const opened = new MarketInProcess(market(), SECRET, MAX_EVENTS, true);
      await opened.connect(viewer);
      const offers = offersFor(opened);
      const topic = new ResourceTopics(offers, logger("test")).resource("mkt://positions/alpha");
      const order = { contractId: BASE, price: 4000, quantity: 5, timeInForce: "gtc" } as const;
      const publish = { kind: "spot", price: 5000 } as const;
      const steps = [
        () => opened.execute("alice", "order.submit", { ...order, side: 0 }),
        () => opened.execute("bob", "order.submit", { ...order, side: 1 }),
        () => opened.pass(6 * HOUR),
        () => carryOut(opened, publish),
        () => opened.pass(2 * HOUR),
        () => opened.pass(3 * HOUR),
      ];
      const changed: boolean[] = [];
      for (const step of steps) {
        const before = [topic.version(), await contentOf("mkt://positions/alpha", offers)];
        await step();
        const after = [topic.version(), await contentOf("mkt://positions/alpha", offers)];
        changed.push(before[1] !== after[1]);
        if (before[1] !== after[1]) expect(after[0]).not.toBe(before[0]);
      }
      // The first order only rests, and a delivery that begins without a price leaves the mark as it is.
      expect(changed).toEqual([false, true, false, true, true, true]);
    },
  );

  test("stays as it is while others change", async () => {
    const opened = new MarketInProcess(market(), SECRET, MAX_EVENTS);
    await opened.connect("alice");
    const topics = new ResourceTopics(offersFor(opened), logger("test"));
    const quiet = [`mkt://order-book/${PEAK}`, "mkt://orders/alice", "mkt://events/market", "mkt://market"]
      .map((uri) => topics.resource(uri));
    const busy = [`mkt://order-book/${BASE}`, "mkt://orders/bob", "mkt://events/order", "mkt://positions"]
      .map((uri) => topics.resource(uri));
    const versions = (of: readonly Topic[]) => of.map((topic) => topic.version());
    const before = { quiet: versions(quiet), busy: versions(busy) };
    const order = { contractId: BASE, side: 0, price: 4000, quantity: 5, timeInForce: "gtc" } as const;
    opened.execute("bob", "order.submit", order);
    expect(versions(quiet)).toEqual(before.quiet);
    for (const [index, version] of versions(busy).entries()) expect(version).not.toBe(before.busy[index]!);
  });
});
