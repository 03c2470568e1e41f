import { describe, expect, test } from "bun:test";
import { linePoints, regimeSpans, spotBands, spreadPoints, withSpotEvent } from "../../web/components/spot-bands.ts";
import type { SpotEvent, SpotNode, SpotResult } from "../../web/contract/tool-results.ts";

const HOUR = 3_600;
const START = Date.parse("2026-07-01T00:00:00Z") / 1_000;

function at(hours: number): string {
  return new Date((START + hours * HOUR) * 1_000).toISOString();
}

/** A price in cents and the first letter of a regime for each hour, then those of half past the last one. */
function nodeOf(node: string, ...hours: readonly string[]): SpotNode {
  const point = (text: string, time: string) => ({
    time,
    price: Number.parseInt(text),
    regime: { b: "base", s: "spike", d: "drop" }[text.at(-1)!]!,
  });
  const history = hours.slice(0, -1).map((text, hour) => point(text, at(hour)));
  return { node, history, ...point(hours.at(-1)!, at(hours.length - 1.5)) };
}

/** In hours after the start. */
function spans(node: SpotNode) {
  return regimeSpans(node).map(({ regime, from, to }) => [regime, (from - START) / HOUR, to && (to - START) / HOUR]);
}

describe("the spans of a regime", () => {
  test("join hours that follow each other, and split between two regimes", () => {
    expect(spans(nodeOf("N", "1b", "2s", "3s", "4b", "5d", "6b", "6b"))).toEqual([["spike", 1, 3], ["drop", 4, 5]]);
    expect(spans(nodeOf("N", "1s", "2d", "3b", "3b"))).toEqual([["spike", 0, 1], ["drop", 1, 2]]);
  });

  test("have no end if they go on, and none if there is no history", () => {
    expect(spans(nodeOf("N", "1b", "2s", "2s"))).toEqual([["spike", 1, null]]);
    expect(spans(nodeOf("N", "1b", "2b", "9d"))).toEqual([["drop", 1.5, null]]);
    expect(spans(nodeOf("N", "1b", "2s", "3b"))).toEqual([["spike", 1, 1.5]]);
    expect(spans({ node: "N", history: [], time: at(0), price: 1, regime: "base" })).toEqual([]);
  });
});

test("a span goes on over an hour that is not in the history yet, and no longer", () => {
  const node = nodeOf("N", "1b", "2s", "2s");
  expect(spans({ ...node, time: at(2.5) })).toEqual([["spike", 1, null]]);
  expect(spans({ ...node, time: at(3.5) })).toEqual([["spike", 1, 2], ["spike", 3.5, null]]);
});

describe("the bands", () => {
  test("of both nodes in the same regime are one; others name their node", () => {
    const nodes = [nodeOf("N", "1s", "2b", "3b", "3b"), nodeOf("W", "1s", "2d", "3b", "3b")];
    expect(spotBands({ nodes, events: [] }).map(({ label, colour }) => [label, colour])).toEqual([
      ["spike", "danger"],
      ["W drop", "good"],
    ]);
    expect(spotBands({ nodes: [nodes[0]!], events: [] }).map(({ label }) => label)).toEqual(["N spike"]);
  });

  test("of market events begin in the chart, and say what happened and where", () => {
    const event = { id: "e", type: "heat_wave", size: 1, remaining: 1, startedAt: at(-5), endsAt: at(9) };
    const events: SpotEvent[] = [{ ...event, node: null }, { ...event, node: "W", startedAt: at(1) }];
    expect(spotBands({ nodes: [nodeOf("N", "1b", "2b", "2b")], events })).toEqual([
      { from: START, to: START + 9 * HOUR, colour: "warning", label: "heat wave" },
      { from: START + HOUR, to: START + 9 * HOUR, colour: "warning", label: "heat wave at W" },
    ]);
  });
});

describe("the points", () => {
  test("are the history and the price now; those of the same history stay the same objects, so they are not drawn again", () => {
    const node = nodeOf("N", "10b", "20b", "25b");
    expect(linePoints(node)).toEqual([
      { time: START, value: 10 },
      { time: START + HOUR, value: 20 },
      { time: START + 1.5 * HOUR, value: 25 },
    ]);
    const again = linePoints({ ...node, price: 30 });
    expect(again[0]).toBe(linePoints(node)[0]!);
    expect(again.at(-1)?.value).toBe(30);
    // The price now is that of the last hour.
    expect(linePoints({ ...node, time: at(1) })).toEqual(linePoints(node).slice(0, 2));
  });

  test("of the spread are where both nodes have a price", () => {
    const nodes = [nodeOf("N", "10b", "20b", "25b"), nodeOf("W", "4b", "30b", "26b")];
    expect(spreadPoints(nodes).map(({ value }) => value)).toEqual([6, -10, -1]);
    expect([spreadPoints([nodes[0]!]), spreadPoints([...nodes, nodes[0]!])]).toEqual([[], []]);
  });
});

describe("an event of a spot price", () => {
  const spot: SpotResult = {
    status: "running",
    congested: false,
    events: [],
    nodes: [nodeOf("N", "10b", "20b", "25b"), nodeOf("W", "10b", "20b", "25b")],
  };
  const event = { node: "W", price: 99, regime: "spike", time: at(1.6) };

  test("changes the price of its node, and the history of none", () => {
    const after = withSpotEvent(spot, event);
    expect(after.nodes[1]).toMatchObject({ price: 99, regime: "spike", time: at(1.6) });
    expect(after.nodes[0]).toBe(spot.nodes[0]!);
    expect(after.nodes[1]!.history).toBe(spot.nodes[1]!.history);
    expect(withSpotEvent(spot, { ...event, time: spot.nodes[1]!.time }).nodes[1]).toMatchObject({ price: 99 });
  });

  test("that is old, of another node or unreadable changes nothing", () => {
    for (const other of [{ ...event, time: at(1) }, { ...event, node: "X" }, { ...event, price: "99" }]) {
      expect(withSpotEvent(spot, other)).toBe(spot);
    }
  });
});
