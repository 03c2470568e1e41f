// The dashboard shows a user no more than the user may see, whoever was connected before.

import { beforeEach, describe, expect, test } from "bun:test";
import type { History, Sparks } from "../../../web/contract/calls.ts";
import type { CreditMatrix } from "../../../web/contract/credit.ts";
import type { SearchAnswer } from "../../../web/contract/search.ts";
import { marketDefinition } from "../../../engine/definition/market-definition.ts";
import { MarketInProcess } from "../../core/support/market-in-process.ts";
import { BASE, MARKET, SECRET } from "../support/market.ts";
import { DashboardServer, type Failed } from "./support/dashboard-server.ts";

/** Eve may trade for gamma, and sees nothing of the others; mallory does not even see credit. */
const DEFINITION = marketDefinition.parse({
  ...MARKET,
  users: [
    ...MARKET.users,
    { id: "eve", name: "Eve", entityId: "gamma", permissions: ["Order.Submit", "Credit.View"] },
    { id: "mallory", name: "Mallory", entityId: "gamma", permissions: ["Order.Submit"] },
  ],
});

/** What only alpha, beta and those who see everything know: ids, the price of a resting order, notes. */
const SECRETS = ["ORD-1", "ORD-2", "ORD-3", "TRD-1", "alpha-hidden", "beta-hidden", "not for gamma"];

const RANGE = "from=2030-06-01T00:00:00Z&to=2030-06-02T00:00:00Z";
const PAST = `/dashboard/past?${RANGE}`;
const PAST_DAY = `/dashboard/past/day?${RANGE}`;
const PAST_ORDERS = "/dashboard/past/orders";

let market: MarketInProcess;
let server: DashboardServer;

function submit(userId: string, side: 0 | 1, clientOrderId: string): void {
  market.execute(userId, "order.submit", { contractId: BASE, side, price: 4_200, quantity: 3, clientOrderId });
}

beforeEach(() => {
  market = new MarketInProcess(DEFINITION, SECRET, 200, true);
  server = new DashboardServer(market);
});

/** Two orders that trade, one that rests, and notes about credit. */
function tradeOfOthers(): void {
  submit("alice", 0, "alpha-hidden-1");
  submit("bob", 1, "beta-hidden-1");
  submit("alice", 0, "alpha-hidden-2");
  const pair = { entityId: "beta", counterpartyId: "alpha" };
  market.execute("bob", "credit.setDocumentation", { ...pair, status: "docs_in_place", notes: "not for gamma" });
}

/** All that the dashboard says to whoever asks. */
async function everythingShown(): Promise<string> {
  const texts = [JSON.stringify(await server.firstUpdate(`?contract=${BASE}`))];
  for (const text of ["ORD-1", "2", "hidden", "alpha-hidden-1", BASE, "alpha", "TRD-1"]) {
    // What is searched for is repeated, and is no secret.
    const { results } = (await server.get<SearchAnswer>(`/dashboard/search?text=${text}`)).body;
    texts.push(JSON.stringify(results));
  }
  const ofPast = [PAST, PAST_DAY, PAST_ORDERS, `${PAST_ORDERS}?contract=${BASE}`];
  for (const path of [`/dashboard/history/${BASE}`, "/dashboard/sparks", "/dashboard/credit", ...ofPast]) {
    texts.push((await server.get(path)).text);
  }
  return texts.join("\n");
}

async function secretsSeen(): Promise<string[]> {
  const shown = await everythingShown();
  return SECRETS.filter((secret) => shown.includes(secret));
}

describe("orders, trades and credit of others", () => {
  test("are shown to whoever sees the whole market", async () => {
    await market.connect("olga");
    tradeOfOthers();
    expect(await secretsSeen()).toEqual(SECRETS);
    const { results } = (await server.get<SearchAnswer>("/dashboard/search?text=alpha-hidden-2")).body;
    expect(results.map(({ kind, id }) => `${kind} ${id}`)).toContain("order ORD-3");
  });

  test.each(["before", "after"])("are not shown to others who connect %s it happens", async (when) => {
    if (when === "before") await market.connect("eve");
    tradeOfOthers();
    if (when === "after") await market.connect("eve");
    expect(await secretsSeen()).toEqual([]);
    const { trades, candles, isComplete } = (await server.get<History>(`/dashboard/history/${BASE}`)).body;
    expect({ trades, candles, isComplete }).toEqual({ trades: [], candles: [], isComplete: false });
    expect((await server.get<Sparks>("/dashboard/sparks")).body.prices[BASE]).toEqual([]);
  });

  test("are not shown to a user who connects after one who saw them", async () => {
    await market.connect("olga");
    tradeOfOthers();
    const { position } = await server.firstUpdate();
    await market.disconnect();
    await market.connect("eve");
    expect(await secretsSeen()).toEqual([]);
    const { continues, isWhole, events } = await server.firstUpdate(`?since=${position}`);
    expect([continues, isWhole]).toEqual([false, true]);
    expect(JSON.stringify(events)).not.toContain("ORD-1");
  });

  test("are not shown once nobody is connected", async () => {
    await market.connect("olga");
    tradeOfOthers();
    const { position } = await server.firstUpdate();
    await market.disconnect();
    for (const query of ["", `?contract=${BASE}`, `?since=${position}`]) {
      const update = await server.firstUpdate(query);
      expect([update.events, update.contracts, update.books, update.markets]).toEqual([[], [], [], undefined]);
    }
    for (const path of [`history/${BASE}`, "sparks", "search?text=ORD-1", "credit", `past?${RANGE}`, "past/orders"]) {
      const { status, body } = await server.get<Failed>(`/dashboard/${path}`);
      expect([status, body.error.code]).toEqual([503, "not_connected"]);
    }
  });
});

describe("the credit matrix", () => {
  async function pairsSeen(): Promise<string[]> {
    const { pairs } = (await server.get<CreditMatrix>("/dashboard/credit")).body;
    return pairs.map(({ entityId, counterpartyId }) => `${entityId} ${counterpartyId}`);
  }

  test("has all pairs for a user with Scope.Global", async () => {
    await market.connect("olga");
    expect(await pairsSeen()).toContain("alpha beta");
    expect(await pairsSeen()).toContain("beta alpha");
  });

  test("has only what the user's own entity grants for others", async () => {
    await market.connect("alice");
    expect((await pairsSeen()).every((pair) => pair.startsWith("alpha "))).toBe(true);
    expect(await pairsSeen()).toContain("alpha beta");
  });

  test("is refused without Credit.View", async () => {
    await market.connect("mallory");
    const { status, body } = await server.get<Failed>("/dashboard/credit");
    expect([status, body.error.code]).toEqual([403, "forbidden"]);
  });

  test("says what own open orders would use of each limit, and nothing of the orders of others", async () => {
    submit("alice", 0, "own-1");
    market.execute("bob", "order.submit", { contractId: BASE, side: 1, price: 4_300, quantity: 5, clientOrderId: "b" });
    const usesSeen = async () =>
      (await server.get<CreditMatrix>("/dashboard/credit")).body.pairs.flatMap((pair) =>
        pair.limits.map(({ limitType, ownOrders }) =>
          `${pair.entityId} ${pair.counterpartyId} ${limitType} ${ownOrders}`
        )
      ).toSorted();
    // 3 MW for 24 hours at 42.00, and 5 MW at 43.00, of which beta counts half.
    const expected: [userId: string, uses: string[]][] = [
      ["alice", ["alpha beta notional 3024"]],
      ["bob", ["beta alpha mw 5", "beta alpha mwh 0", "beta alpha notional 2580"]],
      ["eve", []],
      ["olga", [
        ...["alpha beta notional null", "beta alpha mw null", "beta alpha mwh null"],
        "beta alpha notional null",
      ]],
    ];
    for (const [userId, uses] of expected) {
      await market.connect(userId);
      expect([userId, await usesSeen()]).toEqual([userId, uses]);
      await market.disconnect();
    }
  });
});
