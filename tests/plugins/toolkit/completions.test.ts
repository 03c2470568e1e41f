import { beforeAll, describe, expect, test } from "bun:test";
import { contractIds, entityIds, entityIdsInScope, userIdsWithOrders } from "../../../plugins/toolkit/completions.ts";
import type { Completion } from "../../../core/tools/completion.ts";
import { MarketInProcess } from "../../core/support/market-in-process.ts";
import { contextOf } from "../support/market-context.ts";
import { BASE, ISLAND, MARKET, PEAK, SECRET } from "../support/market.ts";
import { snapshotOf } from "../support/still-market.ts";

let market: MarketInProcess;
const complete = (completion: Completion, typed: string, of = market) => completion(typed, contextOf(of), {});

async function marketOf(userId: string): Promise<MarketInProcess> {
  const opened = new MarketInProcess(MARKET, SECRET);
  await opened.connect(userId);
  return opened;
}

beforeAll(async () => {
  market = await marketOf("alice");
});

describe("completion of contracts", () => {
  test("gives contracts with orders in the book first", async () => {
    const traded = await marketOf("alice");
    expect(await complete(contractIds, "", traded)).toEqual([BASE, PEAK, ISLAND]);
    const order = { contractId: ISLAND, side: 0, price: 100, quantity: 1, timeInForce: "gtc" } as const;
    traded.execute("alice", "order.submit", { ...order, clientOrderId: "own-1" });
    expect(await complete(contractIds, "", traded)).toEqual([ISLAND, BASE, PEAK]);
  });

  test("finds them by id, product, name and day at the market, in any case, also in the middle", async () => {
    expect(await complete(contractIds, "PEA")).toEqual([PEAK]);
    expect(await complete(contractIds, "islb")).toEqual([ISLAND]);
    expect(await complete(contractIds, "ase")).toEqual([BASE]);
    // Midnight in UTC is the day before in Chicago.
    expect(await complete(contractIds, "2098-12-31")).toEqual([BASE, PEAK]);
    expect(await complete(contractIds, "2099-01-01 isl")).toEqual([ISLAND]);
    expect(await complete(contractIds, "January 2099")).toEqual([ISLAND]);
    expect(await complete(contractIds, "nothing like it")).toEqual([]);
  });

  test("gives expired contracts last", async () => {
    const contract = { marketId: "M", code: "", productCode: "P", engineId: "E" };
    const snapshot = snapshotOf({
      "/MARKET/M": { timezone: "UTC" },
      "/CONTRACT/P-1": { ...contract, name: "a", deliveryStart: "2030-01-01T00:00:00Z", status: "expired" },
      "/CONTRACT/P-3": { ...contract, name: "c", deliveryStart: "2031-02-01T00:00:00Z", status: "listed" },
      "/CONTRACT/P-2": { ...contract, name: "b", deliveryStart: "2031-01-01T00:00:00Z", status: "listed" },
    });
    expect(await contractIds("p", { ...contextOf(market), snapshot }, {})).toEqual(["P-2", "P-3", "P-1"]);
  });

  test("without a connection there are none", async () => {
    expect(await complete(contractIds, "", new MarketInProcess(MARKET, SECRET))).toEqual([]);
  });
});

describe("completion of entities and users", () => {
  test("gives the own entity, the own user and colleagues first", async () => {
    expect(await complete(entityIds, "", await marketOf("bob"))).toEqual(["beta", "alpha", "gamma"]);
    expect(await complete(userIdsWithOrders, "", await marketOf("vera"))).toEqual([
      "vera",
      "alice",
      "bob",
      "greta",
      "olga",
    ]);
    expect(await complete(userIdsWithOrders, "", await marketOf("olga"))).toEqual([
      "olga",
      "alice",
      "bob",
      "greta",
      "vera",
    ]);
  });

  test("finds them by id, code and name", async () => {
    expect(await complete(entityIds, "GAM")).toEqual(["gamma"]);
    expect(await complete(entityIds, "beta en")).toEqual(["beta"]);
    expect(await complete(userIdsWithOrders, "LI")).toEqual(["alice"]);
  });

  test("without Scope.Global only the own entity has positions that the user may see", async () => {
    expect(await complete(entityIdsInScope, "")).toEqual(["alpha"]);
    expect(await complete(entityIdsInScope, "bet")).toEqual([]);
    expect(await complete(entityIdsInScope, "", await marketOf("olga"))).toEqual(["alpha", "beta", "gamma"]);
  });

  test("without Market.View only users of the own entity have orders that the user may see", async () => {
    const context = contextOf(market);
    const session = { userId: "alice", entityId: "alpha", capabilities: [], engineId: "e", epoch: 1 };
    const pubsub = Object.assign(Object.create(context.pubsub) as typeof context.pubsub, { session });
    expect(await userIdsWithOrders("", { ...context, pubsub }, {})).toEqual(["alice", "vera"]);
    expect(await complete(userIdsWithOrders, "")).toHaveLength(5);
  });

  test("without a connection the backend is asked over HTTP", async () => {
    const apart = new MarketInProcess(MARKET, SECRET);
    expect(await complete(entityIds, "a", apart)).toEqual(["alpha", "beta", "gamma"]);
    expect(await complete(entityIdsInScope, "be", apart)).toEqual(["beta"]);
    expect(await complete(userIdsWithOrders, "ver", apart)).toEqual(["vera"]);
  });
});
