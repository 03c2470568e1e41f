// The book and the position of an earlier time, which the page makes from the present and the events since, are those that the
// engine had at that time; and whoever may not see all orders gets nothing to make them from.

import { describe, expect, test } from "bun:test";
import { marketDefinition } from "../../../engine/definition/market-definition.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import type { Level } from "../../../web/contract/market.ts";
import type { Past } from "../../../web/contract/past.ts";
import { netIn } from "../../../web/dashboard/pages/then/market-then.ts";
import { PastReader, type PastSource } from "../../../web/dashboard/pages/then/past-reader.ts";
import { MarketInProcess } from "../../core/support/market-in-process.ts";
import { type LastSteps, SEED, withSeedInFailures } from "../../support/seed.ts";
import { size } from "../../support/sizes.ts";
import { BASE, MARKET, PEAK, SECRET } from "../support/market.ts";
import { DashboardServer, type Failed } from "./support/dashboard-server.ts";

const USERS = ["alice", "bob", "greta"] as const;
const ENTITIES = { alice: "alpha", bob: "beta", greta: "gamma" } as const;
const CONTRACTS = [BASE, PEAK] as const;
const TIMES = 50;
/** Markets, each from a seed of its own. */
const MARKETS = size(1, 40);
/** Calls of the market before each of the times, at most twice as many. */
const CALLS = 12;

/** What the engine had at a time. */
interface Seen {
  readonly at: number;
  readonly books: readonly (readonly [contractId: string, bids: readonly Level[], asks: readonly Level[]])[];
  readonly nets: readonly (readonly [contractId: string, megawatts: number])[];
  readonly last: number | null;
  readonly status: string;
}

class RandomMarket {
  readonly market = new MarketInProcess(MARKET, SECRET, 200, true);
  readonly server = new DashboardServer(this.market);
  readonly source: PastSource = {
    get: async <Answer>(path: string) => {
      const { status, body } = await this.server.get<Answer>(path);
      expect(status).toBe(200);
      return body;
    },
    traded: async (entityId) => {
      const { positions } = (await this.market.services.backend.positions(entityId))!;
      return new Map(positions.map(({ contractId, boughtQuantity: bought, soldQuantity: sold }) => {
        return [contractId, { bought, sold }];
      }));
    },
  };
  readonly #random: SeededRandom;

  constructor(seed: number, private readonly steps: LastSteps) {
    this.#random = new SeededRandom(seed);
  }

  below(limit: number): number {
    return this.#random.word() % limit;
  }

  pick<Each>(each: readonly Each[]): Each {
    return each[this.below(each.length)]!;
  }

  call(): void {
    const [user, contractId] = [this.pick(USERS), this.pick(CONTRACTS)];
    const own = this.market.snapshot.find("ORDER", {
      equals: { contractId, entityId: ENTITIES[user] },
      where: ({ closeReason }) => closeReason === null,
      limit: 500,
    }).modules;
    const order = own[this.below(own.length)];
    const price = 4_000 + this.below(40) * 10;
    const quantity = 5 * (1 + this.below(4));
    const kind = this.below(20);
    this.steps.add({ user, contractId, kind, price, quantity, orderId: order?.id });
    if (kind === 19) this.market.execute("olga", "market.halt", { marketId: "power" });
    else if (kind > 16) this.market.execute("olga", "market.resume", { marketId: "power" });
    else if (kind < 9 || order === undefined) {
      this.market.execute(user, "order.submit", { contractId, side: this.below(2) as 0 | 1, price, quantity });
    } else if (kind < 12) this.market.execute(user, "order.cancel", { orderId: order.id });
    else {
      const changes = { quantity: order.filledQuantity + quantity, ...(kind < 15 && { price }) };
      this.market.execute(user, "order.modify", { orderId: order.id, ...changes });
    }
  }

  async seen(): Promise<Seen> {
    const books = CONTRACTS.map((contractId) => {
      const [book] = this.market.snapshot.find("ENGINE", { equals: { contractId }, limit: 1 }).modules;
      return [contractId, book!.bids, book!.asks] as const;
    });
    const traded = (await this.source.traded("alpha"))!;
    const nets = CONTRACTS.map((contractId) => {
      const { bought, sold } = traded.get(contractId) ?? { bought: 0, sold: 0 };
      return [contractId, bought - sold] as const;
    });
    const [base] = this.market.snapshot.find("ENGINE", { equals: { contractId: BASE }, limit: 1 }).modules;
    const { status } = this.market.snapshot.get("MARKET", "power")!;
    return { at: this.market.marketTime(), books, nets, last: base!.lastPrice, status };
  }
}

/** What a reader told of a time is what the engine had, but for orders that it calls unsure. Returns how many these are. */
function compare({ at, ...seen }: Seen, reader: PastReader, contractId: string | null): number {
  const then = reader.at(at, () => "power")!;
  // Only while a market doesn't match, an order may wait or rest.
  if (then.unsure.length > 0) expect([at, seen.status]).toEqual([at, "halted"]);
  for (const [id, ...sides] of seen.books.filter(([id]) => contractId === null || id === contractId)) {
    const { bids, asks } = then.books.get(id) ?? { bids: [], asks: [] };
    const unsure = then.unsure.filter((order) => order.contractId === id);
    if (unsure.length === 0) expect({ at, id, bids, asks }).toEqual({ at, id, bids: sides[0], asks: sides[1] });
    for (const [side, levels] of sides.entries()) {
      for (const { price, volume } of levels) {
        const shown = (side === 0 ? bids : asks).find((level) => level.price === price)?.volume ?? 0;
        const more = unsure.filter((order) => order.side === side && order.price === price)
          .reduce((sum, { quantity }) => sum + quantity, 0);
        if (volume < shown || volume > shown + more) {
          expect({ at, id, price, volume }).toEqual({ shown, more } as never);
        }
      }
    }
  }
  expect([at, then.status]).toEqual([at, contractId === null ? null : seen.status]);
  for (const [id, net] of seen.nets.filter(([id]) => contractId === null || id === contractId)) {
    expect([at, id, netIn(then.nets, id)]).toEqual([at, id, net]);
  }
  const last = then.lastPrices.get(BASE);
  if (last !== null) expect([at, last ?? null]).toEqual([at, seen.last]);
  return then.unsure.length;
}

/** Gives what `source` gave, and of the events only those after a time: then the rest must be undone. */
function cutAt(at: number, source: PastSource): PastSource {
  return {
    ...source,
    get: async <Answer>(path: string) => {
      const answer = await source.get<Answer>(path);
      if (!path.startsWith("/dashboard/past?")) return answer;
      const { events, cursor, searchedTo } = answer as Past;
      const later = events.filter(({ time }) => Date.parse(time) > at);
      const isOver = later.length < events.length || cursor === null;
      return { events: later, cursor, searchedTo: isOver ? new Date(at).toISOString() : searchedTo } as Answer;
    },
  };
}

const seeds = Array.from({ length: MARKETS }, (_, index) => SEED + index);

test.each(seeds)(`what the page shows of ${TIMES} random times is what the engine had then (seed %d)`, async (seed) => {
  await withSeedInFailures(async (steps) => {
    const run = new RandomMarket(seed, steps);
    await run.market.connect("olga");
    const times: Seen[] = [];
    while (times.length < TIMES) {
      for (let calls = CALLS + run.below(CALLS); calls > 0; calls--) {
        run.market.pass(run.below(3) * run.below(2_000));
        run.call();
      }
      times.push(await run.seen());
      run.market.pass(1 + run.below(1_000));
    }
    times.push(await run.seen());
    for (const contractId of [null, BASE]) {
      const subject = { contractId, entityId: "alpha" };
      const answers = new Map<string, unknown>();
      const source: PastSource = {
        ...run.source,
        get: async <Answer>(path: string) => {
          if (!answers.has(path)) answers.set(path, await run.source.get(path));
          return answers.get(path) as Answer;
        },
      };
      const reader = new PastReader(source, subject, run.market.marketTime());
      let unsure = 0;
      for (const seen of times.toReversed()) {
        // Goes back time by time, as a person does.
        while (reader.needs(seen.at)) await reader.step();
        compare(seen, reader, contractId);
        const late = new PastReader(cutAt(seen.at, source), subject, run.market.marketTime());
        while (late.needs(seen.at)) await late.step();
        unsure += compare(seen, late, contractId) > 0 ? 1 : 0;
      }
      // Now it has read everything.
      for (const seen of times) compare(seen, reader, contractId);
      expect([unsure > 0, unsure < TIMES]).toEqual([true, true]);
    }
  }, seed);
});

test("the present is refused while the audit trail lacks a change of it", async () => {
  let isBehind = true;
  class Behind extends MarketInProcess {
    override get services() {
      const { audit, ...others } = super.services;
      const query: typeof audit.query = async (...asked) => {
        const page = await audit.query(...asked);
        return isBehind ? { ...page, events: page.events.slice(1) } : page;
      };
      return { ...others, audit: { ...audit, query } };
    }
  }
  const market = new Behind(MARKET, SECRET, 200, true);
  await market.connect("olga");
  const server = new DashboardServer(market);
  for (const price of [4_000, 4_010]) {
    market.execute("alice", "order.submit", { contractId: BASE, side: 0, price, quantity: 3 });
    market.pass(1_000);
  }
  const { status, body } = await server.get<Failed>("/dashboard/past/orders");
  expect([status, body.error.message]).toEqual([502, "The audit trail is behind the market."]);
  isBehind = false;
  expect((await server.get("/dashboard/past/orders")).status).toBe(200);
});

describe("whoever may not see all orders", () => {
  const definition = marketDefinition.parse({
    ...MARKET,
    users: [...MARKET.users, { id: "eve", name: "Eve", entityId: "gamma", permissions: ["Order.Submit"] }],
  });

  test("gets neither the orders of others to go back from nor the own ones, which would make another book", async () => {
    const market = new MarketInProcess(definition, SECRET, 200, true);
    const server = new DashboardServer(market);
    const submit = (userId: string, price: number) =>
      void market.execute(userId, "order.submit", { contractId: BASE, side: 0, price, quantity: 3 });
    submit("alice", 4_100);
    submit("eve", 4_000);
    const range = "from=2030-06-01T00:00:00Z&to=2030-06-02T00:00:00Z";
    for (const userId of ["eve", "vera"]) {
      await market.connect(userId);
      for (
        const path of ["/dashboard/past/orders", `/dashboard/past/orders?contract=${BASE}`, `/dashboard/past?${range}`]
      ) {
        const { status, body, text } = await server.get<Failed>(path);
        // Vera may see the whole market, though she may not trade.
        const isAllowed = userId === "vera";
        expect([path, status]).toEqual([path, isAllowed ? 200 : 403]);
        if (!isAllowed) expect([path, body.error.code, text.includes("ORD-")]).toEqual([path, "forbidden", false]);
        else expect([path, text.includes("ORD-1"), text.includes("ORD-2")]).toEqual([path, true, true]);
      }
      await market.disconnect();
    }
  });
});
