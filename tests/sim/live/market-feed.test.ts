import { expect, test } from "bun:test";
import { MarketFeed } from "../../../sim/live/market-feed.ts";
import { EngineDriver } from "../../engine/support/engine-driver.ts";
import { USERS } from "../../engine/support/market.ts";

const CONTRACT = "N-H12";

test("a book that is gone after a reconnect is not shown any more", () => {
  const removed: string[] = [];
  const feed = new MarketFeed({
    marketUpdate: () => {},
    listed: () => {},
    expired: () => {},
    removed: (contractId) => void removed.push(contractId),
    orderChanged: () => {},
    orderRemoved: () => {},
    ordersForgotten: () => {},
    clockChanged: () => {},
    current: () => {},
    refused: () => {},
  });
  const driver = new EngineDriver();
  driver.buy(USERS.alpha, { price: 500, quantity: 2 });
  feed.welcomed();
  for (const statePath of [`/ENGINE/ENG-${CONTRACT}`, `/CONTRACT/${CONTRACT}`]) {
    feed.state({ statePath, state: driver.modules.get(statePath)! });
  }
  feed.synchronized();
  expect([feed.book(CONTRACT).bestBid, removed]).toEqual([500, []]);

  feed.ended({ kind: "lost", reason: "lost" }, true);
  feed.welcomed();
  feed.synchronized();
  expect([feed.book(CONTRACT).bestBid, removed]).toEqual([null, [CONTRACT]]);
});
