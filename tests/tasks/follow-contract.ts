import { expect } from "bun:test";
import { size } from "../support/sizes.ts";
import type { Answer } from "./support/agent.ts";
import type { Task } from "./support/task.ts";

/** How long the contract is followed. */
const SPAN_SECONDS = size(4, 60);
/** So a short span keeps the budget of a minute, too. */
const BYTES_OF_CALLS = 2_000;
const BYTES_OF_EVENT = 210;
/** Of one call. */
const MAX_WAIT_SECONDS = 30;

export default {
  name: "follow-contract",
  setBy: "trader",
  request: "follow one contract for a minute and miss nothing",
  budget: { calls: 5, bytes: 13_000 },
  async run(market) {
    const contractId = await market.contractOf("NORTH-DA-BASE");
    const witness = await market.user("viewer");
    await market.simulate("start", { preset: "calm", seed: 5 });

    const agent = await market.agent("summit-trader-1");
    await agent.ask("mkt_connect_pubsub");
    const { stats: { latestSequence: start } } = await agent.ask("mkt_get_recent_events", { contractId, limit: 1 });
    await (await market.user("meridian-trader-1")).submit(contractId, "BUY", 1, 1);
    // Market events are rare: waiting for one passes the time, and a halt would be told at once.
    let since = start;
    for (let left = SPAN_SECONDS; left > 0; left -= MAX_WAIT_SECONDS) {
      const waitSeconds = Math.min(left, MAX_WAIT_SECONDS);
      since = (await agent.ask("mkt_watch_market", { since, waitSeconds }))["latestSequence"];
    }
    const { events, missed, hasMore, stats } = await agent.ask("mkt_get_recent_events", {
      contractId,
      since: start,
      limit: 500,
    });
    await market.simulate("stop");

    const end = stats.latestSequence;
    await witness.event(({ sequence }) => sequence >= end);
    const happened = witness.events.filter(({ sequence, data }) =>
      sequence > start && sequence <= end && data["contractId"] === contractId
    );
    expect([missed, hasMore]).toEqual([0, false]);
    expect(end).toBeGreaterThanOrEqual(since);
    expect(events.map(({ sequence, type }: Answer) => [sequence, type])).toEqual(
      happened.map(({ sequence, type }) => [sequence, type]),
    );
    expect(happened.length).toBeGreaterThan(0);
    expect(agent.bytes).toBeLessThanOrEqual(BYTES_OF_CALLS + happened.length * BYTES_OF_EVENT);
  },
} satisfies Task;
