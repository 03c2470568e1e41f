// What a disconnect says of the other replicas, and when a person who only looks may connect.

import { expect, test } from "bun:test";
import tools from "../../../plugins/mutation/connection.ts";
import { StillMarket } from "../support/still-market.ts";

test.each([
  [null, "Disconnected; the acting user was user-1."],
  [
    { others: 1, followed: 1 },
    "Disconnected; the acting user was user-1. 1 other replica of this server disconnected, too.",
  ],
  [
    { others: 3, followed: 3 },
    "Disconnected; the acting user was user-1. 3 other replicas of this server disconnected, too.",
  ],
  [
    { others: 1, followed: 0 },
    "Disconnected; the acting user was user-1. 0 of 1 other replica of this server disconnected so far; the others follow " +
    "when they can.",
  ],
  [
    { others: 3, followed: 1 },
    "Disconnected; the acting user was user-1. 1 of 3 other replicas of this server disconnected so far; the others " +
    "follow when they can.",
  ],
])("a disconnect that replicas follow as %j says so", async (followers, message) => {
  const market = new StillMarket({ pubsub: { disconnect: () => Promise.resolve(followers ?? undefined) } as never });
  expect(await market.ok("mkt_disconnect_pubsub")).toMatchObject({ status: "success", message });
});

test.each([
  [undefined, 0, true],
  [undefined, 1, false],
  [undefined, 2, false],
  ["alice", 0, false],
])("a page that only looks may connect as %p after %d disconnects: %p", (userId, disconnects, allowed) => {
  const [connect, disconnect] = tools;
  expect(connect!.allowedForViewers?.({ userId }, { pubsub: { disconnects } } as never)).toBe(allowed);
  expect(disconnect!.allowedForViewers?.({}, { pubsub: { disconnects } } as never)).not.toBe(true);
});
