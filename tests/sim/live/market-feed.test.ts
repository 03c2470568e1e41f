import { expect, test } from "bun:test";
import { MarketFeed } from "../../../sim/live/market-feed.ts";
import { EngineDriver } from "../../engine/support/engine-driver.ts";
import { USERS } from "../../engine/support/market.ts";

const CONTRACT = "N-H12";

/** A feed with the ids of the contracts that it calls removed, and an engine with a bid. */
function followed() {
  const removed: string[] = [];
  const refused: string[] = [];
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
    refused: (reason) => void refused.push(reason),
  });
  const driver = new EngineDriver();
  driver.buy(USERS.alpha, { price: 500, quantity: 2 });
  const show = (statePath: string, more = {}) =>
    feed.state({ statePath, state: { ...driver.modules.get(statePath)!, ...more } });
  return { feed, removed, refused, show };
}

test.each([true, false])("without its connection the market is not current (tried again: %p)", (willRetry) => {
  const { feed, refused } = followed();
  expect(feed.isCurrent).toBe(false);
  feed.welcomed();
  expect(feed.isCurrent).toBe(false);
  feed.synchronized();
  expect(feed.isCurrent).toBe(true);
  feed.ended({ kind: "lost", reason: "cut off" }, willRetry);
  expect([feed.isCurrent, refused.length]).toEqual([false, willRetry ? 0 : 1]);
});

test("a book that is gone after a reconnect is not shown any more", () => {
  const { feed, removed, show } = followed();
  feed.welcomed();
  for (const statePath of [`/ENGINE/ENG-${CONTRACT}`, `/CONTRACT/${CONTRACT}`]) show(statePath);
  feed.synchronized();
  expect([feed.book(CONTRACT).bestBid, removed]).toEqual([500, []]);

  feed.ended({ kind: "lost", reason: "lost" }, true);
  feed.welcomed();
  feed.synchronized();
  expect([feed.book(CONTRACT).bestBid, removed]).toEqual([null, [CONTRACT]]);
});

test.each(["listed", "expired"])("a contract that was %s counts as removed once a snapshot lacks it", (status) => {
  for (const lostSnapshots of [0, 1]) {
    const { feed, removed, show } = followed();
    feed.welcomed();
    show(`/CONTRACT/${CONTRACT}`, { status });
    feed.synchronized();
    for (let lost = 0; lost < lostSnapshots; lost++) feed.welcomed();
    feed.welcomed();
    show(`/CONTRACT/${CONTRACT}`, { status });
    feed.synchronized();
    expect(removed).toEqual([]);

    for (let lost = 0; lost < lostSnapshots; lost++) feed.welcomed();
    feed.welcomed();
    feed.synchronized();
    feed.welcomed();
    feed.synchronized();
    expect(removed).toEqual([CONTRACT]);
  }
});
