import { afterEach, expect, test } from "bun:test";
import type { FeedEvent } from "../../web/contract/update.ts";
import { applyUpdates } from "../../web/dashboard/live/market-store.ts";
import { TradeFeed } from "../../web/dashboard/live/trade-feed.ts";
import { until } from "../support/until.ts";
import { update } from "./updates.ts";

const realFetch = globalThis.fetch;
let stop = () => {};

afterEach(() => {
  stop();
  globalThis.fetch = realFetch;
});

const at = (sequence: number) => new Date(Date.UTC(2026, 10, 23, 10, 0, sequence)).toISOString();

function trade(sequence: number, contractId = "C"): FeedEvent {
  const data = { id: `T${sequence}`, contractId, price: 5_000 + sequence, quantity: 1, aggressorSide: 0 };
  return { sequence, category: "fill", type: "new.trade", time: at(sequence), data };
}

/** Answers each request for the history once `answer` is called for it. */
function servedHistory() {
  const asked: ((sequence: number) => void)[] = [];
  globalThis.fetch = (() => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    asked.push((sequence) => {
      const trades = Array.from(
        { length: sequence },
        (_, index) => ({ ...trade(index + 1).data, time: at(index + 1) }),
      );
      resolve(Response.json({ contractId: "C", epoch: 1, sequence, trades, candles: [], isComplete: true }));
    });
    return promise;
  }) as unknown as typeof fetch;
  return asked;
}

function startFeed() {
  const asked = servedHistory();
  const feed = new TradeFeed("C");
  stop = feed.start();
  return { asked, feed };
}

const ids = (feed: TradeFeed) => feed.tape.map(({ id }) => id);

test("trades that come while the history is on its way are shown once", async () => {
  const { asked, feed } = startFeed();
  applyUpdates([update({ epoch: 1, events: [trade(2), trade(3), trade(4, "OTHER")] })]);
  expect(ids(feed)).toEqual([]);
  asked[0]!(2);
  await until(() => feed.state.value === "loaded");
  expect(ids(feed)).toEqual(["T3", "T2", "T1"]);
  applyUpdates([update({ epoch: 1, events: [trade(3), trade(5)] })]);
  expect(ids(feed)).toEqual(["T5", "T3", "T2", "T1"]);
});

test("the history is asked again if events were lost, and trades are still shown once", async () => {
  const { asked, feed } = startFeed();
  asked[0]!(1);
  await until(() => feed.state.value === "loaded");
  applyUpdates([update({ epoch: 1, events: [trade(9)], missed: 7 })]);
  expect(asked).toHaveLength(2);
  asked[1]!(8);
  await until(() => feed.tape.length === 9);
  expect(ids(feed).slice(0, 2)).toEqual(["T9", "T8"]);
});

test("another beginning of the events asks for the history too, and a late answer to the first question is not used", async () => {
  const { asked, feed } = startFeed();
  applyUpdates([update({ epoch: 1, continues: false, isWhole: true })]);
  asked[1]!(2);
  await until(() => feed.state.value === "loaded");
  asked[0]!(1);
  applyUpdates([update({ epoch: 1, events: [trade(3)] })]);
  expect(ids(feed)).toEqual(["T3", "T2", "T1"]);
});
