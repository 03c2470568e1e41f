import { expect, test } from "bun:test";
import { MarketFeed } from "../../../sim/live/market-feed.ts";
import { EngineDriver } from "../support/engine-driver.ts";
import { USERS } from "../support/market.ts";

const CONTRACT = "N-H12";

test("a book that is gone after a reconnect is not shown any more", () => {
  const removed: string[] = [];
  const feed = new MarketFeed({
    marketUpdate: () => {},
    listed: () => {},
    expired: () => {},
    removed: (contractId) => void removed.push(contractId),
    current: () => {},
    refused: () => {},
  });
  const { states } = new EngineDriver().buy(USERS.alpha, { price: 500, quantity: 2 });
  const contract = { id: CONTRACT, status: "listed" };
  feed.welcomed();
  for (const message of [...states, { statePath: `/CONTRACT/${CONTRACT}`, state: contract as never }]) {
    feed.state(message);
  }
  feed.synchronized();
  expect([feed.book(CONTRACT).bestBid, removed]).toEqual([500, []]);

  feed.ended({ kind: "lost", reason: "lost" }, true);
  feed.welcomed();
  feed.synchronized();
  expect([feed.book(CONTRACT).bestBid, removed]).toEqual([null, [CONTRACT]]);
});
