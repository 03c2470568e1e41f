import { expect } from "bun:test";
import { size } from "../support/sizes.ts";
import type { Answer } from "./support/agent.ts";
import type { Task } from "./support/task.ts";

/** How long the contract is followed. */
const SPAN_SECONDS = size(1, 60);
/** Of one call. */
const MAX_WAIT_SECONDS = 30;

export default {
  name: "follow-contract",
  setBy: "trader",
  request: "follow one contract for a minute and miss nothing",
  budget: { calls: 6, bytes: 7_000 },
  async run(market) {
    const contractId = await market.contractOf("NORTH-DA-BASE");
    const witness = await market.user("viewer");
    await market.simulate("start", { preset: "calm", seed: 5 });

    const agent = await market.agent("summit-trader-1");
    await agent.ask("mkt_connect_pubsub");
    const { latestSequence: start } = await agent.ask("mkt_watch_book", { contractId, limit: 1 });
    await (await market.user("meridian-trader-1")).submit(contractId, "BUY", 1, 1);
    // Market events are rare, so waiting for one passes the time; a halt would end the wait.
    let since = start;
    for (let left = SPAN_SECONDS; left > 0; left -= MAX_WAIT_SECONDS) {
      const waitSeconds = Math.min(left, MAX_WAIT_SECONDS);
      since = (await agent.ask("mkt_watch_market", { since, waitSeconds }))["latestSequence"];
    }
    const span = { contractId, since: start, limit: 500 };
    const book = await agent.ask("mkt_watch_book", span);
    const trades = await agent.ask("mkt_watch_fills", { ...span, fillTypes: ["new.trade"] });
    await market.simulate("stop");

    const answers = { "change.book": book, "new.trade": trades };
    for (const [type, { events, missed, hasMore, latestSequence: end }] of Object.entries(answers)) {
      await witness.event(({ sequence }) => sequence >= end);
      const happened = witness.events.filter((event) =>
        event.type === type && event.sequence > start && event.sequence <= end &&
        event.data["contractId"] === contractId
      );
      expect([missed, hasMore]).toEqual([0, false]);
      expect(end).toBeGreaterThanOrEqual(since);
      expect(events.map(({ sequence }: Answer) => sequence)).toEqual(happened.map(({ sequence }) => sequence));
    }
    expect(book["events"].length).toBeGreaterThan(0);
  },
} satisfies Task;
