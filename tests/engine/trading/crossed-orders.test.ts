// When orders that cross trade after all: as their market opens or resumes, and as two may trade who could not.

import { expect, test } from "bun:test";
import { EngineDriver } from "../support/engine-driver.ts";
import { marketWithoutCredit, USERS } from "../support/market.ts";

const { alpha, beta, gamma, operator } = USERS;

/** Buyers and sellers of all trades, with their MW. */
function trades(engine: EngineDriver): string[] {
  return engine.all("TRADE").map(({ contractId, buyEntityId, sellEntityId, quantity }) =>
    `${contractId}: ${quantity} MW ${sellEntityId} to ${buyEntityId}`
  );
}

/** Lets the two trade without a limit that is reached. */
function befriend(engine: EngineDriver, one: [string, string], other: [string, string]): void {
  for (const [[user, entity], [, counterparty]] of [[one, other], [other, one]] as const) {
    engine.setLimit(user, `${entity}:${counterparty}`, { limit: 1_000 });
    engine.setDocuments(user, `${entity}:${counterparty}`, "docs_in_place");
  }
}

const [ALPHA, BETA, GAMMA]: [string, string][] = [[alpha, "ALPHA"], [beta, "BETA"], [gamma, "GAMMA"]];

test("held orders of all contracts are released in the order in which they came, and a changed one has come later", () => {
  const engine = new EngineDriver();
  engine.execute(operator, "market.halt", {});
  engine.buy(alpha, { price: 5, quantity: 1 });
  engine.buy(beta, { contractId: "S-PK", price: 5, quantity: 1 });
  engine.buy(gamma, { price: 5, quantity: 1 });
  engine.execute(alpha, "order.modify", { orderId: "ORD-1", price: 6 });
  engine.execute(gamma, "order.modify", { orderId: "ORD-3", quantity: 2 });
  engine.buy(beta, { contractId: "S-PK", price: 10, quantity: 1 });
  const released = engine.execute(operator, "market.resume", {}).dataOf("release.order").map(({ id }) => id);
  expect(released).toEqual(["ORD-2", "ORD-1", "ORD-3", "ORD-4"]);
});

test("resting orders come before held ones, and trade at the price of the older, once their market resumes", () => {
  const engine = new EngineDriver(marketWithoutCredit());
  engine.sell(alpha, { price: 5, quantity: 1 });
  engine.buy(beta, { price: 7, quantity: 1 });
  engine.sell(alpha, { contractId: "S-PK", price: 5, quantity: 1 });
  engine.buy(beta, { contractId: "S-PK", price: 5, quantity: 1 });
  engine.execute(operator, "market.halt", {});
  engine.buy(beta, { price: 9, quantity: 1 });
  befriend(engine, ALPHA!, BETA!);
  expect([trades(engine), engine.all("ORDER").map(({ status }) => status)]).toEqual([
    [],
    ["working", "working", "working", "working", "held"],
  ]);
  engine.execute(operator, "market.resume", {});
  expect(trades(engine)).toEqual(["N-H12: 1 MW ALPHA to BETA", "S-PK: 1 MW ALPHA to BETA"]);
  expect(engine.all("TRADE").map(({ price, buyOrderId }) => [price, buyOrderId])).toEqual([[5, "ORD-2"], [5, "ORD-4"]]);
  expect(engine.order("ORD-5")).toMatchObject({ status: "working", filledQuantity: 0 });
});

test("credit of two lets their orders trade at once, in every contract, and nobody else's", () => {
  const engine = new EngineDriver(marketWithoutCredit());
  befriend(engine, ALPHA!, GAMMA!);
  engine.sell(alpha, { price: 5, quantity: 3 });
  engine.buy(beta, { price: 6, quantity: 2 });
  engine.sell(alpha, { contractId: "S-PK", price: 5, quantity: 3 });
  engine.buy(beta, { contractId: "S-PK", price: 5, quantity: 4 });
  expect(trades(engine)).toEqual([]);
  befriend(engine, BETA!, GAMMA!);
  expect(trades(engine)).toEqual([]);
  befriend(engine, ALPHA!, BETA!);
  expect(trades(engine)).toEqual(["N-H12: 2 MW ALPHA to BETA", "S-PK: 3 MW ALPHA to BETA"]);
  expect(engine.all("ENGINE").map(({ bids, asks }) => [bids.length, asks.map(({ volume }) => volume)]))
    .toEqual([[0, [1]], [1, []]]);
  expect(engine.order("ORD-4")).toMatchObject({ status: "partial", remainingQuantity: 1, closeReason: null });
});
