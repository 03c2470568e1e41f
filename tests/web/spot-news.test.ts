// What changes of spot prices and market events mean for a page.

import { describe, expect, test } from "bun:test";
import { isWorthReading, priceBefore, withSpotEvent } from "../../web/components/spot-news.ts";
import type { SpotNode, SpotResult } from "../../web/contract/tool-results.ts";

const START = Date.parse("2026-07-01T00:00:00Z");
const at = (hours: number) => new Date(START + hours * 3_600_000).toISOString();

/** Hourly prices in cents, then the price at half past the last hour. */
function nodeOf(node: string, ...prices: readonly number[]): SpotNode {
  const history = prices.slice(0, -1).map((price, hour) => ({ time: at(hour), price, regime: "base" }));
  return { node, history, time: at(prices.length - 1.5), price: prices.at(-1)!, regime: "base" };
}

const SPOT: SpotResult = {
  status: "running",
  congested: false,
  events: [],
  nodes: [nodeOf("N", 10, 20, 25), nodeOf("W", 10, 20, 25)],
};

describe("an event of a spot price", () => {
  const event = { node: "W", price: 99, regime: "spike", time: at(1.6) };

  test("changes the price of its node, and the history of none", () => {
    const after = withSpotEvent(SPOT, event);
    expect(after.nodes[1]).toMatchObject({ price: 99, regime: "spike", time: at(1.6) });
    expect(after.nodes[0]).toBe(SPOT.nodes[0]!);
    expect(after.nodes[1]!.history).toBe(SPOT.nodes[1]!.history);
    expect(withSpotEvent(SPOT, { ...event, time: SPOT.nodes[1]!.time }).nodes[1]).toMatchObject({ price: 99 });
  });

  test("that is old, of another node or unreadable changes nothing", () => {
    for (const other of [{ ...event, time: at(1) }, { ...event, node: "X" }, { ...event, price: "99" }]) {
      expect(withSpotEvent(SPOT, other)).toBe(SPOT);
    }
  });

  test.each<[what: string, data: Record<string, unknown>, expected: boolean]>([
    ["a later price of the same hour", event, false],
    ["the same price again", { ...event, time: at(1.5), price: 25 }, false],
    ["another price of the same time, as after a triggered event", { ...event, time: at(1.5) }, true],
    ["the first price of the next hour", { ...event, time: at(2) }, true],
    ["a price of another node", { ...event, node: "X", time: at(2) }, false],
    ["a price without a time", { node: "W", price: 99 }, false],
  ])("with %s makes the whole worth reading again: %#", (_what, data, expected) => {
    expect(isWorthReading(SPOT, data)).toBe(expected);
  });
});

test.each<[startedAt: number, price: number | null]>([
  [0.5, null],
  [1, 10],
  [1.9, 10],
  [2, 20],
  [2.9, 20],
  [3, null],
])("the price before an event that began after %d hours is that of the last whole hour: %p", (startedAt, price) => {
  expect(priceBefore(nodeOf("N", 10, 20, 25), { startedAt: at(startedAt) })).toBe(price);
});
